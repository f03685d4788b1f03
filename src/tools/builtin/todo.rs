//! `todo`: what it means to do step by step, kept with the channel from turn to turn.

use kith_language::{tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_core::plan::{Plan, TODO};

#[derive(Deserialize, JsonSchema)]
struct Todo {
    list: Option<String>,
}

pub(super) fn tool() -> Tool {
    Tool::new(TODO, ToolKind::Tool, tool_descriptions::todo(), run)
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
