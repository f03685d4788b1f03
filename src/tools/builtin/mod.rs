//! The tools that ship with Kith: one file each, listed here in the order the prompt shows them.

mod core_memory;
mod get_time;
mod moderation;
mod recall;
mod visible;
mod wait_for;

use super::Tool;

pub use moderation::moderation;

/// All of them but deeds about members, which are nowhere on by themselves.
pub(super) fn all() -> Vec<Tool> {
    vec![
        visible::send_message(),
        visible::react(),
        visible::stay_silent(),
        get_time::tool(),
        recall::tool(),
        core_memory::append(),
        core_memory::replace(),
        wait_for::tool(),
    ]
}
