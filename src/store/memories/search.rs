//! Finding memories. What is out of scope is left out before anything is ranked.

use std::collections::{BTreeSet, HashMap};

use rusqlite::Connection;

use super::{COLUMNS, add_lists, read_row};
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::chat::{ChannelId, MessageId, UserId};
use kith_core::context::RecalledMessage;
use kith_core::memory_entry::{MemoryEntry, MemoryKind};
use kith_core::recall::{extract_question_terms, extract_terms};

/// Which memories to look for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemorySearch {
    /// Where: only what was said in these channels is looked at. What is superseded by something from elsewhere still
    /// holds here, for nobody here may learn of that.
    pub channels: Vec<ChannelId>,
    /// Only what is about one of these people or has one of them in it; of everybody where there are none.
    pub people: Vec<UserId>,
    /// Only these kinds; all where there are none.
    pub kinds: Vec<MemoryKind>,
    /// Words, any of which will do; what has more and rarer ones comes first.
    pub words: String,
    /// Whether what is superseded is found, too.
    pub with_superseded: bool,
    /// The most to answer with.
    pub limit: usize,
}

const IN_SCOPE: &str = "
    FROM memories m WHERE m.channel IN (SELECT value FROM json_each(?1))
      AND (json_array_length(?2) = 0 OR m.person IN (SELECT value FROM json_each(?2)) OR EXISTS
           (SELECT 1 FROM memory_people p WHERE p.memory = m.id AND p.person IN (SELECT value FROM json_each(?2))))
      AND (?3 OR NOT EXISTS (SELECT 1 FROM memories s
           WHERE s.id = m.superseded_by AND s.channel IN (SELECT value FROM json_each(?1))))
    ORDER BY m.at DESC, m.id DESC";

pub(super) fn find_entries(
    conn: &Connection,
    search: &MemorySearch,
) -> rusqlite::Result<Vec<MemoryEntry>> {
    let mut find = conn.prepare_cached(&format!("SELECT {COLUMNS} {IN_SCOPE}"))?;
    let channels: Vec<u64> = search.channels.iter().map(|channel| channel.0).collect();
    let people: Vec<u64> = search.people.iter().map(|person| person.0).collect();
    let rows = find.query_map(
        params![
            JsonColumn(channels),
            JsonColumn(people),
            search.with_superseded
        ],
        read_row,
    )?;
    let mut found = rows.collect::<Result<Vec<_>, _>>()?;
    found.retain(|entry| search.kinds.is_empty() || search.kinds.contains(&entry.content.kind));
    if !search.words.trim().is_empty() {
        found = rank_by_words(found, &search.words);
    }
    found.truncate(search.limit);
    found
        .into_iter()
        .map(|entry| add_lists(conn, entry))
        .collect()
}

/// Those that hold one of the words, those with more and rarer ones first; equals stay in their order.
fn rank_by_words(entries: Vec<MemoryEntry>, words: &str) -> Vec<MemoryEntry> {
    let wanted: BTreeSet<String> = extract_question_terms(words).into_iter().collect();
    let held = entries.iter().map(|entry| {
        let terms: BTreeSet<String> = extract_terms(&entry.content.text).into_iter().collect();
        let held = wanted.iter().filter(|term| terms.contains(*term));
        held.collect::<Vec<&String>>()
    });
    let held: Vec<Vec<&String>> = held.collect();
    let mut counts: HashMap<&String, usize> = HashMap::new();
    for term in held.iter().flatten() {
        *counts.entry(term).or_default() += 1;
    }
    let all = entries.len() as f64;
    let weigh = |term: &&String| (1.0 + all / counts[*term] as f64).ln();
    let scores: Vec<f64> = held
        .iter()
        .map(|terms| terms.iter().map(weigh).sum())
        .collect();
    let mut scored: Vec<(f64, MemoryEntry)> = scores.into_iter().zip(entries).collect();
    scored.retain(|(score, _)| *score > 0.0);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().map(|(_, entry)| entry).collect()
}

pub(super) fn read_messages(
    conn: &Connection,
    channel: ChannelId,
    ids: &[MessageId],
) -> rusqlite::Result<Vec<(MessageId, RecalledMessage)>> {
    let mut find = conn.prepare_cached(
        "SELECT id, at, author, author_name, text FROM messages
         WHERE channel = ?1 AND id IN (SELECT value FROM json_each(?2)) ORDER BY id",
    )?;
    let ids: Vec<u64> = ids.iter().map(|id| id.0).collect();
    let rows = find.query_map(params![channel, JsonColumn(ids)], |row| {
        let message = RecalledMessage {
            at: row.read(1)?,
            author: row.read(2)?,
            name: row.read(3)?,
            text: row.read(4)?,
        };
        Ok((row.read(0)?, message))
    })?;
    rows.collect()
}
