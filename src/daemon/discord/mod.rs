//! Living on Discord: what is heard there is stored, then handed to the core; what the core wants done goes out over
//! REST. Whether a channel is read at all is decided here, before anything is kept.

mod appearance;
mod archived_threads;
mod avatar;
mod channels;
mod command_requests;
mod delivery;
mod departed;
mod discord_loop;
mod erase;
mod guild_progress;
mod held_events;
mod host;
mod input;
mod keep_sticker;
mod log_entries;
mod look_back;
mod moderation;
mod platform;
mod preferences;
mod receive;
mod speak;
mod stickers;
mod still_wanted;
mod storing;
mod task_event;
mod throttle;
mod trials;
mod unstored_events;

pub(super) use input::DiscordListener;
pub(super) use platform::DiscordPlatform;
