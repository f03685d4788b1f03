//! What memory finds, and what comes to mind by itself, as sentences.

mod chatter;
mod chinese_questions;
mod comes_to_mind;
mod consolidation;
mod facts;
mod group_expressions;
mod meaning;
mod ranking;
mod scenarios;
