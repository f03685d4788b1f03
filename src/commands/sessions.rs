//! `/kith sessions` and `/kith session`: which sessions are open in a guild, as the tree they form; opening, rewording and
//! ending one. Channels are named by their mention, which Discord shows only to those who see them.

use kith_language::commands;
use std::collections::BTreeSet;
use std::fmt::Write;

use super::DaemonChange;
use super::rights::{CommandContext, CommandOutcome, CommandRefusal, answer_with_text};
use kith_core::chat::SessionId;
use kith_core::session::{
    LABEL_CHARACTERS, Session, SessionRequest, SessionRewording, parse_label,
};

const LISTED: usize = 40;
/// The longest note on a session, and the longest outcome: what is said of it has to fit into a message.
const MOST_NOTE: usize = 1_500;

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

/// What came of opening it says who opened it: the daemon.
pub(super) async fn open_session(
    context: &CommandContext<'_>,
    request: Box<SessionRequest>,
) -> CommandOutcome {
    let Some(label) = parse_label(&request.label) else {
        return context.refuse(commands::session_label_limits(LABEL_CHARACTERS));
    };
    let note = request.system_prompt.as_deref().unwrap_or_default();
    check_note(context, note)?;
    let request = SessionRequest {
        label,
        is_by_person: true,
        ..*request
    };
    let change = DaemonChange::OpenSession(context.facts.channel.id, Box::new(request));
    answer_with_text("", vec![change])
}

pub(super) async fn reword_session(
    context: &CommandContext<'_>,
    id: SessionId,
    rewording: SessionRewording,
) -> CommandOutcome {
    check_session(context, id)?;
    let label = match rewording.label.as_deref().map(parse_label) {
        Some(None) => return context.refuse(commands::session_label_limits(LABEL_CHARACTERS)),
        label => label.flatten(),
    };
    let note = rewording.note.as_deref().unwrap_or_default();
    check_note(context, note)?;
    let said = match &label {
        Some(label) => commands::session_renamed(id.to_string(), label),
        None if note.trim().is_empty() => commands::session_without_note(id.to_string()),
        None => commands::session_prompted(id.to_string()),
    };
    let change = DaemonChange::RewordSession(id, SessionRewording { label, ..rewording });
    answer_with_text(context.say(said), vec![change])
}

pub(super) async fn close_session(
    context: &CommandContext<'_>,
    id: SessionId,
    outcome: Option<String>,
) -> CommandOutcome {
    check_session(context, id)?;
    let outcome = outcome.filter(|text| !text.trim().is_empty());
    check_note(context, outcome.as_deref().unwrap_or_default())?;
    let said = context.say(commands::session_closed(id.to_string()));
    answer_with_text(said, vec![DaemonChange::CloseSession(id, outcome)])
}

/// Only the sessions of the server are changed from it.
fn check_session(context: &CommandContext<'_>, id: SessionId) -> Result<(), CommandRefusal> {
    let mut sessions = context.facts.sessions.iter();
    match sessions.any(|(session, _)| session.id == id) {
        true => Ok(()),
        false => context.refuse(commands::unknown_session(id.to_string())),
    }
}

fn check_note(context: &CommandContext<'_>, note: &str) -> Result<(), CommandRefusal> {
    match note.chars().count() > MOST_NOTE {
        true => context.refuse(commands::session_note_limits(MOST_NOTE)),
        false => Ok(()),
    }
}
