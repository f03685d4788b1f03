//! The tools that ship with Kith: one file each, listed here in the order the prompt shows them.

mod calculate;
mod chance;
mod channel_history;
mod compact;
mod core_memory;
mod create_session;
mod edit;
mod find_tools;
mod get_time;
mod member_info;
mod moderation;
mod poll;
mod recall;
mod remind;
mod server;
mod skills;
mod status;
mod stickers;
mod task;
mod threads;
mod todo;
mod visible;
mod wait_for;

use super::Tool;
use super::web::{fetch, search};

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
        channel_history::tool(),
        server::info(),
        server::emoji(),
        todo::tool(),
        task::tool(),
        member_info::tool(),
        edit::edit(),
        edit::take_back(),
        threads::tool(),
        poll::tool(),
        stickers::tool(),
        status::tool(),
        remind::tool(),
        compact::tool(),
        calculate::tool(),
        chance::roll(),
        chance::choice(),
        fetch::tool(),
        search::tool(),
        create_session::tool(),
        find_tools::tool(),
        skills::activate(),
        skills::resource(),
    ]
}
