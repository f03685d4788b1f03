//! Living on Discord: what is heard there is stored, then handed to the core; what the core wants done goes out over
//! REST. Whether a channel is read at all is decided here, before anything is kept.

mod appearance;
mod archived_threads;
mod avatar;
mod channels;
mod command_requests;
mod deleted_places;
mod delivery_order;
mod departed_members;
mod discord_loop;
mod erasure_throttle;
mod event_storage;
mod guild_progress;
mod held_events;
mod input;
mod keep_sticker;
mod late_actions;
mod log_entries;
mod missed_messages;
mod moderation;
mod other_partitions;
mod outgoing_actions;
mod permission_trials;
mod platform;
mod preferences;
mod receive;
mod session_command;
mod session_records;
mod stickers;
mod task_event;
mod tool_host;
mod unstored_events;

pub(super) use input::DiscordListener;
pub(super) use platform::DiscordPlatform;
