//! The workbench: recordings played back through the real core, and the weights of the willingness score learnt and
//! judged. Nothing here runs while the companion does.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod learn;
pub mod replay;
