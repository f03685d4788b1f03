//! Forgetting: a deleted, edited or outdated text is taken out of every table, index and file.

use rusqlite::{OptionalExtension, params};
use serde_json::Value;

use super::db::Db;
use super::redact::Erasure;
use super::thread::Kind;
use super::values::Json;
use super::{Pending, Store, words};
use crate::core::chat::{AuthorKind, ChannelId, MessageId, Millis};

/// The most messages one call of [`Store::prune`] takes, so that nobody waits long behind it.
const PRUNE_ROWS: usize = 500;

/// How many erased texts are kept in memory.
const ERASED_KEPT: usize = 256;

impl Store {
    /// Removes what is older than `before`: messages with their words, reactions and decisions, turns and finished
    /// deliveries. Tombstones stay for good: they hold ids only, and an import may bring anything old. Takes a bounded number at a time and answers how many messages and turns went: call
    /// it until it answers 0.
    pub fn prune(&self, before: Millis) -> Pending<usize> {
        self.write(move |db| prune(db, before))
    }

    /// Empties the write-ahead log now, so that no file holds an erased text any more. Happens by itself a few
    /// seconds after each deletion.
    pub fn scrub(&self) -> Pending<()> {
        self.write_as(Kind::Upkeep, empty_log)
    }
}

/// Moves the log into the database and cuts it to nothing.
pub(super) fn empty_log(db: &mut Db) -> rusqlite::Result<()> {
    let busy: bool = db.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if busy {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
        return Err(rusqlite::Error::SqliteFailure(code, None));
    }
    db.erased = false;
    Ok(())
}

struct Row {
    arrival: i64,
    channel: ChannelId,
    id: MessageId,
    at: Millis,
    author: AuthorKind,
    text: String,
}

const ROW: &str = "SELECT arrival, channel, id, at, author_kind, text FROM messages";

fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    Ok(Row {
        arrival: row.get(0)?,
        channel: row.get(1)?,
        id: row.get(2)?,
        at: row.get(3)?,
        author: row.get(4)?,
        text: row.get(5)?,
    })
}

fn find(db: &Db, channel: ChannelId, id: MessageId) -> rusqlite::Result<Option<Row>> {
    let mut find = db.conn.prepare_cached(&format!("{ROW} WHERE channel = ?1 AND id = ?2"))?;
    find.query_row(params![channel, id], row).optional()
}

/// Gives a message its new text; answers whether it was there, was such an author's, and said something else.
pub(super) fn edit(
    db: &mut Db,
    channel: ChannelId,
    id: MessageId,
    author: AuthorKind,
    text: &str,
    at: Millis,
) -> rusqlite::Result<bool> {
    let changes = |old: &Row| old.author == author && old.text != text;
    let Some(old) = find(db, channel, id)?.filter(changes) else { return Ok(false) };
    words::take(&db.conn, old.arrival, channel, &old.text)?;
    words::put(&db.conn, old.arrival, channel, text)?;
    let mut update = db.conn.prepare_cached("UPDATE messages SET text = ?2, edited = ?3 WHERE arrival = ?1")?;
    update.execute(params![old.arrival, text, at])?;
    drop(update);
    forget_in_turns(db, &old.text, old.at)?;
    remember_erased(db, old.text, at);
    Ok(true)
}

/// Takes a message out and leaves a tombstone, whether it was known or not; answers whether anything changed.
pub(super) fn delete(
    db: &mut Db,
    channel: ChannelId,
    id: MessageId,
    arrival: u64,
    at: Millis,
) -> rusqlite::Result<bool> {
    let mut bury = db
        .conn
        .prepare_cached("INSERT OR IGNORE INTO tombstones (channel, id, arrival, at) VALUES (?1, ?2, ?3, ?4)")?;
    let buried = bury.execute(params![channel, id, arrival as i64, at])? > 0;
    drop(bury);
    if let Some(old) = find(db, channel, id)? {
        remove(db, &old)?;
        forget_in_turns(db, &old.text, old.at)?;
        remember_erased(db, old.text, at);
    }
    Ok(buried)
}

