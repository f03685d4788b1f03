//! Drives the turn machine of the core: renders prompts, calls the model, runs calls.

pub mod prompt;
