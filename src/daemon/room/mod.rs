//! The local room: its people and channels, what its page asks for, and what the daemon does there.

mod approvals;
mod card_import;
mod changes;
mod decision_summaries;
mod ids;
mod input;
mod member_changes;
mod members;
mod memories;
mod platform;
mod reading;
mod requests;
mod room_loop;
mod session_requests;
mod tool_commands;
mod tool_host;

pub(super) use input::RoomListener;
pub(super) use members::to_room_channel;
pub(super) use platform::RoomPlatform;
