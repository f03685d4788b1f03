//! Which memories fade: those that became too weak, for use keeps one strong, and those that are too many. How strength
//! falls with time is in `core/memory_entry.rs`.

use std::collections::HashMap;

use super::COLUMNS;
use super::change::delete_entry;
use crate::db::Database;
use crate::sql::SqlResult;
use crate::values::params;
use kith_core::chat::{ChannelId, HOUR, MemoryId, Millis, UserId};
use kith_core::memory_entry::{MemoryEntry, WEAKEST_KEPT};

/// Prompts within such a time, which are those of one talk, are one use.
const ONE_USE: Millis = HOUR;
/// The most entries of one channel, and the most facts of one person wherever they were told.
const MOST_IN_CHANNEL: usize = 2_000;
const MOST_OF_PERSON: usize = 200;

pub(super) fn mark_used(db: &Database, ids: &[MemoryId], at: Millis) -> SqlResult<()> {
    let mark = "UPDATE memories SET uses = uses + 1, used_at = ?2 WHERE id = ?1 AND coalesce(used_at, ?3) <= ?3";
    ids.iter().try_for_each(|id| {
        db.conn
            .execute(mark, params![id, at, at - ONE_USE])
            .map(drop)
    })
}

pub(super) fn prune_entries(db: &mut Database, now: Millis) -> SqlResult<usize> {
    let find = format!("SELECT {COLUMNS} FROM memories m");
    let entries = db.conn.read_all::<MemoryEntry>(&find, params![])?;
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
