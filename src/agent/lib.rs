//! Drives the turn machine of the core: puts prompts into words, asks models, runs calls. It decides nothing.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod judge;
pub mod picture_description;
pub mod prompt;
pub mod sub_agent;
pub mod turn_tasks;

pub use turn_tasks::{ApprovalCall, TaskReport, TurnEventSender};
