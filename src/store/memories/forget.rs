//! Forgetting memories: with a message, with a person, with a channel.

use std::collections::BTreeSet;

use super::change::bury;
use super::{read_entry, remove_entries};
use crate::db::Database;
use crate::erased_text::ErasedText;
use crate::leavers::identifying_trace::IdentityMatcher;
use crate::leavers::target::ForgetTarget;
use crate::prompt_reach::REACHED_CHANNELS;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;
use kith_core::chat::{ChannelId, ChannelKind, MemoryId, MessageId, UserId};
use kith_core::memory_entry::MemoryEntry;

/// The entries that have somebody in them by id, each with its channel.
const INVOLVED: &str = "
    SELECT id, channel FROM memories WHERE person = ?1 OR said_by = ?1
    UNION SELECT m.id, m.channel FROM memory_people p JOIN memories m ON m.id = p.memory WHERE p.person = ?1
    UNION SELECT memory, channel FROM memory_sources WHERE author = ?1";

/// A message was changed or erased: the entries taken from it go.
pub fn remove_sourced(db: &mut Database, channel: ChannelId, message: MessageId) -> SqlResult<()> {
    let find = "SELECT memory FROM memory_sources WHERE channel = ?1 AND message = ?2";
    let taken = db
        .conn
        .read_all::<MemoryId>(find, params![channel, message])?;
    remove_with_message(db, &taken)
}

/// The entries that repeat an erased text without naming its message go, unless the messages they name say it as well.
/// What a person or the host wrote themselves stays.
///
/// Only where a prompt may have shown the text.
pub fn remove_quotes(db: &mut Database, channel: ChannelId, gone: &ErasedText) -> SqlResult<()> {
    let find = format!("SELECT id, text FROM memories WHERE channel IN ({REACHED_CHANNELS})");
    let values = params![channel, ChannelKind::Direct];
    let mut repeating: Vec<(MemoryId, String)> = db.conn.read_all(&find, values)?;
    repeating.retain(|(_, text)| gone.is_repeated_in(text));
    let sources = "SELECT m.text FROM memory_sources s LEFT JOIN messages m ON m.channel = s.channel AND m.id = s.message
         WHERE s.memory = ?1";
    let mut quoting: Vec<MemoryId> = Vec::new();
    for (id, text) in repeating {
        let said: Vec<Option<String>> = db.conn.read_all(sources, params![id])?;
        let is_stated = said.is_empty();
        let said: Vec<String> = said.into_iter().flatten().collect();
        if !is_stated && gone.is_repeated_beyond(&text, &said) {
            quoting.push(id);
        }
    }
    remove_with_message(db, &quoting)
}

/// Somebody is forgotten: the entries about them, by them, with them or with words of theirs go, and those that name or
/// quote them.
pub fn forget_person(
    db: &mut Database,
    target: &ForgetTarget,
    reach: &BTreeSet<ChannelId>,
    trace: &IdentityMatcher,
) -> SqlResult<()> {
    let mut gone = find_involved(&db.conn, target)?;
    let is_meant = |channel| target.covers(channel) || reach.contains(&channel);
    gone.extend(find_telling(&db.conn, is_meant, trace)?);
    remove(db, &Vec::from_iter(gone))
}

/// Somebody does not want to be remembered from now on: what has them in it goes at once.
pub fn forget_unwilling(db: &mut Database, user: UserId) -> SqlResult<()> {
    let gone = db.conn.read_all::<MemoryId>(INVOLVED, params![user])?;
    bury(db, &gone)?;
    remove(db, &gone)
}

pub fn erase_channel(db: &mut Database, channel: ChannelId) -> SqlResult<()> {
    let gone = db.conn.read_all::<MemoryId>(
        "SELECT id FROM memories WHERE channel = ?1",
        params![channel],
    )?;
    db.conn.delete_rows("consolidated", row! { channel })?;
    remove(db, &gone)
}

/// What is remembered of somebody there: about them, by them, with them, with words of theirs, or naming them.
pub fn find_for_person(
    conn: &SqlConnection,
    target: &ForgetTarget,
    trace: &IdentityMatcher,
) -> SqlResult<Vec<MemoryEntry>> {
    let mut meant = find_involved(conn, target)?;
    meant.extend(find_telling(conn, |channel| target.covers(channel), trace)?);
    let entries = meant.into_iter().map(|id| read_entry(conn, id));
    entries.filter_map(Result::transpose).collect()
}

fn find_involved(conn: &SqlConnection, target: &ForgetTarget) -> SqlResult<BTreeSet<MemoryId>> {
    let all = conn.read_all::<(MemoryId, ChannelId)>(INVOLVED, params![target.user])?;
    let meant = all
        .into_iter()
        .filter(|(_, channel)| target.covers(*channel));
    Ok(meant.map(|(id, _)| id).collect())
}

fn find_telling(
    conn: &SqlConnection,
    is_meant: impl Fn(ChannelId) -> bool,
    trace: &IdentityMatcher,
) -> SqlResult<Vec<MemoryId>> {
    let all: Vec<(MemoryId, ChannelId, String)> =
        conn.read_all("SELECT id, channel, text FROM memories", params![])?;
    let telling = all
        .into_iter()
        .filter(|(_, channel, text)| is_meant(*channel) && trace.redact(text).is_some());
    Ok(telling.map(|(id, ..)| id).collect())
}

/// The same with a message: prompts that showed them are to show them no more.
fn remove_with_message(db: &mut Database, ids: &[MemoryId]) -> SqlResult<()> {
    let find = "SELECT text FROM memories WHERE id = ?1";
    for id in ids {
        let text: Option<String> = db.conn.read_first(find, params![id])?;
        db.gone_notes.extend(text);
    }
    remove(db, ids)
}

fn remove(db: &mut Database, ids: &[MemoryId]) -> SqlResult<()> {
    db.erased |= !ids.is_empty();
    remove_entries(&db.conn, ids)
}
