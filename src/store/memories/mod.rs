//! What is remembered one by one: facts of people and episodes of channels, each with the messages it was taken from. An
//! entry goes with any of its messages, with anybody who is in it, and with its channel.

mod change;
mod consolidation;
mod fading;
mod forget;
mod insert;
mod search;

pub use consolidation::{GroupSample, UnconsolidatedSpan};
pub(super) use forget::{
    erase_channel, find_for_person, forget_person, forget_unwilling, remove_quotes, remove_sourced,
};
pub use insert::MemoryBatch;
pub use search::MemorySearch;
pub(super) use search::{find_entries, find_people};

use crate::from_row::from_row;
use crate::handle::{Store, StoreReply};
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;
use kith_core::chat::{Author, ChannelId, MemoryId, MessageId, Millis, UserId};
use kith_core::context::RecalledMessage;
use kith_core::memory_entry::{
    FoundMemory, MEMORY_CHARACTERS, MemoryContent, MemoryEntry, MemoryOrigin, MemoryOutcome,
};

const COLUMNS: &str = "m.id, m.kind, m.channel, m.person, m.said_by, m.text, m.at, m.due, m.confidence, m.importance, \
                       m.origin, m.superseded_by, m.uses, m.used_at";

impl Store {
    /// Keeps what was found worth remembering, all of it in one commit and with how far a channel was looked through;
    /// answers what became of each. What is known already becomes newer and surer, and is not kept twice.
    pub fn put_memories(&self, batch: MemoryBatch) -> StoreReply<Vec<MemoryOutcome>> {
        self.write(move |db| insert::put_batch(db, &batch))
    }

    pub fn consolidated_until(&self, channel: ChannelId) -> StoreReply<Option<MessageId>> {
        self.read(move |conn| read_mark(conn, channel))
    }

    /// What is remembered in some channels: best first where it is looked for by words, else newest first.
    pub fn find_memories(&self, search: MemorySearch) -> StoreReply<Vec<MemoryEntry>> {
        self.read(move |conn| search::find_entries(conn, &search))
    }

    /// The same with why each ranks where it does, for people who look at it.
    pub fn rank_memories(&self, search: MemorySearch) -> StoreReply<Vec<FoundMemory>> {
        self.view(move |conn| search::rank_entries(conn, &search))
    }

    /// Everybody of whom a fact is remembered in some channels, or by whose word one is, by the name last seen.
    pub fn find_known_people(&self, channels: Vec<ChannelId>) -> StoreReply<Vec<Author>> {
        self.read(move |conn| search::find_people(conn, &channels))
    }

    /// When somebody last wrote in one of these channels; None where that is longer ago than the newest few thousand
    /// messages.
    pub fn find_last_written(
        &self,
        channels: Vec<ChannelId>,
        person: UserId,
    ) -> StoreReply<Option<Millis>> {
        self.read(move |conn| search::find_last_written(conn, &channels, person))
    }

    /// Those of some messages of a channel that are there, by id.
    pub fn find_source_messages(
        &self,
        channel: ChannelId,
        ids: Vec<MessageId>,
    ) -> StoreReply<Vec<(MessageId, RecalledMessage)>> {
        self.read(move |conn| search::read_messages(conn, channel, &ids))
    }

    pub fn memory(&self, id: MemoryId) -> StoreReply<Option<MemoryEntry>> {
        self.read(move |conn| read_entry(conn, id))
    }

    /// Says an entry in other words, which are somebody's correction; what it said before is kept as superseded. Answers
    /// with the entry that takes its place; None where there is none of that id, or somebody in it is being forgotten.
    pub fn edit_memory(
        &self,
        id: MemoryId,
        edit: MemoryEdit,
        at: Millis,
    ) -> StoreReply<Option<MemoryId>> {
        self.write(move |db| change::edit_entry(db, id, &edit, at))
    }

    pub fn superseded_memories(&self, id: MemoryId) -> StoreReply<Vec<MemoryEntry>> {
        self.read(move |conn| {
            let find = format!(
                "SELECT {COLUMNS} FROM memories m WHERE m.superseded_by = ?1 ORDER BY m.id DESC"
            );
            let found: Vec<MemoryEntry> = conn.read_all(&find, params![id])?;
            found
                .into_iter()
                .map(|entry| add_lists(conn, entry))
                .collect()
        })
    }

    /// Takes an entry away that took the place of others: those hold again, and are answered with. An entry that took no
    /// place stays.
    pub fn undo_memory_edit(&self, id: MemoryId) -> StoreReply<Vec<MemoryId>> {
        self.write(move |db| change::undo_edit(db, id))
    }

    /// Erases an entry and all it superseded, as a deleted message is erased; answers whether it was there.
    pub fn delete_memory(&self, id: MemoryId) -> StoreReply<bool> {
        self.write(move |db| change::delete_entry(db, id))
    }

    /// Some entries were of use in a prompt; all prompts of an hour count as one.
    pub fn mark_memories_used(&self, ids: Vec<MemoryId>, at: Millis) -> StoreReply<()> {
        self.write(move |db| fading::mark_used(db, &ids, at))
    }

