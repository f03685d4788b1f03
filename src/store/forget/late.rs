//! What the companion still says, notes and is about to say of somebody who is being forgotten, or was a moment ago: a
//! turn may know them from a prompt that was put together before. It is cleaned before it is written.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use rusqlite::Connection;

use super::leaving::Leaving;
use super::lines::is_said_by_others;
use super::trace::Trace;
use super::whom::Whom;
use crate::core::chat::{ChannelId, Millis};
use crate::store::db::Db;
use crate::store::quoted::{Quoted, telling};

/// How somebody is known by who leaves. What they wrote is erased by now.
#[derive(Clone)]
pub struct Known {
    whom: Whom,
    /// All of it but words.
    trace: Arc<Trace>,
    /// Every telling word of theirs.
    words: Arc<BTreeSet<String>>,
}

impl Known {
    pub fn new(whom: &Whom, trace: Trace, words: BTreeSet<String>) -> Self {
        Self { whom: whom.clone(), trace: Arc::new(trace), words: Arc::new(words) }
    }

    /// A text of the companion that does not tell of them; none if it does not as it is.
    fn untold(&self, conn: &Connection, text: &str) -> rusqlite::Result<Option<String>> {
        let mut words = Vec::new();
        for word in telling(text).filter(|word| self.words.contains(word)) {
            if !is_said_by_others(conn, &word)? {
                words.push(word);
            }
        }
        let unquoted = Quoted::new(words).redacted(text);
        let untold = self.trace.untold(unquoted.as_deref().unwrap_or(text));
        Ok(untold.or(unquoted))
    }
}

/// A line the companion said `at` some time, without those who leave; none if it tells of none of them.
pub fn untold(db: &Db, channel: ChannelId, at: Millis, text: &str) -> rusqlite::Result<Option<String>> {
    let mut told: Option<String> = None;
    for person in db.leaving.iter().filter(|person| at <= person.until) {
        let Some(known) = &person.known else { continue };
        if known.whom.covers(channel) || person.may_be_in(channel, at) {
            told = known.untold(&db.conn, told.as_deref().unwrap_or(text))?.or(told);
        }
    }
    Ok(told)
}

/// A block of core memory, written `at` some time, without the lines that tell of those who leave.
pub fn unremembered<'a>(db: &Db, scope: &str, at: Millis, text: &'a str) -> rusqlite::Result<Cow<'a, str>> {
    without(db, at, text, |_, known| known.whom.covers_scope(scope))
}

/// A list of a channel, the same.
pub fn unremembered_in<'a>(db: &Db, channel: ChannelId, at: Millis, text: &'a str) -> rusqlite::Result<Cow<'a, str>> {
    without(db, at, text, |person, known| known.whom.covers(channel) || person.may_be_in(channel, at))
}

fn without<'a>(
    db: &Db,
    at: Millis,
    text: &'a str,
    is_meant: impl Fn(&Leaving, &Known) -> bool,
) -> rusqlite::Result<Cow<'a, str>> {
    let mut text = Cow::Borrowed(text);
    for person in db.leaving.iter().filter(|person| at <= person.until) {
        let Some(known) = person.known.as_ref().filter(|known| is_meant(person, known)) else { continue };
        let mut kept = Vec::new();
        for line in text.lines() {
            if known.untold(&db.conn, line)?.is_none() {
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
pub fn tells(db: &Db, channel: ChannelId, text: &str) -> rusqlite::Result<bool> {
    let now = db.leaving.iter().filter(|person| person.is_leaving()).filter_map(|person| person.known.as_ref());
    for known in now.filter(|known| known.whom.covers(channel)) {
        if known.untold(&db.conn, text)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
