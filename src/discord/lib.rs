//! Discord: events in, effects out. Only this room knows Discord's protocol; it never decides whether to speak.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod backfill;
mod channel_check;
pub mod commands;
mod connection;
pub mod convert;
mod embed_limits;
mod event;
pub mod gateway;
mod invite;
pub mod log_channel;
pub mod missed_events;
mod named_places;
mod picture_download;
pub mod rest;
pub mod send;
mod settings;
mod shard_count;
pub mod snowflake;
pub mod webhooks;

pub use channel_check::{ChannelLookup, look_up_channel};
pub use connection::{
    ChannelBackfill, DiscordConnection, DiscordEventStream, DiscordShare, FewSessionStarts,
    build_rest_client, connect,
};
pub use event::{DiscordEvent, MessageSnapshot, SessionGuilds, is_guild_in_shard};
pub use gateway::{FormerSessions, SessionRecord};
pub use invite::{InvitePermission, build_invite_url, list_wanted_permissions};
pub use log_channel::ApprovalEmbed;
pub use named_places::ConfiguredIds;
pub use picture_download::PictureError;
pub use settings::{DiscordSettings, LogChannelSettings, LogDetail};
pub use shard_count::ShardCount;
