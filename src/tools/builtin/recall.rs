//! `recall`: full-text search over what was said in this scope.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::core::call::{CallResult, ToolKind};
use crate::tools::{Tool, ToolContext};

/// Search what was said here before.
#[derive(Deserialize, JsonSchema)]
#[schemars(extend("description_zh" = "搜索这里以前说过的话。"))]
#[expect(dead_code, reason = "the search comes with the store")]
struct Recall {
    /// words
    #[schemars(extend("description_zh" = "关键词"))]
    query: String,
    /// only this person
    #[schemars(extend("description_zh" = "只找这个人"))]
    speaker: Option<String>,
    /// YYYY-MM-DD
    since: Option<String>,
    /// YYYY-MM-DD
    until: Option<String>,
}

/// `recall`.
pub(super) fn tool() -> Tool {
    Tool::new("recall", ToolKind::Tool, run).primary("query")
}

async fn run(_: Recall, _: ToolContext) -> CallResult {
    CallResult::error("nothing can be searched yet")
}
