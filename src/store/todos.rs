//! What the companion means to do step by step, a list a channel. Text of its own making that may repeat what people said:
//! a line goes when what it repeats is erased, and when whom it tells of is forgotten.

use std::borrow::Cow;

use super::db::Database;
use super::erased_text::ErasedText;
use super::forget::identifying_trace::IdentifyingTrace;
use super::forget::late_writes;
use super::{Store, StoreReply};
use crate::sql::{OptionalRow, SqlConnection, SqlResult};
use crate::values::{ReadRow, params};
use kith_core::chat::{ChannelId, Millis};

impl Store {
    /// A channel's list, a step a line; empty where there is none.
    pub fn load_todos(&self, channel: ChannelId) -> StoreReply<String> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached("SELECT list FROM todos WHERE channel = ?1")?;
            Ok(find
                .query_row(params![channel], |row| row.read(0))
                .optional()?
                .unwrap_or_default())
        })
    }

    /// Keeps a channel's list, written at some time, in the place of the one before; without the lines that repeat what
    /// was just erased, and those that tell of somebody who is just being forgotten.
    pub fn put_todos(&self, channel: ChannelId, list: String, at: Millis) -> StoreReply<()> {
        self.write(move |db| {
            let list = late_writes::redact_list(db, channel, at, &list)?;
            let list = db
                .recent_erasures
                .find_in_channel(channel)
                .fold(list, |list, gone| {
                    remove_lines(&list, |line| gone.is_repeated_in(line)).map_or(list, Cow::Owned)
                });
            save_list(db, channel, &list, at)
        })
    }
}

fn save_list(db: &mut Database, channel: ChannelId, list: &str, at: Millis) -> SqlResult<()> {
    // What a list no longer says is forgotten as a deleted message is.
    db.erased = true;
    if list.is_empty() {
        return db
            .conn
            .prepare_cached("DELETE FROM todos WHERE channel = ?1")?
            .execute(params![channel])
            .map(drop);
    }
    let mut put = db.conn.prepare_cached(
        "INSERT INTO todos (channel, list, at) VALUES (?1, ?2, ?3)
         ON CONFLICT (channel) DO UPDATE SET list = excluded.list, at = excluded.at",
    )?;
    put.execute(params![channel, list, at]).map(drop)
}

/// The lines that do not tell; none if no line does.
fn remove_lines(list: &str, tells: impl Fn(&str) -> bool) -> Option<String> {
    let kept: Vec<&str> = list.lines().filter(|line| !tells(line)).collect();
    (kept.len() < list.lines().count()).then(|| kept.join("\n"))
}

fn clean_lists(
    db: &mut Database,
    meant: impl Fn(ChannelId) -> bool,
    tells: impl Fn(&str) -> bool,
) -> SqlResult<()> {
    let mut find = db
        .conn
        .prepare_cached("SELECT channel, list, at FROM todos")?;
    let all = find.query_map(params![], |row| {
        Ok((row.read(0)?, row.read(1)?, row.read(2)?))
    })?;
    let all = all.collect::<Result<Vec<(ChannelId, String, Millis)>, _>>()?;
    drop(find);
    for (channel, list, at) in all.into_iter().filter(|(channel, ..)| meant(*channel)) {
        if let Some(list) = remove_lines(&list, &tells) {
            save_list(db, channel, &list, at)?;
        }
    }
    Ok(())
}

/// The lists of these channels.
pub(super) fn read_lists(
    conn: &SqlConnection,
    meant: impl Fn(ChannelId) -> bool,
) -> SqlResult<Vec<String>> {
    let mut find = conn.prepare_cached("SELECT channel, list FROM todos")?;
    let all = find
        .query_map(params![], |row| Ok((row.read(0)?, row.read(1)?)))?
        .collect::<Result<Vec<_>, _>>()?;
    Ok(all
        .into_iter()
        .filter(|(channel, _)| meant(*channel))
        .map(|(_, list)| list)
        .collect())
}

/// Takes an erased text out of all lists.
pub(super) fn remove_text(db: &mut Database, gone: &ErasedText) -> SqlResult<()> {
    clean_lists(db, |_| true, |line| gone.is_repeated_in(line))
}

/// Somebody is forgotten: the lines of these channels that tell of them go.
pub(super) fn forget_person(
    db: &mut Database,
    meant: impl Fn(ChannelId) -> bool,
    trace: &IdentifyingTrace,
) -> SqlResult<()> {
    clean_lists(db, meant, |line| trace.redact(line).is_some())
}

/// Lists nobody looked at since.
pub(super) fn prune(db: &Database, before: Millis) -> SqlResult<()> {
    db.conn
        .prepare_cached("DELETE FROM todos WHERE at < ?1")?
        .execute(params![before])
        .map(drop)
}
