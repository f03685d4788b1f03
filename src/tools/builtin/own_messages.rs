//! `edit_message` and `delete_own_message`: the companion mends or takes back a line of its own. Done twice is done once,
//! and the change comes back as an event as everybody's does.

use kith_language::{LocalizedMessage, tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_core::message_split::MESSAGE_CHARACTERS;

#[derive(Deserialize, JsonSchema)]
struct EditMessage {
    text: String,
    line: Option<u16>,
}

#[derive(Deserialize, JsonSchema)]
struct DeleteOwnMessage {
    line: Option<u16>,
}

pub(super) fn edit_message_tool() -> Tool {
    Tool::new(
        "edit_message",
        ToolKind::Visible,
        tool_descriptions::edit_message(),
        edit_message,
    )
    .primary("text")
    .spoken_parameters(&["text"])
    .optional()
    .idempotent()
    .with_settler(resolve_own_line)
}

pub(super) fn delete_own_message_tool() -> Tool {
    Tool::new(
        "delete_own_message",
        ToolKind::Visible,
        tool_descriptions::delete_own_message(),
        delete_own_message,
    )
    .optional()
    .idempotent()
    .with_settler(resolve_own_line)
}

/// The line that is meant, by its number: the newest is another one by and by.
fn resolve_own_line(
    params: &mut Map<String, Value>,
    context: &ToolContext,
) -> Result<(), LocalizedMessage> {
    let given_line = params.get("line").filter(|value| !value.is_null());
    let number = |value: &Value| value.as_u64().and_then(|number| u16::try_from(number).ok());
    let named = given_line
        .map(|value| number(value).ok_or_else(|| tools::no_such_line(value.to_string())))
        .transpose()?;
    let line = context.lines.find_own_line(named)?;
    params.insert("line".into(), line.number.into());
    Ok(())
}

async fn edit_message(params: EditMessage, context: ToolContext) -> ToolResult {
    let text = params.text.trim();
    if text.is_empty() || text.chars().count() > MESSAGE_CHARACTERS {
        return context.build_error(tools::text_limits(MESSAGE_CHARACTERS));
    }
    match context.lines.find_own_line(params.line) {
        Ok(line) => to_tool_result(
            context
                .host
                .edit_message(context.channel, line.message, text)
                .await,
            &context,
        ),
        Err(why) => context.build_error(why),
    }
}

async fn delete_own_message(params: DeleteOwnMessage, context: ToolContext) -> ToolResult {
    match context.lines.find_own_line(params.line) {
        Ok(line) => to_tool_result(
            context
                .host
                .delete_message(context.channel, line.message)
                .await,
            &context,
        ),
        Err(why) => context.build_error(why),
    }
}

pub(super) fn to_tool_result(
    done: Result<(), LocalizedMessage>,
    context: &ToolContext,
) -> ToolResult {
    context.build_outcome(done.map(|()| tools::done()))
}

pub(super) fn too_long_error(parameter: &str, most: usize) -> LocalizedMessage {
    tools::parameter_too_long(most, parameter)
}
