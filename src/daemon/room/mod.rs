//! The local room: its people and channels, what its page asks for, and what the daemon does there.

mod card_import;
mod changes;
mod commands;
mod core_memory;
mod decisions;
mod ids;
mod input;
mod member_changes;
mod members;
mod memories;
mod memory_search;
mod platform;
mod reading;
mod requests;
mod room_loop;
mod session_requests;
mod summaries;
mod tool_host;

pub(super) use input::RoomListener;
pub(super) use members::to_room_channel;
pub(super) use platform::RoomPlatform;
