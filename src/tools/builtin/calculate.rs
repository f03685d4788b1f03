//! `calculate`: arithmetic, percentages and units, for models that would guess. Whatever a model writes, it is answered at
//! once: there is nothing in the language that could take long, grow, or go deep.

mod expression;
mod number;
mod quantity;
mod units;

use kith_language::{calculate, tool_descriptions};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};

/// The longest expression, in bytes.
const LONGEST_EXPRESSION: usize = 500;

#[derive(Deserialize, JsonSchema)]
struct Calculate {
    expression: String,
}

/// `calculate`.
pub(super) fn tool() -> Tool {
    Tool::new(
        "calculate",
        ToolKind::Tool,
        tool_descriptions::calculate(),
        run,
    )
    .primary("expression")
    .optional()
    .read_only()
}

async fn run(params: Calculate, context: ToolContext) -> ToolResult {
    if params.expression.len() > LONGEST_EXPRESSION {
        return context.build_error(calculate::expression_too_long(LONGEST_EXPRESSION));
    }
    expression::evaluate(&params.expression)
        .map_or_else(|why| context.build_error(why), ToolResult::ok)
}
