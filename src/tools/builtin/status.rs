//! `set_status`: a few words beside the companion's name. Everybody sees them everywhere, so they are set only where
//! everybody in the server may read along.

use kith_language::tool_descriptions;
use schemars::JsonSchema;
use serde::Deserialize;

use super::own_messages::{to_tool_result, too_long_error};
use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};

/// The longest status, in characters.
const LONGEST: usize = 128;

#[derive(Deserialize, JsonSchema)]
struct SetStatus {
    text: String,
}

pub(super) fn tool() -> Tool {
    Tool::new(
        "set_status",
        ToolKind::Quiet,
        tool_descriptions::set_status(),
        run,
    )
    .primary("text")
    .spoken_parameters(&["text"])
    .optional()
    .idempotent()
}

async fn run(params: SetStatus, context: ToolContext) -> ToolResult {
    let text = params.text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > LONGEST {
        return context.build_error(too_long_error("text", LONGEST));
    }
    to_tool_result(
        context.host.set_status(context.channel, &text).await,
        &context,
    )
}
