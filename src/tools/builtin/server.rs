//! `server_info` and `list_emoji`: what everybody in the channel can see of the server.

use kith_language::{tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};

const MOST: usize = 200;

#[derive(Deserialize, JsonSchema)]
struct ServerInfo {}

#[derive(Deserialize, JsonSchema)]
struct ListEmoji {}

pub(super) fn server_info_tool() -> Tool {
    Tool::new(
        "server_info",
        ToolKind::Tool,
        tool_descriptions::server_info(),
        describe_server,
    )
    .optional()
    .read_only()
}

pub(super) fn list_emoji_tool() -> Tool {
    Tool::new(
        "list_emoji",
        ToolKind::Tool,
        tool_descriptions::list_emoji(),
        list_emoji,
    )
    .optional()
    .read_only()
}

async fn describe_server(_: ServerInfo, context: ToolContext) -> ToolResult {
    match context.host.server(context.channel) {
        Some(server) => {
            let channels = format_names(server.channels.iter().map(|name| format!("#{name}")));
            let language = context.language();
            ToolResult::ok(
                tools::server_and_channels(channels, server.name.to_string()).in_language(language),
            )
        }
        None => context.build_error(tools::no_server()),
    }
}

async fn list_emoji(_: ListEmoji, context: ToolContext) -> ToolResult {
    let emoji = context.host.list_emoji(context.channel);
    if emoji.is_empty() {
        return ToolResult::ok(tools::no_own_emoji().in_language(context.language()));
    }
    ToolResult::ok(format_names(emoji.iter().map(|name| format!(":{name}:"))))
}

/// Names on one line, the first of very many.
fn format_names(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(MOST);
    let shown = names.take(MOST).collect::<Vec<_>>().join(" ");
    if more > 0 {
        format!("{shown} (+{more})")
    } else {
        shown
    }
}
