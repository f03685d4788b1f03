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

pub use connection::{ChannelBackfill, DiscordConnection, DiscordEventStream, MessageLookup, connect, rest};
pub use heard::{DiscordEvent, SessionGuilds, is_on};
pub use invite::{InvitePermission, invite, wanted};
pub use log_channel::ApprovalEmbed;
pub use named::NamedPlaces;
pub use pictures::PictureError;
pub use settings::{DiscordSettings, LogChannelSettings, LogDetail};
pub use visit::{ChannelLookup, visit};
