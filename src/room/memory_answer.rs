//! What the daemon answers about its memory: what is remembered and from which lines, core memory with what it said before,
//! and what a search found and why.

use serde::Serialize;

use kith_core::chat::{Author, ChannelId, GuildId, MessageId, Millis, UserId};
use kith_core::memory_entry::{FoundMemory, MemoryEntry};
use kith_core::recall::ScoreParts;

/// What the daemon answers about its memory. In JSON each is the bare value; the request says which to expect.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum MemoryAnswer {
    /// It is done and will stay so. `{}` in JSON.
    Done {},
    Places(MemoryPlaces),
    Overview(MemoryOverview),
    Details(MemoryDetails),
    /// The memories that hold now, after a change of one.
    Changed {
        memories: Vec<MemoryEntry>,
    },
    Search(MemorySearchResult),
    /// The blocks of core memory, in the order prompts show them.
    CoreMemory {
        blocks: Vec<CoreMemoryBlock>,
    },
}

#[derive(Clone, Debug, Serialize)]
pub struct MemoryPlaces {
    /// Servers in which something is, by name.
    pub guilds: Vec<GuildName>,
    /// Channels in which something is, those with the most first, at most 500.
    pub channels: Vec<MemoryPlace>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct GuildName {
    /// Empty where it is not known.
    pub name: String,
    pub id: GuildId,
}

#[derive(Clone, Debug, Serialize)]
pub struct MemoryPlace {
    pub id: ChannelId,
    pub name: String,
    /// Its server; none for a direct message.
    pub guild: Option<GuildId>,
    /// How many facts and episodes of it hold.
    pub memories: usize,
}

/// What is remembered of people and of what happened.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryOverview {
    /// Everybody it is about, as far as their names are known.
    pub people: Vec<Author>,
    /// Newest first.
    pub memories: Vec<MemoryEntry>,
    /// Whether there are older ones.
    pub more: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct MemoryDetails {
    /// The lines it was taken from that are still there, oldest first.
    pub sources: Vec<QuotedLine>,
    /// How many of its sources are not kept any more.
    pub missing: usize,
    /// What it took the place of, newest first, and what that took the place of.
    pub trail: Vec<MemoryEntry>,
}

/// A line that was said, as it stands now.
#[derive(Clone, Debug, Serialize)]
pub struct QuotedLine {
    pub id: MessageId,
    pub channel: ChannelId,
    pub at: Millis,
    pub author: UserId,
    /// What its author was called then.
    pub name: String,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct CoreMemoryBlock {
    pub label: String,
    /// What belongs in it; empty where the persona does not say.
    pub description: String,
    pub text: String,
    /// When each line was written; null, and nothing behind the last, where that is not known.
    pub dates: Vec<Option<Millis>>,
    /// The most it may hold, in characters.
    pub limit: usize,
    /// What it said before, newest first.
    pub history: Vec<EarlierBlock>,
}

#[derive(Clone, Debug, Serialize)]
pub struct EarlierBlock {
    /// When that was written; null for what the persona began with.
    pub at: Option<Millis>,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct MemorySearchResult {
    /// Memories that hold words of the question, best first.
    pub memories: Vec<FoundMemory>,
    /// Lines that answer it, best first.
    pub lines: Vec<FoundLine>,
}

#[derive(Clone, Debug, Serialize)]
pub struct FoundLine {
    pub line: QuotedLine,
    pub before: Option<QuotedLine>,
    pub after: Option<QuotedLine>,
    /// How well it fits, comparable within one answer.
    pub score: f64,
    /// What the score is made of; null where it was not ranked by words.
    pub parts: Option<ScoreParts>,
}
