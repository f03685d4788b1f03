//! Deeds about members, for where the host switched them on. The turn machine reads the calls and the driver carries them
//! out; here is only what the model is told.

use kith_language::tool_descriptions;
use std::sync::Arc;

use schemars::JsonSchema;

use crate::Tool;
use kith_core::call::{ToolKind, ToolSpec};
use kith_core::moderation::ModerationKind;
use kith_core::persona::Language;

#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the derived schema only")]
struct TimeoutMember {
    line: u16,
    minutes: u32,
    reason: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the derived schema only")]
struct KickMember {
    line: u16,
    reason: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the derived schema only")]
struct BanMember {
    line: u16,
    reason: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the derived schema only")]
struct DeleteMessage {
    line: u16,
    reason: String,
}

/// What the prompt and the core are told of these deeds, in the order of [`ModerationKind::ALL`].
pub fn build_moderation_specs(actions: &[ModerationKind], language: Language) -> Arc<[ToolSpec]> {
    let wanted = ModerationKind::ALL
        .into_iter()
        .filter(|action| actions.contains(action));
    wanted
        .map(|action| build_tool(action).primary("reason").spec(language))
        .collect()
}

fn build_tool(action: ModerationKind) -> Tool {
    let (name, kind) = (action.name(), ToolKind::Visible);
    match action {
        ModerationKind::TimeoutMember => {
            Tool::new_core_action::<TimeoutMember>(name, kind, tool_descriptions::timeout_member())
        }
        ModerationKind::KickMember => {
            Tool::new_core_action::<KickMember>(name, kind, tool_descriptions::kick_member())
        }
        ModerationKind::BanMember => {
            Tool::new_core_action::<BanMember>(name, kind, tool_descriptions::ban_member())
        }
        ModerationKind::DeleteMessage => {
            Tool::new_core_action::<DeleteMessage>(name, kind, tool_descriptions::delete_message())
        }
    }
}
