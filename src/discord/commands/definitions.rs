//! The commands Discord shows: `/kith` with its sub-commands, and four entries in the menu of a message. Data only;
//! `request.rs` reads what comes back.

use kith_core::memory_entry::MEMORY_CHARACTERS;
use kith_core::talkativeness::Talkativeness;
use kith_language::{LocalizedMessage, slash_commands};
use serde_json::{Value, json};

use super::command_fields::{
    build_group, build_labels, build_name_fields, build_sub_command, into_fields, option,
};
use super::session_definitions::build_session_group;

pub(super) const KITH: &str = "kith";
pub(super) const WHY: &str = "Why?";
pub(super) const TAKE_BACK: &str = "Take it back";
pub(super) const FORGET_THIS: &str = "Forget this";
/// The menu entry that keeps a picture of a message, or keeps it no more.
pub(super) const KEEP_STICKER: &str = "Keep as sticker";

const MOST_CHOICES: usize = 25;
/// The longest name of a choice, in characters.
const LONGEST_CHOICE: usize = 100;
/// The longest text that is taken for a time or a number.
const LONGEST_TIME: u32 = 32;

mod kind {
    pub const SLASH: u8 = 1;
    pub const MESSAGE_MENU: u8 = 3;
}

/// Where messages can be written, or threads with messages hang: text, voice, announcements, three kinds of threads,
/// stages and forums.
const TEXT_CHANNELS: [u8; 8] = [0, 2, 5, 10, 11, 12, 13, 15];

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommandSettings {
    pub personas: Vec<String>,
    /// The most talkativeness that can be set, 0 … 1.
    pub max_talkativeness: f32,
}

/// Every command, as the bulk overwrite takes them.
pub fn definitions(offered: &CommandSettings) -> Vec<Value> {
    vec![
        build_slash_command(offered),
        build_menu_command(slash_commands::menu_why(), &[0, 1]),
        build_menu_command(slash_commands::menu_take_back(), &[0, 1]),
        build_menu_command(slash_commands::menu_forget_this(), &[0, 1]),
        build_menu_command(slash_commands::menu_keep_sticker(), &[0]),
    ]
}

fn build_slash_command(offered: &CommandSettings) -> Value {
    let mut options = build_setting_commands(offered);
    options.extend(build_persona_command(&offered.personas));
    options.extend(build_channel_commands());
    options.extend(build_privacy_commands());
    let mut command = build_labels(slash_commands::kith(), slash_commands::kith_description());
    command.extend(into_fields(
        json!({ "type": kind::SLASH, "contexts": [0, 1], "integration_types": [0] }),
    ));
    command.insert("options".into(), options.into());
    Value::Object(command)
}

fn build_setting_commands(offered: &CommandSettings) -> Vec<Value> {
    vec![
        build_sub_command(
            slash_commands::status(),
            slash_commands::status_description(),
            vec![],
        ),
        build_sub_command(
            slash_commands::why(),
            slash_commands::why_description(),
            vec![],
        ),
        build_mode_command(slash_commands::on(), slash_commands::on_description()),
        build_mode_command(
            slash_commands::observe(),
            slash_commands::observe_description(),
        ),
        build_mode_command(slash_commands::off(), slash_commands::off_description()),
        build_sub_command(
            slash_commands::talkativeness(),
            slash_commands::talkativeness_description(),
            vec![
                build_level_option(offered.max_talkativeness),
                build_hourly_option(offered.max_talkativeness),
                build_scope_option(),
            ],
        ),
    ]
}

fn build_channel_commands() -> Vec<Value> {
    vec![
        build_sub_command(
            slash_commands::pause(),
            slash_commands::pause_description(),
            vec![build_time_option()],
        ),
        build_sub_command(
            slash_commands::fresh(),
            slash_commands::fresh_description(),
            vec![],
        ),
        build_sub_command(
            slash_commands::sessions(),
            slash_commands::sessions_description(),
            vec![build_close_option()],
        ),
        build_session_group(),
        build_sub_command(
            slash_commands::reset(),
            slash_commands::reset_description(),
            vec![build_scope_option()],
        ),
    ]
}

fn build_privacy_commands() -> Vec<Value> {
    vec![
        build_group(
            slash_commands::forget(),
            slash_commands::forget_description(),
            vec![build_sub_command(
                slash_commands::forget_me(),
                slash_commands::forget_me_description(),
                vec![build_forget_scope_option()],
            )],
        ),
        build_group(
            slash_commands::export(),
            slash_commands::export_description(),
            vec![build_sub_command(
                slash_commands::export_me(),
                slash_commands::export_me_description(),
                vec![],
            )],
        ),
        build_group(
            slash_commands::memory(),
            slash_commands::memory_description(),
            build_memory_commands(),
        ),
        build_sub_command(
            slash_commands::optout(),
            slash_commands::optout_description(),
            vec![build_opt_out_option()],
        ),
    ]
}

/// In servers (0) and direct messages (1), or in one of them.
fn build_menu_command(name: LocalizedMessage, contexts: &[u8]) -> Value {
    let mut command = build_name_fields(name);
    command.extend(into_fields(
        json!({ "type": kind::MESSAGE_MENU, "contexts": contexts, "integration_types": [0] }),
    ));
    Value::Object(command)
}

