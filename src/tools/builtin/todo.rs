//! `todo`: what it means to do step by step, kept with the channel from turn to turn.

use kith_language::tools;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_core::plan::{Plan, TODO};

/// Your list for something that takes several steps, a line each: `[ ]` to do, `[>]` the one you are at, `[x]` done.
/// Give the whole list each time; nothing clears it.
#[derive(Deserialize, JsonSchema)]
#[schemars(extend("description_zh" = "要分几步做的事就列出来，一步一行：`[ ]` 要做，`[>]` 正在做的那一步，`[x]` 做完。每次写全部，留空即清空。"))]
struct Todo {
    list: Option<String>,
}

/// `todo`.
pub(super) fn tool() -> Tool {
    Tool::new(TODO, ToolKind::Tool, run)
        .primary("list")
        .optional()
        .idempotent()
}

async fn run(params: Todo, context: ToolContext) -> ToolResult {
    let plan = match Plan::parse(&params.list.unwrap_or_default()) {
        Ok(plan) => plan,
        Err(problem) => return context.build_error(problem),
    };
    match context
        .store
        .put_todos(context.channel, plan.to_lines(), context.now)
        .await
    {
        Ok(()) => ToolResult::ok(plan.to_string()),
        Err(error) => {
            tracing::warn!(%error, "a list could not be saved for the model");
            context.build_error(tools::list_not_saved(error.to_string()))
        }
    }
}
