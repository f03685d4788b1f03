//! `task`: something that takes many steps is worked on in a context of its own, and only what came of it comes back.

use kith_language::{tool_descriptions, tools};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{TASK, Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};

const LONGEST: Duration = Duration::from_secs(600);
const CHARACTERS: usize = 6_000;

#[derive(Deserialize, JsonSchema)]
struct Task {
    task: String,
}

pub(super) fn tool() -> Tool {
    // Who speaks to the companion is not kept waiting for minutes: cut, it is asked for again if it is still wanted.
    let tool = Tool::new(TASK, ToolKind::Tool, tool_descriptions::task(), run)
        .primary("task")
        .optional()
        .idempotent();
    tool.time_out(LONGEST).result_characters(CHARACTERS)
}

async fn run(params: Task, context: ToolContext) -> ToolResult {
    if params.task.trim().is_empty() {
        return context.build_error(tools::task_empty());
    }
    let side_work = context.side_work.clone();
    side_work.work_on_task(params.task, context).await
}
