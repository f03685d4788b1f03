//! Replays.

mod prompts;
mod replay;
