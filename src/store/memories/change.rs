//! Changing what is remembered: corrections, deletions, use, and what fades.

use std::collections::HashMap;

use super::insert::{insert_entry, is_anybody_leaving};
use super::{COLUMNS, MemoryEdit, read_entry, read_row, remove_entries};
use crate::db::Database;
use crate::values::{ReadRow, params};
use kith_core::chat::{ChannelId, HOUR, MemoryId, Millis, UserId};
use kith_core::memory_entry::{MemoryEntry, WEAKEST_KEPT};

/// Prompts within such a time, which are those of one talk, are one use.
const ONE_USE: Millis = HOUR;
/// The most entries of one channel, and the most facts of one person wherever they were told.
const MOST_IN_CHANNEL: usize = 2_000;
const MOST_OF_PERSON: usize = 200;

pub(super) fn edit_entry(
    db: &Database,
    id: MemoryId,
    edit: &MemoryEdit,
    at: Millis,
) -> rusqlite::Result<Option<MemoryId>> {
    let Some(old) = read_entry(&db.conn, id)? else {
        return Ok(None);
    };
    if is_anybody_leaving(db, old.content.channel, at) || edit.text.trim().is_empty() {
        return Ok(None);
    }
    let new = insert_entry(db, &edit.apply(old.content), at)?;
    // It goes with the messages the old one was taken from: a correction may repeat most of what they said.
    let mut copy = db.conn.prepare_cached(
        "INSERT INTO memory_sources (channel, message, memory, author)
         SELECT channel, message, ?2, author FROM memory_sources WHERE memory = ?1",
    )?;
    copy.execute(params![id, new])?;
    let mut supersede = db
        .conn
        .prepare_cached("UPDATE memories SET superseded_by = ?2 WHERE id = ?1")?;
    supersede.execute(params![id, new])?;
    Ok(Some(new))
}

pub(super) fn undo_edit(db: &mut Database, id: MemoryId) -> rusqlite::Result<Vec<MemoryId>> {
    let mut find = db
        .conn
        .prepare_cached("SELECT id FROM memories WHERE superseded_by = ?1 ORDER BY id")?;
    let before = find
        .query_map(params![id], |row| row.read(0))?
        .collect::<Result<Vec<MemoryId>, _>>()?;
    drop(find);
    if !before.is_empty() {
        remove_entries(&db.conn, &[id])?;
        db.erased = true;
    }
    Ok(before)
}

pub(super) fn delete_entry(db: &mut Database, id: MemoryId) -> rusqlite::Result<bool> {
    let mut find = db.conn.prepare_cached(
        "WITH RECURSIVE trail (id) AS (
             SELECT id FROM memories WHERE id = ?1
             UNION SELECT m.id FROM memories m JOIN trail t ON m.superseded_by = t.id
                 WHERE m.channel = (SELECT channel FROM memories WHERE id = ?1))
         SELECT id FROM trail",
    )?;
    let trail = find
        .query_map(params![id], |row| row.read(0))?
        .collect::<Result<Vec<MemoryId>, _>>()?;
    drop(find);
    remove_entries(&db.conn, &trail)?;
    // A backup that is put back must not bring it back.
    let mut bury = db.conn.prepare_cached(
        "INSERT OR IGNORE INTO tombstones (channel, id, arrival, at) VALUES (0, ?1, ?2, 0)",
    )?;
    trail
        .iter()
        .try_for_each(|gone| bury.execute(params![gone, db.arrival as i64]).map(drop))?;
    db.erased |= !trail.is_empty();
    Ok(!trail.is_empty())
}

pub(super) fn mark_used(db: &Database, ids: &[MemoryId], at: Millis) -> rusqlite::Result<()> {
    let mut mark = db.conn.prepare_cached(
        "UPDATE memories SET uses = uses + 1, used_at = ?2 WHERE id = ?1 AND coalesce(used_at, ?3) <= ?3",
    )?;
    ids.iter()
        .try_for_each(|id| mark.execute(params![id, at, at - ONE_USE]).map(drop))
}

pub(super) fn prune_entries(db: &mut Database, now: Millis) -> rusqlite::Result<usize> {
    let mut find = db
        .conn
        .prepare_cached(&format!("SELECT {COLUMNS} FROM memories m"))?;
    let entries = find
        .query_map([], read_row)?
        .collect::<Result<Vec<MemoryEntry>, _>>()?;
    drop(find);
    let mut by_strength: Vec<(f64, MemoryEntry)> = entries
        .into_iter()
        .map(|entry| (entry.strength(now), entry))
        .collect();
    by_strength.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: HashMap<ChannelId, usize> = HashMap::new();
    let mut kept_of: HashMap<UserId, usize> = HashMap::new();
    let mut weak = Vec::new();
    for (strength, entry) in by_strength {
        let kept_here = kept.entry(entry.content.channel).or_default();
        let mut of_person = entry
            .content
            .person
            .map(|person| kept_of.entry(person).or_default());
        let is_crowded = *kept_here >= MOST_IN_CHANNEL
            || of_person
                .as_ref()
                .is_some_and(|count| **count >= MOST_OF_PERSON);
        if strength < WEAKEST_KEPT || is_crowded {
            weak.push(entry.id);
            continue;
        }
        *kept_here += 1;
        if let Some(count) = &mut of_person {
            **count += 1;
        }
    }
    // What a weak one superseded is not believed again: it goes as well.
    for id in &weak {
        delete_entry(db, *id)?;
    }
    Ok(weak.len())
}