/// Keeps an erased text in memory for the turns that run right now.
fn remember_erased(db: &mut Db, text: String, at: Millis) {
    db.erased = true;
    db.lately.push_back((at, text));
    if db.lately.len() > ERASED_KEPT {
        db.lately.pop_front();
    }
}

/// Takes out of a turn that is about to be saved what was erased while it ran.
pub(super) fn forget_lately(db: &Db, started: Millis, values: [&mut Value; 2]) {
    let since = |(at, _): &&(Millis, String)| *at >= started;
    let erasures: Vec<Erasure<'_>> = db.lately.iter().filter(since).filter_map(|(_, text)| Erasure::of(text)).collect();
    for value in values {
        for erasure in &erasures {
            erasure.apply(value);
        }
    }
}

fn remove(db: &mut Db, old: &Row) -> rusqlite::Result<()> {
    words::take(&db.conn, old.arrival, old.channel, &old.text)?;
    db.conn.prepare_cached("DELETE FROM why WHERE arrival = ?1")?.execute([old.arrival])?;
    db.conn
        .prepare_cached("DELETE FROM reactions WHERE channel = ?1 AND message = ?2")?
        .execute(params![old.channel, old.id])?;
    db.conn.prepare_cached("DELETE FROM messages WHERE arrival = ?1")?.execute([old.arrival])?;
    db.erased = true;
    Ok(())
}

/// Takes a text that was written at `since` out of the turns after it: of any channel, for it may have been
/// recalled elsewhere.
fn forget_in_turns(db: &mut Db, text: &str, since: Millis) -> rusqlite::Result<()> {
    let Some(erasure) = Erasure::of(text) else { return Ok(()) };
    let mut find = db.conn.prepare_cached(
        "SELECT turn, report, prompts FROM turns
         WHERE ended >= ?1 AND (instr(report, ?2) > 0 OR instr(prompts, ?2) > 0)",
    )?;
    let mut update = db.conn.prepare_cached("UPDATE turns SET report = ?2, prompts = ?3 WHERE turn = ?1")?;
    let found = find
        .query_map(params![since, erasure.hint()], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, Json<Value>>(1)?, row.get::<_, Option<Json<Value>>>(2)?))
        })?
        .collect::<Result<Vec<_>, _>>()?;
    for (turn, mut report, mut prompts) in found {
        let in_report = erasure.apply(&mut report.0);
        let in_prompts = prompts.as_mut().is_some_and(|prompts| erasure.apply(&mut prompts.0));
        if in_report || in_prompts {
            update.execute(params![turn, report, prompts])?;
        }
    }
    Ok(())
}

fn prune(db: &mut Db, before: Millis) -> rusqlite::Result<usize> {
    let outdated = {
        let mut find = db.conn.prepare_cached(&format!("{ROW} WHERE at < ?1 LIMIT ?2"))?;
        find.query_map(params![before, PRUNE_ROWS as i64], row)?.collect::<Result<Vec<_>, _>>()?
    };
    for old in &outdated {
        remove(db, old)?;
    }
    let old_turns = "SELECT turn FROM turns WHERE ended < ?1 ORDER BY ended, turn LIMIT ?2";
    let mut unlink = db.conn.prepare_cached(&format!("UPDATE why SET turn = NULL WHERE turn IN ({old_turns})"))?;
    unlink.execute(params![before, PRUNE_ROWS as i64])?;
    let mut turns = db.conn.prepare_cached(&format!("DELETE FROM turns WHERE turn IN ({old_turns})"))?;
    let turns = turns.execute(params![before, PRUNE_ROWS as i64])?;
    let gone = outdated.len() + turns;
    if gone == 0 {
        db.conn.prepare_cached("DELETE FROM outbox WHERE journaled_at < ?1 AND state <> 0")?.execute([before])?;
    } else {
        db.erased = true;
    }
    Ok(gone)
}
