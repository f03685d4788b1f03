//! `create_thread`: a thread for what would drown the channel.

use kith_language::{tool_descriptions, tools};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::own_messages::{to_tool_result, too_long_error};
use crate::{ThreadRequest, Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_core::message_split::MESSAGE_CHARACTERS;

/// The longest name, in characters.
const LONGEST_NAME: usize = 100;
const TIME_OUT: Duration = Duration::from_secs(30);

#[derive(Deserialize, JsonSchema)]
struct CreateThread {
    name: String,
    text: Option<String>,
    line: Option<u16>,
}

pub(super) fn tool() -> Tool {
    Tool::new(
        "create_thread",
        ToolKind::Visible,
        tool_descriptions::create_thread(),
        run,
    )
    .primary("name")
    .spoken_parameters(&["name", "text"])
    .optional()
    .time_out(TIME_OUT)
}

async fn run(params: CreateThread, context: ToolContext) -> ToolResult {
    let name = params.name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        return context.build_error(tools::name_limits(LONGEST_NAME));
    }
    let text = params.text.unwrap_or_default().trim().to_owned();
    if text.chars().count() > MESSAGE_CHARACTERS {
        return context.build_error(too_long_error("text", MESSAGE_CHARACTERS));
    }
    let start_message = match params.line.map(|line| context.lines.get(line)).transpose() {
        Ok(line) => line.map(|line| line.message),
        Err(why) => return context.build_error(why),
    };
    to_tool_result(
        context
            .host
            .open_thread(
                context.channel,
                ThreadRequest {
                    name,
                    on: start_message,
                    text,
                },
            )
            .await,
        &context,
    )
}
