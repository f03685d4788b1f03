//! Finding memories. What is out of scope is left out before anything is ranked.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use super::{COLUMNS, add_lists};
use crate::from_row::from_row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, bind_channels, params};
use kith_core::chat::{Author, ChannelId, MessageId, Millis, UserId};
use kith_core::context::RecalledMessage;
use kith_core::memory_entry::{FoundMemory, MatchedWord, MemoryEntry, MemoryKind};
use kith_core::recall::{extract_question_terms, extract_terms};

/// Whether somebody was here lately is looked up among so many of the newest messages.
const NEWEST: i64 = 5_000;

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
    pub with_superseded: bool,
    pub limit: usize,
}

const IN_SCOPE: &str = "
    FROM memories m WHERE m.channel IN (SELECT value FROM json_each(?1))
      AND (json_array_length(?2) = 0 OR m.person IN (SELECT value FROM json_each(?2)) OR EXISTS
           (SELECT 1 FROM memory_people p WHERE p.memory = m.id AND p.person IN (SELECT value FROM json_each(?2))))
      AND (?3 OR NOT EXISTS (SELECT 1 FROM memories s
           WHERE s.id = m.superseded_by AND s.channel IN (SELECT value FROM json_each(?1))))
      AND (m.kind = ?4 OR ?4 IS NULL)";

pub(crate) fn find_entries(
    conn: &SqlConnection,
    search: &MemorySearch,
) -> SqlResult<Vec<MemoryEntry>> {
    let found = rank_entries(conn, search)?.into_iter();
    Ok(found.map(|found| found.entry).collect())
}

pub(super) fn rank_entries(
    conn: &SqlConnection,
    search: &MemorySearch,
) -> SqlResult<Vec<FoundMemory>> {
    let find = format!("SELECT {COLUMNS} {IN_SCOPE}");
    let people: Vec<u64> = search.people.iter().map(|person| person.0).collect();
    let mut found: Vec<MemoryEntry> = Vec::new();
    for kind in list_kinds(&search.kinds) {
        let channels = bind_channels(&search.channels);
        let values = params![channels, JsonColumn(&people), search.with_superseded, kind];
        found.extend(conn.read_all::<MemoryEntry>(&find, values)?);
    }
    found.sort_by_key(|entry| Reverse((entry.content.at, entry.id)));
    // Where nothing is looked for by words, no text has to be taken apart that is not answered with.
    if search.words.trim().is_empty() {
        found.truncate(search.limit);
    }
    let mut found = rank_by_words(found, &search.words);
    found.truncate(search.limit);
    let complete = |memory: FoundMemory| {
        let entry = add_lists(conn, memory.entry)?;
        Ok(FoundMemory { entry, ..memory })
    };
    found.into_iter().map(complete).collect()
}

/// The kinds to look for one after the other; None is all of them.
fn list_kinds(kinds: &[MemoryKind]) -> Vec<Option<MemoryKind>> {
    if kinds.is_empty() {
        return vec![None];
    }
    let kinds: BTreeSet<MemoryKind> = kinds.iter().copied().collect();
    kinds.into_iter().map(Some).collect()
}

/// Those that hold one of the words, those with more and rarer ones first; equals stay in their order, and so do all where
/// no words are given.
fn rank_by_words(entries: Vec<MemoryEntry>, words: &str) -> Vec<FoundMemory> {
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
    let weigh = |term: &&String| MatchedWord {
        word: (*term).clone(),
        adds: (1.0 + all / counts[*term] as f64).ln(),
    };
    let found = entries.into_iter().zip(&held).map(|(entry, terms)| {
        let words: Vec<MatchedWord> = terms.iter().map(weigh).collect();
        FoundMemory {
            entry,
            score: words.iter().map(|word| word.adds).sum(),
            words,
        }
    });
    let mut found: Vec<FoundMemory> = found.collect();
    if !words.trim().is_empty() {
        found.retain(|memory| memory.score > 0.0);
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
    }
    found
}

from_row! { RecalledMessage { at, author, name, text } }

pub(super) fn read_messages(
    conn: &SqlConnection,
    channel: ChannelId,
    ids: &[MessageId],
) -> SqlResult<Vec<(MessageId, RecalledMessage)>> {
    let find = "SELECT id, at, author, author_name, text FROM messages
         WHERE channel = ?1 AND id IN (SELECT value FROM json_each(?2)) ORDER BY id";
    let ids: Vec<u64> = ids.iter().map(|id| id.0).collect();
    conn.read_all(find, params![channel, JsonColumn(ids)])
}

pub(crate) fn find_people(conn: &SqlConnection, channels: &[ChannelId]) -> SqlResult<Vec<Author>> {
    let find = "WITH facts AS (SELECT person, said_by FROM memories
             WHERE channel IN (SELECT value FROM json_each(?1)) AND person IS NOT NULL)
         SELECT id, name, kind FROM people
         WHERE id IN (SELECT person FROM facts UNION SELECT said_by FROM facts) ORDER BY id";
    conn.read_all(find, params![bind_channels(channels)])
}

pub(super) fn find_last_written(
    conn: &SqlConnection,
    channels: &[ChannelId],
    person: UserId,
) -> SqlResult<Option<Millis>> {
    let find = "SELECT max(at) FROM (SELECT at, author, channel FROM messages ORDER BY arrival DESC LIMIT ?3) AS newest
         WHERE author = ?2 AND channel IN (SELECT value FROM json_each(?1))";
    conn.read_one(find, params![bind_channels(channels), person, NEWEST])
}
