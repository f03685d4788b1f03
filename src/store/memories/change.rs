//! Changing what is remembered: corrections and deletions.

use super::insert::insert_entry;
use super::{MemoryEdit, read_entry, remove_entries};
use crate::db::Database;
use crate::row_writes::row;
use crate::sql::SqlResult;
use crate::values::params;
use kith_core::chat::{ChannelId, MemoryId, Millis};

pub(super) fn edit_entry(
    db: &Database,
    id: MemoryId,
    edit: &MemoryEdit,
    at: Millis,
) -> SqlResult<Option<MemoryId>> {
    let Some(old) = read_entry(&db.conn, id)? else {
        return Ok(None);
    };
    if db.may_hold_leaver(old.content.channel, at) || edit.text.trim().is_empty() {
        return Ok(None);
    }
    let new = insert_entry(db, &edit.apply(old.content), at)?;
    // It goes with the messages the old one was taken from: a correction may repeat most of what they said.
    let copy = "INSERT INTO memory_sources (channel, message, memory, author)
         SELECT channel, message, ?2, author FROM memory_sources WHERE memory = ?1";
    db.conn.execute(copy, params![id, new])?;
    db.conn
        .update_rows("memories", row! { id }, row! { superseded_by: new })?;
    Ok(Some(new))
}

pub(super) fn undo_edit(db: &mut Database, id: MemoryId) -> SqlResult<Vec<MemoryId>> {
    let find = "SELECT id FROM memories WHERE superseded_by = ?1 ORDER BY id";
    let before = db.conn.read_all::<MemoryId>(find, params![id])?;
    if !before.is_empty() {
        remove_entries(&db.conn, &[id])?;
        db.erased = true;
    }
    Ok(before)
}

pub(super) fn delete_entry(db: &mut Database, id: MemoryId) -> SqlResult<bool> {
    let find = "WITH RECURSIVE trail (id) AS (
             SELECT id FROM memories WHERE id = ?1
             UNION SELECT m.id FROM memories m JOIN trail t ON m.superseded_by = t.id
                 WHERE m.channel = (SELECT channel FROM memories WHERE id = ?1))
         SELECT id FROM trail";
    let trail = db.conn.read_all::<MemoryId>(find, params![id])?;
    remove_entries(&db.conn, &trail)?;
    bury(db, &trail)?;
    db.erased |= !trail.is_empty();
    Ok(!trail.is_empty())
}

/// Keeps that these are erased: a backup that is put back must not bring them back.
pub(super) fn bury(db: &Database, gone: &[MemoryId]) -> SqlResult<()> {
    let arrival = db.arrival as i64;
    gone.iter().try_for_each(|gone| {
        let row = row! { channel: ChannelId(0), id: gone, arrival, at: 0_i64 };
        db.conn.add_row("tombstones", row).map(drop)
    })
}
