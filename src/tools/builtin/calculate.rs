//! `calculate`: arithmetic, percentages and units, for models that would guess.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fend_core::{Context, Interrupt, evaluate_with_interrupt};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::core::call::{CallResult, ToolKind};
use crate::tools::{Tool, ToolContext};

/// How long a calculation may take: `9^9^9` ends nowhere.
const LONGEST: Duration = Duration::from_millis(500);
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

/// Set once nobody waits for the result any more.
struct GivenUp(Arc<AtomicBool>);

impl Interrupt for GivenUp {
    fn should_interrupt(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

async fn run(params: Calculate, _: ToolContext) -> CallResult {
    if params.expression.len() > LONGEST_EXPRESSION {
        return CallResult::error(format!("the expression is longer than {LONGEST_EXPRESSION} bytes; split it up"));
    }
    let given_up = Arc::new(AtomicBool::new(false));
    let until = GivenUp(given_up.clone());
    let calculated = tokio::task::spawn_blocking(move || {
        evaluate_with_interrupt(&params.expression, &mut Context::new(), &until)
            .map(|result| result.get_main_result().to_owned())
    });
    match tokio::time::timeout(LONGEST, calculated).await {
        Ok(Ok(Ok(result))) if result.is_empty() => CallResult::error("nothing to calculate"),
        Ok(Ok(Ok(result))) => CallResult::ok(result),
        Ok(Ok(Err(problem))) => CallResult::error(problem),
        Ok(Err(_)) => CallResult::error("that cannot be calculated"),
        Err(_) => {
            given_up.store(true, Ordering::Relaxed);
            CallResult::error("that takes too long to calculate")
        }
    }
}
