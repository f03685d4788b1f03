//! `/kith session`: what people do with sessions, as Discord is told of it.

use kith_core::session::LABEL_CHARACTERS;
use kith_language::{LocalizedMessage, slash_commands};
use serde_json::{Value, json};

use super::command_fields::{build_group, build_labels, build_sub_command, into_fields, option};

/// The longest text that is taken for what a session is for, and for what came of it.
const LONGEST_NOTE: u32 = 1_500;

pub(super) fn build_session_group() -> Value {
    let label = |required| {
        let (name, shown) = (
            slash_commands::session_name(),
            slash_commands::session_name_description(),
        );
        build_text(name, shown, required, LABEL_CHARACTERS as u32)
    };
    let about = |required| {
        let (name, shown) = (
            slash_commands::session_about(),
            slash_commands::session_about_description(),
        );
        build_text(name, shown, required, LONGEST_NOTE)
    };
    let profile = build_text(
        slash_commands::session_profile(),
        slash_commands::session_profile_description(),
        false,
        LABEL_CHARACTERS as u32,
    );
    let outcome = build_text(
        slash_commands::session_outcome(),
        slash_commands::session_outcome_description(),
        false,
        LONGEST_NOTE,
    );
    let subs = vec![
        build_sub_command(
            slash_commands::session_open(),
            slash_commands::session_open_description(),
            vec![label(true), about(false), profile],
        ),
        build_sub_command(
            slash_commands::session_rename(),
            slash_commands::session_rename_description(),
            vec![build_number(), label(true)],
        ),
        build_sub_command(
            slash_commands::session_prompt(),
            slash_commands::session_prompt_description(),
            vec![build_number(), about(false)],
        ),
        build_sub_command(
            slash_commands::session_close(),
            slash_commands::session_close_description(),
            vec![build_number(), outcome],
        ),
    ];
    build_group(
        slash_commands::session(),
        slash_commands::session_description(),
        subs,
    )
}

fn build_text(
    name: LocalizedMessage,
    description: LocalizedMessage,
    required: bool,
    longest: u32,
) -> Value {
    let mut text = build_labels(name, description);
    text.extend(into_fields(
        json!({ "type": option::STRING, "required": required, "max_length": longest }),
    ));
    text.into()
}

fn build_number() -> Value {
    let shown = slash_commands::session_number_description();
    let mut number = build_labels(slash_commands::session_number(), shown);
    number.extend(into_fields(
        json!({ "type": option::INTEGER, "required": true, "min_value": 1 }),
    ));
    number.into()
}
