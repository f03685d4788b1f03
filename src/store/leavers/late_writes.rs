//! What the companion still says, notes and is about to say of somebody who is being forgotten, or was a moment ago: a
//! turn may know them from a prompt that was put together before. It is cleaned before it is written.

use std::borrow::Cow;

use super::leaving_people::ForgottenIdentity;
use super::leaving_people::PendingErasure;
use crate::db::Database;
use crate::sql::SqlResult;
use kith_core::chat::{ChannelId, Millis};
use kith_system::clock;

/// A line the companion said `at` some time, without those who leave; none if it tells of none of them.
pub fn redact_line(
    db: &Database,
    channel: ChannelId,
    at: Millis,
    text: &str,
) -> SqlResult<Option<String>> {
    // A line has the platform's time, and the machine's clock may be behind it.
    let at = at.min(clock::now());
    let mut redacted: Option<String> = None;
    for person in db
        .leaving_people
        .iter()
        .filter(|person| person.can_be_told_of(at))
    {
        let Some(known) = &person.names else { continue };
        if known.target.covers(channel) || person.can_be_in(channel, at) {
            redacted = known
                .redact(&db.conn, redacted.as_deref().unwrap_or(text))?
                .or(redacted);
        }
    }
    Ok(redacted)
}

/// A block of core memory, written `at` some time, without the lines that tell of those who leave.
pub fn redact_memory<'a>(
    db: &Database,
    scope: &str,
    at: Millis,
    text: &'a str,
) -> SqlResult<Cow<'a, str>> {
    remove_lines(db, at, text, |_, known| known.target.covers_scope(scope))
}

/// A list of a channel, the same.
pub fn redact_list<'a>(
    db: &Database,
    channel: ChannelId,
    at: Millis,
    text: &'a str,
) -> SqlResult<Cow<'a, str>> {
    remove_lines(db, at, text, |person, known| {
        known.target.covers(channel) || person.can_be_in(channel, at)
    })
}

fn remove_lines<'a>(
    db: &Database,
    at: Millis,
    text: &'a str,
    is_meant: impl Fn(&PendingErasure, &ForgottenIdentity) -> bool,
) -> SqlResult<Cow<'a, str>> {
    let mut text = Cow::Borrowed(text);
    for person in db
        .leaving_people
        .iter()
        .filter(|person| person.can_be_told_of(at))
    {
        let Some(known) = person
            .names
            .as_ref()
            .filter(|known| is_meant(person, known))
        else {
            continue;
        };
        let mut kept = Vec::new();
        for line in text.lines() {
            if known.redact(&db.conn, line)?.is_none() {
                kept.push(line);
            }
        }
        if kept.len() < text.lines().count() {
            text = Cow::Owned(kept.join("\n"));
        }
    }
    Ok(text)
}

/// Whether what is to be said tells of somebody who is being forgotten right now.
pub fn is_about_leaving_person(db: &Database, channel: ChannelId, text: &str) -> SqlResult<bool> {
    let now = db
        .leaving_people
        .iter()
        .filter(|person| person.is_leaving())
        .filter_map(|person| person.names.as_ref());
    for known in now.filter(|known| known.target.covers(channel)) {
        if known.redact(&db.conn, text)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
