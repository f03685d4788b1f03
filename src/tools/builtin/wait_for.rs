//! `wait_for`: the companion means to come back to something. The turn machine notes it; here is only what the model is
//! told.

use schemars::JsonSchema;

use crate::Tool;
use kith_core::call::ToolKind;

/// Wake once, later, with this note: `person` writes, `word` is said, `minutes` of silence, or `time` (HH:MM); drop it
/// after `hours`.
#[derive(JsonSchema)]
#[schemars(extend("description_zh" = "带着这句备注以后醒一次：person 说话、提到 word、安静 minutes 分钟或到 time（HH:MM），hours 小时后作罢。"))]
#[expect(dead_code, reason = "read by the derived schema only")]
struct WaitFor {
    note: String,
    person: Option<String>,
    word: Option<String>,
    minutes: Option<u32>,
    time: Option<String>,
    hours: Option<u32>,
}

/// `wait_for`.
pub(super) fn tool() -> Tool {
    Tool::new_core_action::<WaitFor>("wait_for", ToolKind::Quiet).primary("note")
}
