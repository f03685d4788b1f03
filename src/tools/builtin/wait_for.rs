//! `wait_for`: the companion means to come back to something. The turn machine notes it; here is only what the model is
//! told.

use kith_language::tool_descriptions;
use schemars::JsonSchema;

use crate::Tool;
use kith_core::call::ToolKind;

#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the derived schema only")]
struct WaitFor {
    note: String,
    person: Option<String>,
    word: Option<String>,
    minutes: Option<String>,
    time: Option<String>,
    hours: Option<String>,
}

pub(super) fn tool() -> Tool {
    Tool::new_core_action::<WaitFor>("wait_for", ToolKind::Quiet, tool_descriptions::wait_for())
        .primary("note")
}
