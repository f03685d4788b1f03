//! `compact`: what was said earlier is summed up, so that prompts get short again.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::core::call::{CallResult, ToolKind};
use crate::tools::{Tool, ToolContext};

/// Sum up the older lines here; from the next turn on the summary stands in their place.
#[derive(Deserialize, JsonSchema)]
#[schemars(extend("description_zh" = "把这里较早的聊天压缩成摘要，下次起用摘要代替原文。"))]
struct Compact {}

/// `compact`.
pub(super) fn tool() -> Tool {
    Tool::new("compact", ToolKind::Quiet, run).optional().idempotent()
}

async fn run(_: Compact, context: ToolContext) -> CallResult {
    let aside = context.aside.clone();
    aside.compact(context).await
}
