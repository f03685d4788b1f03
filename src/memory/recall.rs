//! Recall: full-text search over what was said, scope first. Never finds what the prompt already shows.

use crate::core::chat::{ChannelId, MessageId, Millis};
use crate::core::context::Recalled;
use crate::core::timeline::TIMELINE_ENTRIES;
use crate::store::{By, Search, StoreError};

use super::{Memory, keywords};

/// Automatic recall looks through this many of the best hits for those that really fit.
const CANDIDATES: usize = 24;

/// Where may be looked, and what is on show already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The channel the text is for.
    pub here: ChannelId,
    /// The channels whose text everybody in `here` can view now; with `here` itself. A direct message stands alone
    /// in its own list and in no other.
    pub channels: Vec<ChannelId>,
    /// The oldest message of `here` that the prompt shows; it and what came after is not recalled.
    pub shown_from: Option<MessageId>,
    /// The newest message of `here` that is left out of the context for good; it and what came before is not recalled.
    pub begins_after: Option<MessageId>,
}

/// What to recall.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Words, any of which will do; without any the newest messages are found.
    pub words: String,
    /// Only what this person wrote.
    pub by: Option<By>,
    /// Not before this.
    pub from: Option<Millis>,
    /// Before this.
    pub to: Option<Millis>,
    /// The most messages to answer with.
    pub limit: usize,
}

impl Memory {
    /// Messages that answer a question, best first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn recall(&self, sources: &Sources, question: Question) -> Result<Vec<Recalled>, StoreError> {
        let limit = question.limit;
        let search = Search {
            channels: sources.channels.clone(),
            words: question.words,
            by: question.by,
            from: question.from,
            to: question.to,
            before_arrival: None,
            // What is on show is dropped below; there is no more of it than a timeline keeps.
            limit: limit.saturating_add(if sources.shown_from.is_some() { TIMELINE_ENTRIES } else { 0 }),
        };
        let found = self.store.search(search).await?;
        let is_out = |channel: ChannelId, id: MessageId| {
            let is_shown = sources.shown_from.is_some_and(|first| id >= first);
            channel == sources.here && (is_shown || sources.begins_after.is_some_and(|last| id <= last))
        };
        let unseen = found.into_iter().filter(|hit| !is_out(hit.channel, hit.id));
        Ok(unseen
            .take(limit)
            .map(|hit| Recalled { at: hit.at, author: hit.author, name: hit.author_name, text: hit.text })
            .collect())
    }

    /// What the newest messages (newest first) bring to mind, best first: earlier messages that share at least two
    /// telling words with them, or their only one. The companion's own `names` tell nothing. Empty where nothing fits or
    /// the store fails: a prompt does without.
    pub async fn recalled(&self, sources: &Sources, newest: &[&str], names: &[String], limit: usize) -> Vec<Recalled> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let keywords = keywords::of(newest, &names);
        if keywords.is_empty() || limit == 0 {
            return Vec::new();
        }
        let needed = keywords.len().min(2);
        let question = Question { words: keywords.join(" "), limit: CANDIDATES, ..Question::default() };
        match self.recall(sources, question).await {
            Ok(mut found) => {
                found.retain(|hit| keywords::shared(&keywords, &hit.text) >= needed);
                found.truncate(limit);
                found
            }
            Err(error) => {
                tracing::warn!(%error, channel = %sources.here, "nothing could be recalled for a prompt");
                Vec::new()
            }
        }
    }
}
