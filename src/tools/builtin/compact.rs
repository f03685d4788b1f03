//! `compact`: most of what the prompt shows of the history is summed up, and left out from then on. By itself that happens
//! only to what no longer fits.

use kith_language::{tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{HostCommand, Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};

#[derive(Deserialize, JsonSchema)]
struct Compact {}

pub(super) fn tool() -> Tool {
    Tool::new(
        "compact",
        ToolKind::Quiet,
        tool_descriptions::compact(),
        run,
    )
    .optional()
}

async fn run(_: Compact, context: ToolContext) -> ToolResult {
    let begun = context.run_command(HostCommand::Compact).await;
    context.build_outcome(begun.map(|()| tools::being_summed_up()))
}
