//! `compact`: most of what the prompt shows of the history is summed up, and left out from then on. By itself that happens
//! only to what no longer fits.

use kith_language::tools;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{HostCommand, Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};

/// Sum up older lines of this chat now: from then on you see the summary in their place.
#[derive(Deserialize, JsonSchema)]
#[schemars(extend("description_zh" = "现在就把这里较早的聊天概括起来：之后你看到的是概括，不再是原话。"))]
struct Compact {}

/// `compact`.
pub(super) fn tool() -> Tool {
    Tool::new("compact", ToolKind::Quiet, run).optional()
}

async fn run(_: Compact, context: ToolContext) -> ToolResult {
    match context
        .host
        .run_command(
            context.channel,
            context.authorization(),
            HostCommand::Compact,
        )
        .await
    {
        Ok(()) => ToolResult::ok(tools::being_summed_up().in_language(context.language())),
        Err(why) => context.build_error(why),
    }
}