    /// Forgets what became too weak, and the weakest where a channel, or one person, has too many; answers how many went.
    pub fn prune_memories(&self, now: Millis) -> StoreReply<usize> {
        self.write(move |db| fading::prune_entries(db, now))
    }

    /// At most `most` messages of a channel that were not made into memories yet, later than `after`, and so many texts
    /// from before.
    pub fn read_unconsolidated(
        &self,
        channel: ChannelId,
        after: Option<MessageId>,
        most: usize,
        earlier: usize,
    ) -> StoreReply<UnconsolidatedSpan> {
        self.read(move |conn| {
            let after = read_mark(conn, channel)?.max(after).unwrap_or(MessageId(0));
            let mut messages = consolidation::read_messages(conn, channel, after, most + 1)?;
            let has_more = messages.len() > most;
            messages.truncate(most);
            let earlier = consolidation::read_earlier(conn, channel, after, earlier)?;
            Ok(UnconsolidatedSpan {
                messages,
                has_more,
                earlier,
            })
        })
    }

    /// The channels in which something was said that was not made into memories yet, and when the newest of it was said.
    pub fn find_unconsolidated_channels(&self) -> StoreReply<Vec<(ChannelId, Millis)>> {
        self.read(|conn| {
            let newest = conn.read_all::<(ChannelId, Option<Millis>)>(// One look into the index for each channel: a join would walk over all messages.
                "SELECT c.id, (SELECT m.at FROM messages m WHERE m.channel = c.id AND m.id > coalesce(
                     (SELECT d.until FROM consolidated d WHERE d.channel = c.id), 0) ORDER BY m.id DESC LIMIT 1)
                 FROM channels c", params![])?;
            let unconsolidated = newest
                .into_iter()
                .filter_map(|(channel, at)| Some((channel, at?)));
            Ok(unconsolidated.collect())
        })
    }

    /// At most so many of the newest lines of a channel, and as many of others.
    pub fn read_group_sample(&self, channel: ChannelId, most: usize) -> StoreReply<GroupSample> {
        self.read(move |conn| {
            Ok(GroupSample {
                lines: consolidation::read_lines(conn, channel, most)?,
                elsewhere: consolidation::read_elsewhere(conn, channel, most)?,
                names: consolidation::read_names(conn, channel)?,
            })
        })
    }
}

pub(super) fn read_mark(conn: &SqlConnection, channel: ChannelId) -> SqlResult<Option<MessageId>> {
    conn.read_first(
        "SELECT until FROM consolidated WHERE channel = ?1",
        params![channel],
    )
}

#[derive(Clone, Debug, PartialEq)]
pub struct MemoryEdit {
    pub text: String,
    pub origin: MemoryOrigin,
    /// Whose word it is from now on.
    pub said_by: Option<UserId>,
}

impl MemoryEdit {
    /// The words of a text on one line. None of one that is empty or longer than [`MEMORY_CHARACTERS`].
    pub fn from_text(text: &str, origin: MemoryOrigin, said_by: Option<UserId>) -> Option<Self> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_kept = !text.is_empty() && text.chars().count() <= MEMORY_CHARACTERS;
        is_kept.then_some(Self {
            text,
            origin,
            said_by,
        })
    }

    pub fn apply(&self, old: MemoryContent) -> MemoryContent {
        MemoryContent {
            text: self.text.clone(),
            origin: self.origin,
            said_by: self.said_by,
            ..old
        }
    }
}

fn read_entry(conn: &SqlConnection, id: MemoryId) -> SqlResult<Option<MemoryEntry>> {
    let find = format!("SELECT {COLUMNS} FROM memories m WHERE m.id = ?1");
    let entry = conn.read_first(&find, params![id])?;
    entry.map(|entry| add_lists(conn, entry)).transpose()
}

from_row! { MemoryContent {
    kind, channel, person, people: none, said_by, text, at, due, confidence, importance, origin, sources: none
} }
from_row! { MemoryEntry { id, content, superseded_by, uses, used_at } }

/// An entry with its people and sources, which stand in tables of their own.
fn add_lists(conn: &SqlConnection, mut entry: MemoryEntry) -> SqlResult<MemoryEntry> {
    let people = "SELECT person FROM memory_people WHERE memory = ?1 ORDER BY person";
    let sources = "SELECT message FROM memory_sources WHERE memory = ?1 ORDER BY message";
    entry.content.people = conn.read_all(people, params![entry.id])?;
    entry.content.sources = conn.read_all(sources, params![entry.id])?;
    Ok(entry)
}

/// Takes entries out of all tables; those they had superseded hold again.
fn remove_entries(conn: &SqlConnection, ids: &[MemoryId]) -> SqlResult<()> {
    for statement in [
        "UPDATE memories SET superseded_by = NULL WHERE superseded_by = ?1",
        "DELETE FROM memory_people WHERE memory = ?1",
        "DELETE FROM memory_sources WHERE memory = ?1",
        "DELETE FROM memories WHERE id = ?1",
    ] {
        for id in ids {
            conn.execute(statement, params![id])?;
        }
    }
    Ok(())
}
