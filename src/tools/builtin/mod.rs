//! The tools that ship with Kith: one file each, listed here in the order the prompt shows them.

mod calculate;
mod chance;
mod channel_history;
mod compact;
mod core_memory;
mod create_session;
mod files;
mod find_tools;
mod get_time;
mod member_info;
mod moderation;
mod own_messages;
mod poll;
mod recall;
mod remember;
mod remind;
mod server;
mod skill_scripts;
mod skills;
mod status;
mod stickers;
mod task;
mod threads;
mod todo;
mod visible_actions;
mod wait_for;

use super::Tool;
use super::web::{fetch, search};

pub use calculate::{CALCULATOR_FLAG, calculate_expression, run_calculator};
pub use moderation::build_moderation_specs;

/// All of them but deeds about members, which are nowhere on by themselves.
pub(super) fn build_all_tools() -> Vec<Tool> {
    vec![
        visible_actions::send_message_tool(),
        visible_actions::react_tool(),
        visible_actions::stay_silent_tool(),
        get_time::tool(),
        recall::tool(),
        core_memory::append_tool(),
        core_memory::replace_tool(),
        remember::update_person_tool(),
        remember::remember_tool(),
        wait_for::tool(),
        channel_history::tool(),
        server::server_info_tool(),
        server::list_emoji_tool(),
        todo::tool(),
        task::tool(),
        member_info::tool(),
        own_messages::edit_message_tool(),
        own_messages::delete_own_message_tool(),
        threads::tool(),
        poll::tool(),
        stickers::tool(),
        status::tool(),
        remind::tool(),
        compact::tool(),
        files::list_tool(),
        files::read_tool(),
        files::write_tool(),
        files::delete_tool(),
        calculate::tool(),
        chance::roll_dice_tool(),
        chance::random_choice_tool(),
        fetch::tool(),
        search::tool(),
        create_session::tool(),
        find_tools::tool(),
        skills::activate_skill_tool(),
        skills::read_skill_resource_tool(),
        skill_scripts::tool(),
    ]
}
