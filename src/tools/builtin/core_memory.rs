//! `core_memory_append`, `core_memory_replace`: the companion edits the blocks it always sees.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::core::call::{CallResult, ToolKind};
use crate::tools::{Tool, ToolContext};

/// Add to a block of your core memory.
#[derive(Deserialize, JsonSchema)]
#[schemars(extend("description_zh" = "往核心记忆的一块里添加内容。"))]
#[expect(dead_code, reason = "the blocks come with the store")]
struct Append {
    label: String,
    text: String,
}

/// Change words in a block; empty `new` deletes them.
#[derive(Deserialize, JsonSchema)]
#[schemars(extend("description_zh" = "改核心记忆里的文字；new 留空即删除。"))]
#[expect(dead_code, reason = "the blocks come with the store")]
struct Replace {
    label: String,
    old: String,
    #[serde(default)]
    new: String,
}

/// `core_memory_append`.
pub(super) fn append() -> Tool {
    Tool::new("core_memory_append", ToolKind::Quiet, run_append).primary("text")
}

/// `core_memory_replace`.
pub(super) fn replace() -> Tool {
    Tool::new("core_memory_replace", ToolKind::Quiet, run_replace).primary("new")
}

async fn run_append(_: Append, _: ToolContext) -> CallResult {
    CallResult::error("core memory cannot be edited yet")
}

async fn run_replace(_: Replace, _: ToolContext) -> CallResult {
    CallResult::error("core memory cannot be edited yet")
}
