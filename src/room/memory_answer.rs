//! What the daemon answers about its memory: what is remembered and from which lines, core memory with what it said before,
//! and what a search found and why.

use serde::Serialize;

use kith_core::chat::{Author, ChannelId, MessageId, Millis, UserId};
use kith_core::memory_entry::{FoundMemory, MemoryEntry};
use kith_core::recall::ScoreParts;

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

/// Where a memory comes from.
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
    /// When it was said.
    pub at: Millis,
    pub author: UserId,
    /// What its author was called then.
    pub name: String,
    pub text: String,
}

/// A block of core memory.
#[derive(Clone, Debug, Serialize)]
pub struct CoreMemoryBlock {
    pub label: String,
    /// What belongs in it; empty where the persona does not say.
    pub description: String,
    /// What it says.
    pub text: String,
    /// When each line was written; null, and nothing behind the last, where that is not known.
    pub dates: Vec<Option<Millis>>,
    /// The most it may hold, in characters.
    pub limit: usize,
    /// What it said before, newest first.
    pub history: Vec<EarlierBlock>,
}

/// What a block said.
#[derive(Clone, Debug, Serialize)]
pub struct EarlierBlock {
    /// When that was written; null for what the persona began with.
    pub at: Option<Millis>,
    pub text: String,
}

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct MemorySearchResult {
    /// Memories that hold words of the question, best first.
    pub memories: Vec<FoundMemory>,
    /// Lines that answer it, best first.
    pub lines: Vec<FoundLine>,
}

/// A line that was found, with the lines beside it.
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
