//! The actions people see. The core's turn machine carries them out itself; here is only what the model is told.

use kith_language::tool_descriptions;
use schemars::JsonSchema;

use crate::Tool;
use kith_core::call::ToolKind;

#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the derived schema only")]
struct SendMessage {
    text: String,
    reply_to: Option<u16>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the derived schema only")]
struct React {
    to: u16,
    emoji: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the derived schema only")]
struct StaySilent {
    reason: Option<String>,
}

pub(super) fn send_message_tool() -> Tool {
    Tool::new_core_action::<SendMessage>(
        "send_message",
        ToolKind::Visible,
        tool_descriptions::send_message(),
    )
    .describe_parameter("reply_to", tool_descriptions::send_message_reply_to())
    .primary("text")
}

pub(super) fn react_tool() -> Tool {
    Tool::new_core_action::<React>("react", ToolKind::Visible, tool_descriptions::react())
        .primary("emoji")
}

/// `stay_silent`: silence is seen too, and like a message it ends the turn and must not come before a result is known.
pub(super) fn stay_silent_tool() -> Tool {
    Tool::new_core_action::<StaySilent>(
        "stay_silent",
        ToolKind::Visible,
        tool_descriptions::stay_silent(),
    )
    .primary("reason")
}
