//! `core_memory_append`, `core_memory_replace`: the companion edits the blocks it always sees.

use kith_language::{tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_core::context::CoreBlock;
use kith_memory::{BlockEdit, BlockEditError};

#[derive(Deserialize, JsonSchema)]
struct Append {
    label: String,
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Replace {
    label: String,
    old: String,
    #[serde(default)]
    new: String,
}

pub(super) fn append_tool() -> Tool {
    Tool::new(
        "core_memory_append",
        ToolKind::Quiet,
        tool_descriptions::core_memory_append(),
        run_append,
    )
    .primary("text")
}

pub(super) fn replace_tool() -> Tool {
    Tool::new(
        "core_memory_replace",
        ToolKind::Quiet,
        tool_descriptions::core_memory_replace(),
        run_replace,
    )
    .primary("new")
}

async fn run_append(params: Append, context: ToolContext) -> ToolResult {
    let ToolContext {
        memory,
        persona,
        now,
        ..
    } = &context;
    to_tool_result(
        &context,
        memory
            .append(context.scope(), persona, &params.label, &params.text, *now)
            .await,
    )
}

async fn run_replace(params: Replace, context: ToolContext) -> ToolResult {
    let ToolContext {
        memory,
        persona,
        now,
        ..
    } = &context;
    let change = BlockEdit {
        old: &params.old,
        new: &params.new,
    };
    to_tool_result(
        &context,
        memory
            .replace(context.scope(), persona, &params.label, change, *now)
            .await,
    )
}

fn to_tool_result(context: &ToolContext, edited: Result<CoreBlock, BlockEditError>) -> ToolResult {
    match edited {
        Ok(CoreBlock {
            label, text, limit, ..
        }) => {
            let holds = text.chars().count();
            ToolResult::ok(tools::block_holds(holds, label, limit).in_language(context.language()))
        }
        Err(error) => context.build_error(error),
    }
}
