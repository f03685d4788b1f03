//! The actions people see. The core's turn machine carries them out itself; here is only what the model is told.

use schemars::JsonSchema;

use crate::Tool;
use kith_core::call::ToolKind;

/// Post a message.
#[derive(JsonSchema)]
#[schemars(extend("description_zh" = "发一条消息。"))]
#[expect(dead_code, reason = "read by the derived schema only")]
struct SendMessage {
    text: String,
    /// number of the line you answer
    #[schemars(extend("description_zh" = "要回复的行号"))]
    reply_to: Option<u16>,
}

/// Put an emoji on line `to`.
#[derive(JsonSchema)]
#[schemars(extend("description_zh" = "给第 to 行贴表情。"))]
#[expect(dead_code, reason = "read by the derived schema only")]
struct React {
    to: u16,
    emoji: String,
}

/// Say nothing this time.
#[derive(JsonSchema)]
#[schemars(extend("description_zh" = "这次不说话。"))]
#[expect(dead_code, reason = "read by the derived schema only")]
struct StaySilent {
    reason: Option<String>,
}

/// `send_message`.
pub(super) fn send_message_tool() -> Tool {
    Tool::new_core_action::<SendMessage>("send_message", ToolKind::Visible).primary("text")
}

/// `react`.
pub(super) fn react_tool() -> Tool {
    Tool::new_core_action::<React>("react", ToolKind::Visible).primary("emoji")
}

/// `stay_silent`: silence is seen too, and like a message it ends the turn and must not come before a result is known.
pub(super) fn stay_silent_tool() -> Tool {
    Tool::new_core_action::<StaySilent>("stay_silent", ToolKind::Visible).primary("reason")
}
