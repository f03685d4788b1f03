//! `task`: something that takes many steps is worked on in a context of its own, and only what came of it comes back.

use kith_language::tools;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{TASK, Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};

/// How long one may take.
const LONGEST: Duration = Duration::from_secs(600);
/// The most characters of what came of it.
const CHARACTERS: usize = 6_000;

/// Have something looked into that takes many steps. Who does it has your tools and sees nothing of this chat: say all
/// that has to be known and what you want back.
#[derive(Deserialize, JsonSchema)]
#[schemars(extend("description_zh" = "把要查很多步的事交出去做。做的人有你的工具，但看不到这里的聊天：要知道什么、要带回什么，都写清楚。"))]
struct Task {
    task: String,
}

/// `task`.
pub(super) fn tool() -> Tool {
    // Who speaks to the companion is not kept waiting for minutes: cut, it is asked for again if it is still wanted.
    let tool = Tool::new(TASK, ToolKind::Tool, run)
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
