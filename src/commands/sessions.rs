//! `/kith sessions`: which sessions are open in a guild, as the tree they form, and the end of one. Channels are named by
//! their mention, which Discord shows only to those who see them.

use kith_language::commands;
use std::collections::BTreeSet;
use std::fmt::Write;

use super::DaemonChange;
use super::rights::{CommandContext, CommandOutcome, answer_with_text};
use kith_core::chat::SessionId;
use kith_core::session::Session;

/// The most sessions listed.
const LISTED: usize = 40;

pub(super) async fn list_sessions(context: &CommandContext<'_>) -> CommandOutcome {
    let sessions = &context.facts.sessions;
    if sessions.is_empty() {
        return answer_with_text(context.say(commands::no_sessions()), Vec::new());
    }
    let known: BTreeSet<SessionId> = sessions.iter().map(|(session, _)| session.id).collect();
    let mut lines = Vec::new();
    for (session, _) in sessions
        .iter()
        .filter(|(session, _)| session.parent.is_none_or(|up| !known.contains(&up)))
    {
        render_branch(context, session.id, 0, &mut lines);
    }
    let more = lines.len().saturating_sub(LISTED);
    lines.truncate(LISTED);
    if more > 0 {
        lines.push(context.say(commands::more_sessions(more)));
    }
    lines.push(context.say(commands::close_session_hint()));
    answer_with_text(lines.join("\n"), Vec::new())
}

/// A session and those that were opened from it.
fn render_branch(
    context: &CommandContext<'_>,
    id: SessionId,
    depth: usize,
    lines: &mut Vec<String>,
) {
    let sessions = &context.facts.sessions;
    let Some((session, awake)) = sessions.iter().find(|(session, _)| session.id == id) else {
        return;
    };
    // A tree has no more levels than sessions.
    if depth > sessions.len() {
        return;
    }
    lines.push(render_line(context, session, *awake, depth));
    for (below, _) in sessions
        .iter()
        .filter(|(below, _)| below.parent == Some(id))
    {
        render_branch(context, below.id, depth + 1, lines);
    }
}

fn render_line(
    context: &CommandContext<'_>,
    session: &Session,
    awake: bool,
    depth: usize,
) -> String {
    let mut line = format!("{}`{}` ", "\u{2003}".repeat(depth), session.id);
    match session.channel {
        Some(channel) => _ = write!(line, "<#{channel}>"),
        None => line.push_str(&context.say(commands::session_opening())),
    }
    if let Some(profile) = &session.config.profile {
        _ = write!(line, " · {profile}");
    }
    if !awake {
        line.push_str(&context.say(commands::session_at_rest()));
    }
    line
}

pub(super) async fn close_session(context: &CommandContext<'_>, id: SessionId) -> CommandOutcome {
    if !context
        .facts
        .sessions
        .iter()
        .any(|(session, _)| session.id == id)
    {
        return context.refuse(commands::unknown_session(id.to_string()));
    }
    let said = context.say(commands::session_closed(id.to_string()));
    answer_with_text(said, vec![DaemonChange::CloseSession(id)])
}
