//! What the companion means to do step by step, a list a channel. Text of its own making that may repeat what people said:
//! a line goes when what it repeats is erased, and when whom it tells of is forgotten.

use std::borrow::Cow;

use rusqlite::{Connection, OptionalExtension};

use super::db::Database;
use super::erased_text::ErasedText;
use super::forget::IdentifyingTrace;
use super::{Store, StoreReply, erase, forget};
use crate::values::{ReadRow, params};
use kith_core::chat::{ChannelId, Millis};

impl Store {
    /// A channel's list, a step a line; empty where there is none.
    pub fn todos(&self, channel: ChannelId) -> StoreReply<String> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached("SELECT list FROM todos WHERE channel = ?1")?;
            Ok(find.query_row(params![channel], |row| row.read(0)).optional()?.unwrap_or_default())
        })
    }

    /// Keeps a channel's list, written at some time, in the place of the one before; without the lines that repeat what
    /// was just erased, and those that tell of somebody who is just being forgotten.
    pub fn put_todos(&self, channel: ChannelId, list: String, at: Millis) -> StoreReply<()> {
        self.write(move |db| {
            let list = forget::unremembered_in(db, channel, at, &list)?;
            let list = erase::lately(db, channel)
                .fold(list, |list, gone| without(&list, |line| gone.stands_in(line)).map_or(list, Cow::Owned));
            put(db, channel, &list, at)
        })
    }
}

fn put(db: &mut Database, channel: ChannelId, list: &str, at: Millis) -> rusqlite::Result<()> {
    // What a list no longer says is forgotten as a deleted message is.
    db.erased = true;
    if list.is_empty() {
        return db.conn.prepare_cached("DELETE FROM todos WHERE channel = ?1")?.execute(params![channel]).map(drop);
    }
    let mut put = db.conn.prepare_cached("INSERT OR REPLACE INTO todos (channel, list, at) VALUES (?1, ?2, ?3)")?;
    put.execute(params![channel, list, at]).map(drop)
}

/// The lines that do not tell; none if no line does.
fn without(list: &str, tells: impl Fn(&str) -> bool) -> Option<String> {
    let kept: Vec<&str> = list.lines().filter(|line| !tells(line)).collect();
    (kept.len() < list.lines().count()).then(|| kept.join("\n"))
}

fn clean(db: &mut Database, meant: impl Fn(ChannelId) -> bool, tells: impl Fn(&str) -> bool) -> rusqlite::Result<()> {
    let mut find = db.conn.prepare_cached("SELECT channel, list, at FROM todos")?;
    let all = find.query_map([], |row| Ok((row.read(0)?, row.read(1)?, row.read(2)?)))?;
    let all = all.collect::<Result<Vec<(ChannelId, String, Millis)>, _>>()?;
    drop(find);
    for (channel, list, at) in all.into_iter().filter(|(channel, ..)| meant(*channel)) {
        if let Some(list) = without(&list, &tells) {
            put(db, channel, &list, at)?;
        }
    }
    Ok(())
}

/// The lists of these channels.
pub(super) fn of(conn: &Connection, meant: impl Fn(ChannelId) -> bool) -> rusqlite::Result<Vec<String>> {
    let mut find = conn.prepare_cached("SELECT channel, list FROM todos")?;
    let all = find.query_map([], |row| Ok((row.read(0)?, row.read(1)?)))?.collect::<Result<Vec<_>, _>>()?;
    Ok(all.into_iter().filter(|(channel, _)| meant(*channel)).map(|(_, list)| list).collect())
}

/// Takes an erased text out of all lists.
pub(super) fn take_out(db: &mut Database, gone: &ErasedText) -> rusqlite::Result<()> {
    clean(db, |_| true, |line| gone.stands_in(line))
}

/// Somebody is forgotten: the lines of these channels that tell of them go.
pub(super) fn forget(
    db: &mut Database,
    meant: impl Fn(ChannelId) -> bool,
    trace: &IdentifyingTrace,
) -> rusqlite::Result<()> {
    clean(db, meant, |line| trace.untold(line).is_some())
}

/// Lists nobody looked at since.
pub(super) fn prune(db: &Database, before: Millis) -> rusqlite::Result<()> {
    db.conn.prepare_cached("DELETE FROM todos WHERE at < ?1")?.execute(params![before]).map(drop)
}
