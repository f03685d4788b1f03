//! Where chat happens; only platforms know a wire protocol.

pub mod discord;
pub mod room;
