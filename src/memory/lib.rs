//! What is remembered: core blocks, which every prompt of a scope shows, memories of people and episodes, and recall, which
//! is searched. Scope is decided here and before anything is ranked: text never reaches a channel whose readers could not
//! see its source.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod consolidation;
mod core_memory;
mod entries;
mod forget;
mod group_expressions;
mod profiles;
mod prompt_recall;
mod question_embedder;
mod recall;
mod repeat_guard;

use std::fmt;
use std::sync::Arc;

use tokio::sync::Mutex;

use kith_core::chat::{ChannelId, GuildId};
use kith_store::Store;

use group_expressions::ExpressionCache;
use question_embedder::CurrentEmbedder;
use repeat_guard::ShownMemories;

pub use consolidation::{ConsolidationStep, FinishedTalk};
pub use core_memory::{BlockEdit, BlockEditError};
pub use profiles::{ProfileQuestion, find_speakers};
pub use prompt_recall::RecallContext;
pub use question_embedder::{QuestionEmbedder, QuestionVector};
pub use recall::{HitWithContext, RecallQuestion, RecallSources};

/// What is remembered. Cheap to clone; all handles share one store.
#[derive(Clone)]
pub struct Memory {
    store: Store,
    /// Held while a block is read, changed and written, so that no edit is lost to another channel's.
    edits: Arc<Mutex<()>>,
    shown: Arc<Mutex<ShownMemories>>,
    expressions: ExpressionCache,
    embedder: CurrentEmbedder,
}

impl Memory {
    pub fn new(store: Store) -> Self {
        Self {
            store,
            edits: Arc::default(),
            shown: Arc::default(),
            expressions: ExpressionCache::default(),
            embedder: CurrentEmbedder::default(),
        }
    }

    /// From now on this makes the vectors of questions; with none only words are looked for.
    pub fn set_embedder(&self, embedder: Option<Arc<dyn QuestionEmbedder>>) {
        self.embedder.replace(embedder);
    }
}

/// Who shares a set of core blocks.
///
/// Whatever is written into a block can show up in every prompt of its scope, so a scope may hold only channels with
/// the same readers. The channels of a guild share one; a direct message, and a channel that not everybody in its guild
/// can view, has its own: the caller names such a channel without its guild.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryScope {
    /// All channels of a guild that everybody there can view.
    Guild(GuildId),
    Channel(ChannelId),
}

impl MemoryScope {
    /// The scope of a channel, `guild` being the one whose members can all view it.
    pub fn from_channel(channel: ChannelId, guild: Option<GuildId>) -> Self {
        guild.map_or(Self::Channel(channel), Self::Guild)
    }
}

impl fmt::Display for MemoryScope {
    /// The key it is stored under.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Guild(id) => write!(f, "guild:{id}"),
            Self::Channel(id) => write!(f, "channel:{id}"),
        }
    }
}
