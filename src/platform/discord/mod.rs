//! Discord: events in, effects out. Only this room knows Discord's protocol; it never decides whether to speak.

pub mod backfill;
pub mod commands;
mod connection;
pub mod convert;
pub mod gateway;
mod heard;
mod invite;
pub mod log_channel;
mod named;
mod pictures;
pub mod rest;
pub mod send;
mod settings;
pub mod snowflake;
mod visit;

pub use connection::{Connected, Discord, Found, Missed, connect, rest};
pub use heard::{Heard, Listed, is_on};
pub use invite::{Wanted, invite, wanted};
pub use log_channel::Question;
pub use named::Named;
pub use pictures::Lost;
pub use settings::{DiscordSettings, LogChannelSettings, Shown};
pub use visit::{Visited, visit};
