//! The same core over recorded logs in simulated time.

pub mod discord;
pub mod ids;
pub mod log;
pub mod player;
