//! What must be right in `[guild.ID.moderation]` and `[channel.ID.moderation]`: nobody gets a power nobody meant to give,
//! and what waits for a click can be clicked.

use super::Settings;
use super::layers::ProblemList;
use kith_core::moderation::{ModerationKind, ModerationRequesters, ModerationSettings};

pub fn check(settings: &Settings, problems: &mut ProblemList<'_>) {
    for (path, differs) in settings.overrides() {
        let Some(moderation) = &differs.moderation else {
            continue;
        };
        // Of which guild a channel is, the settings do not know.
        let has_log = settings.discord.log.channel.is_some()
            || differs.log_channel.is_some()
            || path.starts_with("channel.");
        let path = format!("{path}.moderation");
        check_override(&path, moderation, has_log, problems);
    }
}

fn check_override(
    path: &str,
    moderation: &ModerationSettings,
    has_log: bool,
    problems: &mut ProblemList<'_>,
) {
    let ModerationSettings {
        actions,
        caused_by,
        without_approval,
        ..
    } = moderation;
    let mut problem = |field: &str, message: String, cure: &str| {
        problems.error(&format!("{path}.{field}"), message, cure);
    };
    if let Some(action) = without_approval.iter().find(|deed| !actions.contains(deed)) {
        let message = format!(
            "`{path}.without_approval` names \"{}\", which is not switched on",
            action.name()
        );
        problem(
            "without_approval",
            message,
            "name it in `actions`, too, or take it out here",
        );
    }
    if *caused_by == ModerationRequesters::Anyone && !without_approval.is_empty() {
        let message = format!("`{path}` would let anybody have others punished by asking for it");
        let cure = "write caused_by = \"moderators\" (or \"host\"), or without_approval = []";
        problem("without_approval", message, cure);
    }
    let asks = |action: &ModerationKind| moderation.is_approval_needed(*action);
    if actions.iter().any(asks) && !has_log {
        let message = format!(
            "`{path}.actions` wait for a moderator's click, and there is no log channel to ask in"
        );
        problem(
            "actions",
            message,
            "set log_channel in the guild's table, or channel in [discord.log]",
        );
    }
}
