//! Deeds about members, for where the host switched them on. The turn machine reads the calls and the driver carries them
//! out; here is only what the model is told.

use std::sync::Arc;

use schemars::JsonSchema;

use crate::Tool;
use kith_core::call::{ToolKind, ToolSpec};
use kith_core::moderation::ModerationKind;
use kith_core::persona::Language;

/// Time out who wrote line `line`; a moderator may have to approve.
#[derive(JsonSchema)]
#[schemars(extend("description_zh" = "禁言写第 line 行的人；可能要管理成员批准。"))]
#[expect(dead_code, reason = "read by the derived schema only")]
struct TimeoutMember {
    line: u16,
    minutes: u32,
    reason: String,
}

/// Kick who wrote line `line`; a moderator may have to approve.
#[derive(JsonSchema)]
#[schemars(extend("description_zh" = "踢出写第 line 行的人；可能要管理成员批准。"))]
#[expect(dead_code, reason = "read by the derived schema only")]
struct KickMember {
    line: u16,
    reason: String,
}

/// Ban who wrote line `line`; a moderator may have to approve.
#[derive(JsonSchema)]
#[schemars(extend("description_zh" = "封禁写第 line 行的人；可能要管理成员批准。"))]
#[expect(dead_code, reason = "read by the derived schema only")]
struct BanMember {
    line: u16,
    reason: String,
}

/// Delete somebody's line `line`; a moderator may have to approve.
#[derive(JsonSchema)]
#[schemars(extend("description_zh" = "删除别人的第 line 行；可能要管理成员批准。"))]
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
        ModerationKind::TimeoutMember => Tool::new_core_action::<TimeoutMember>(name, kind),
        ModerationKind::KickMember => Tool::new_core_action::<KickMember>(name, kind),
        ModerationKind::BanMember => Tool::new_core_action::<BanMember>(name, kind),
        ModerationKind::DeleteMessage => Tool::new_core_action::<DeleteMessage>(name, kind),
    }
}
