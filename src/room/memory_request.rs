//! What may be asked about the memory by who runs Kith, in the room's page and in the console. Plain data with its bounds;
//! nothing here is carried out.

use serde::Deserialize;

use super::memory_answer::MemoryAnswer;
use super::request::{ApiRequest, check_text_length, refuse};
use super::room_answer::RequestRefusal;
use kith_core::chat::{ChannelId, GuildId, MemoryId, UserId};
use kith_language::room_refusals;

/// The most memories one answer lists.
const MOST_MEMORIES: u32 = 2_000;

/// Everything that can be asked about the memory: the body of `POST /api/memory`, e.g.
/// `{"ask":"core_memory","channel":"1"}`. What is asked of a channel is answered with what everybody there may see.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum MemoryRequest {
    /// Where something is remembered. Answered with [`MemoryAnswer::Places`].
    MemoryPlaces {},
    /// What is remembered of people and of what happened. Answered with [`MemoryAnswer::Overview`].
    AllMemories {
        /// Only what may be seen in this channel.
        #[serde(default)]
        channel: Option<ChannelId>,
        /// Only what is from channels of this server. Not with `channel`.
        #[serde(default)]
        guild: Option<GuildId>,
        /// Only what is about this person, or has them in it.
        #[serde(default)]
        person: Option<UserId>,
        /// The newest so many, 1 … 2000.
        #[serde(default = "default_memory_count")]
        limit: u32,
    },
    /// The very lines a memory was taken from, and what it took the place of. Answered with [`MemoryAnswer::Details`].
    MemoryDetails { channel: ChannelId, id: MemoryId },
    /// Forget one thing that is remembered. Answered with [`MemoryAnswer::Done`].
    ForgetMemory { channel: ChannelId, id: MemoryId },
    /// Say a memory in other words. Answered with [`MemoryAnswer::Changed`]: what is remembered in its place.
    EditMemory {
        channel: ChannelId,
        id: MemoryId,
        text: String,
    },
    /// Take back a memory that replaced others, which hold again. Answered with [`MemoryAnswer::Changed`]: those.
    UndoMemory { channel: ChannelId, id: MemoryId },
    /// Memories that hold words of a question; asked of a channel also lines that answer it, and why each ranks where it
    /// does. Answered with [`MemoryAnswer::Search`].
    SearchMemory {
        /// Only what may be seen in this channel.
        #[serde(default)]
        channel: Option<ChannelId>,
        /// Only what is from channels of this server. Not with `channel`.
        #[serde(default)]
        guild: Option<GuildId>,
        /// Only memories about this person, or with them.
        #[serde(default)]
        person: Option<UserId>,
        text: String,
    },
    /// The blocks of core memory that the prompts of a channel show, with what they said before. Answered with
    /// [`MemoryAnswer::CoreMemory`].
    CoreMemory { channel: ChannelId },
    /// Give a block another text. Answered with [`MemoryAnswer::CoreMemory`].
    EditBlock {
        channel: ChannelId,
        label: String,
        /// All it says from now on.
        text: String,
    },
    /// Take the newest edit of a block back. Answered with [`MemoryAnswer::CoreMemory`].
    UndoBlock { channel: ChannelId, label: String },
    /// Erase what a block said before, for good. Answered with [`MemoryAnswer::CoreMemory`].
    ForgetBlockHistory { channel: ChannelId, label: String },
}

fn default_memory_count() -> u32 {
    500
}

impl ApiRequest for MemoryRequest {
    type Answer = MemoryAnswer;

    fn check(&self) -> Result<(), RequestRefusal> {
        match self {
            Self::AllMemories {
                channel: Some(_),
                guild: Some(_),
                ..
            }
            | Self::SearchMemory {
                channel: Some(_),
                guild: Some(_),
                ..
            } => Err(RequestRefusal::bad_request(
                "`channel` and `guild` cannot be asked for together",
            )),
            Self::AllMemories { limit, .. } if !(1..=MOST_MEMORIES).contains(limit) => Err(refuse(
                room_refusals::limit_out_of_range(*limit, MOST_MEMORIES as usize),
            )),
            Self::SearchMemory { text, .. } => check_text_length(text, "text", 1, 400),
            _ => Ok(()),
        }
    }
}
