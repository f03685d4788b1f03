//! `create_session`: opens a place of its own for a topic, with settings of its own.

use kith_language::{tool_descriptions, tools};
use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::own_messages::too_long_error;
use crate::{CREATE_SESSION, Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_core::message_split::MESSAGE_CHARACTERS;
use kith_core::session::{LABEL_CHARACTERS, NOTE_CHARACTERS, SessionRequest, parse_label};

const TIME_OUT: Duration = Duration::from_secs(60);

#[derive(Deserialize, JsonSchema)]
struct CreateSession {
    label: String,
    system_prompt: Option<String>,
    prompt: Option<String>,
    context: Option<Context>,
    profile: Option<String>,
    vars: Option<BTreeMap<String, Value>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Context {
    None,
    Inherit,
}

pub(super) fn tool() -> Tool {
    Tool::new(
        CREATE_SESSION,
        ToolKind::Visible,
        tool_descriptions::create_session(),
        run,
    )
    .primary("label")
    .spoken_parameters(&["label", "prompt"])
    .optional()
    .time_out(TIME_OUT)
}

async fn run(params: CreateSession, context: ToolContext) -> ToolResult {
    let Some(label) = parse_label(&params.label) else {
        return context.build_error(tools::label_limits(LABEL_CHARACTERS));
    };
    let texts = [
        ("prompt", &params.prompt, MESSAGE_CHARACTERS),
        ("system_prompt", &params.system_prompt, NOTE_CHARACTERS),
    ];
    for (name, text, most) in texts {
        if text
            .as_ref()
            .is_some_and(|text| text.trim().chars().count() > most)
        {
            return context.build_error(too_long_error(name, most));
        }
    }
    let clean_text = |text: Option<String>| {
        text.map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
    };
    let plain = |value: Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let request = SessionRequest {
        label,
        is_by_person: false,
        system_prompt: clean_text(params.system_prompt),
        opening: clean_text(params.prompt),
        inherits: params.context == Some(Context::Inherit),
        profile: clean_text(params.profile),
        vars: params
            .vars
            .unwrap_or_default()
            .into_iter()
            .map(|(name, value)| (name, plain(value)))
            .collect(),
    };
    match context.sessions.open(request).await {
        Ok(opened) => ToolResult {
            details: Some(
                json!({ "session": opened.id, "label": opened.label, "channel": opened.channel }),
            ),
            ..ToolResult::ok(format!("session {}: #{}", opened.id, opened.label))
        },
        Err(why) => context.build_error(why),
    }
}