fn build_memory_commands() -> Vec<Value> {
    let number = || {
        let shown = slash_commands::memory_number_description();
        let mut number = build_labels(slash_commands::memory_number(), shown);
        number.extend(into_fields(
            json!({ "type": option::INTEGER, "required": true, "min_value": 1 }),
        ));
        Value::Object(number)
    };
    let shown = slash_commands::memory_page_description();
    let mut page = build_labels(slash_commands::memory_page(), shown);
    page.extend(into_fields(
        json!({ "type": option::INTEGER, "min_value": 1 }),
    ));
    let shown = slash_commands::memory_text_description();
    let mut text = build_labels(slash_commands::memory_text(), shown);
    text.extend(into_fields(
        json!({ "type": option::STRING, "required": true, "max_length": MEMORY_CHARACTERS }),
    ));
    vec![
        build_sub_command(
            slash_commands::memory_me(),
            slash_commands::memory_me_description(),
            vec![page.into()],
        ),
        build_sub_command(
            slash_commands::memory_delete(),
            slash_commands::memory_delete_description(),
            vec![number()],
        ),
        build_sub_command(
            slash_commands::memory_correct(),
            slash_commands::memory_correct_description(),
            vec![number(), text.into()],
        ),
    ]
}

fn build_mode_command(name: LocalizedMessage, description: LocalizedMessage) -> Value {
    let which = slash_commands::mode_channel_description();
    let mut channel = build_labels(slash_commands::mode_channel(), which);
    channel.extend(into_fields(
        json!({ "type": option::CHANNEL, "channel_types": TEXT_CHANNELS }),
    ));
    build_sub_command(name, description, vec![channel.into()])
}

fn build_level_option(most: f32) -> Value {
    // Through its decimal form: 0.3 as f32 is 0.30000001192092896 as f64.
    let most: f64 = most.to_string().parse().unwrap_or(1.0);
    let shown = slash_commands::level_description();
    let mut level = build_labels(slash_commands::level(), shown);
    level.extend(into_fields(
        json!({ "type": option::NUMBER, "min_value": 0.0, "max_value": most }),
    ));
    level.into()
}

fn build_hourly_option(most: f32) -> Value {
    let shown = slash_commands::hourly_description();
    let mut hourly = build_labels(slash_commands::hourly(), shown);
    let most = Talkativeness::Level(most).hourly_rate().floor();
    hourly.extend(into_fields(
        json!({ "type": option::NUMBER, "min_value": 0.0, "max_value": most }),
    ));
    hourly.into()
}

/// Where there is only one persona there is nothing to choose.
fn build_persona_command(offered: &[String]) -> Option<Value> {
    if offered.len() < 2 {
        return None;
    }
    let mut name = build_labels(
        slash_commands::persona_name(),
        slash_commands::persona_name_description(),
    );
    name.extend(into_fields(
        json!({ "type": option::STRING, "required": true }),
    ));
    if offered.len() <= MOST_CHOICES
        && offered
            .iter()
            .all(|name| name.chars().count() <= LONGEST_CHOICE)
    {
        let choices = offered
            .iter()
            .map(|name| json!({ "name": name, "value": name }))
            .collect();
        name.insert("choices".into(), choices);
    }
    let description = slash_commands::persona_description();
    Some(build_sub_command(
        slash_commands::persona(),
        description,
        vec![name.into(), build_scope_option()],
    ))
}

fn build_time_option() -> Value {
    let mut time = build_labels(slash_commands::time(), slash_commands::time_description());
    time.extend(into_fields(
        json!({ "type": option::STRING, "required": true, "max_length": LONGEST_TIME }),
    ));
    time.into()
}

fn build_close_option() -> Value {
    let mut close = build_labels(slash_commands::close(), slash_commands::close_description());
    close.extend(into_fields(
        json!({ "type": option::STRING, "max_length": LONGEST_TIME }),
    ));
    close.into()
}

fn build_scope_option() -> Value {
    build_choice_option(
        slash_commands::scope(),
        slash_commands::scope_description(),
        vec![
            (slash_commands::scope_channel(), "here"),
            (slash_commands::scope_server(), "all"),
        ],
    )
}

fn build_forget_scope_option() -> Value {
    build_choice_option(
        slash_commands::scope(),
        slash_commands::forget_scope_description(),
        vec![
            (slash_commands::forget_scope_server(), "here"),
            (slash_commands::forget_scope_everywhere(), "all"),
        ],
    )
}

fn build_opt_out_option() -> Value {
    let mut how = build_choice_option(
        slash_commands::how(),
        slash_commands::how_description(),
        vec![
            (slash_commands::how_dont_remember(), "dont_remember"),
            (slash_commands::how_ignore(), "ignore"),
            (slash_commands::how_remember(), "remember"),
        ],
    );
    how["required"] = true.into();
    how
}

fn build_choice_option(
    name: LocalizedMessage,
    description: LocalizedMessage,
    choices: Vec<(LocalizedMessage, &str)>,
) -> Value {
    let choices: Vec<Value> = choices
        .into_iter()
        .map(|(name, value)| {
            let mut choice = build_name_fields(name);
            choice.insert("value".into(), value.into());
            choice.into()
        })
        .collect();
    let mut option = build_labels(name, description);
    option.extend(into_fields(
        json!({ "type": option::STRING, "choices": choices }),
    ));
    option.into()
}
