//! `calculate`: arithmetic, percentages and units, for models that would guess. Whatever a model writes, it is answered at
//! once: there is nothing in the language that could take long, grow, or go deep.

mod expression;
mod number;
mod quantity;
mod units;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::core::call::{CallResult, ToolKind};
use crate::tools::{Tool, ToolContext};

/// The longest expression, in bytes.
const LONGEST_EXPRESSION: usize = 500;

/// Calculate: `15% of 80`, `5 ft to cm`, `sqrt(2)`.
#[derive(Deserialize, JsonSchema)]
#[schemars(extend("description_zh" = "算数和单位换算：`15% of 80`、`5 ft to cm`、`sqrt(2)`。"))]
struct Calculate {
    expression: String,
}

/// `calculate`.
pub(super) fn tool() -> Tool {
    Tool::new("calculate", ToolKind::Tool, run).primary("expression").optional().read_only()
}

async fn run(params: Calculate, _: ToolContext) -> CallResult {
    if params.expression.len() > LONGEST_EXPRESSION {
        return CallResult::error(format!("the expression is longer than {LONGEST_EXPRESSION} bytes; split it up"));
    }
    expression::evaluate(&params.expression).map_or_else(CallResult::error, CallResult::ok)
}
