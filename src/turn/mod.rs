//! Drives the turn machine of the core: puts prompts into words, asks models, runs calls. It decides nothing.

pub mod describe;
pub mod prompt;
pub mod tasks;

pub use tasks::{Asks, Ear, Told};
