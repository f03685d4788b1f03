//! Recall: full-text search over what was said, scope first. Never finds what the prompt already shows.

use std::collections::HashMap;

use kith_core::chat::{ChannelId, MessageId, Millis, UserId};
use kith_core::context::RecalledMessage;
use kith_core::recall::{AROUND, RecallLine, RecallQuery, extract_terms, rank_lines};
use kith_core::timeline::TIMELINE_ENTRIES;
use kith_store::{MessageSearch, SearchAuthor, SearchContext, SearchHit, StoreError};

use super::{Memory, keywords};

/// Automatic recall looks through this many of the best hits for those that really fit.
const CANDIDATES: usize = 24;
/// So many of the lines that hold a word of a question are ranked with what stands around them.
const RANKED: usize = 200;
/// What fits so much worse than the best line is not shown.
const WORTH_SHOWING: f64 = 0.2;

/// Where may be looked, and what is on show already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecallSources {
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
pub struct RecallQuestion {
    /// A question, or words, any of which will do; without any the newest messages are found.
    pub words: String,
    /// Who asks, if that is known: what somebody asks about themselves is best found in what they said.
    pub asker: Option<UserId>,
    /// Only what this person wrote.
    pub author: Option<SearchAuthor>,
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
    pub async fn recall(
        &self,
        sources: &RecallSources,
        question: RecallQuestion,
    ) -> Result<Vec<RecalledMessage>, StoreError> {
        let mut found = self.search(sources, question).await?;
        let best = found.first().map_or(0.0, |hit| hit.score);
        found.retain(|hit| hit.score >= WORTH_SHOWING * best);
        let recalled = |hit: SearchHit| RecalledMessage {
            at: hit.at,
            author: hit.author,
            name: hit.author_name,
            text: hit.text,
        };
        Ok(found.into_iter().map(recalled).collect())
    }

    /// The same with ids and scores.
    ///
    /// # Errors
    /// The store failed.
    pub async fn search(
        &self,
        sources: &RecallSources,
        question: RecallQuestion,
    ) -> Result<Vec<SearchHit>, StoreError> {
        let RecallQuestion {
            words,
            asker,
            author: by,
            from,
            to,
            limit,
        } = question;
        let has_words = !words.trim().is_empty();
        // What is on show is dropped below; there is no more of it than a timeline keeps.
        let shown = if sources.shown_from.is_some() {
            TIMELINE_ENTRIES
        } else {
            0
        };
        let least = if has_words { RANKED } else { limit };
        let channels = sources.channels.clone();
        let limits = MessageSearch {
            channels,
            author: by,
            from,
            to,
            limit: least.saturating_add(shown),
            ..MessageSearch::default()
        };
        let found = match has_words {
            true => {
                let search = MessageSearch {
                    words: words.clone(),
                    ..limits.clone()
                };
                let around = self.store.search_with_context(search, AROUND.len()).await?;
                rank_hits(&words, asker, around, &limits)
            }
            false => self.store.search(limits).await?,
        };
        let is_out = |channel: ChannelId, id: MessageId| {
            let is_shown = sources.shown_from.is_some_and(|first| id >= first);
            channel == sources.here
                && (is_shown || sources.begins_after.is_some_and(|last| id <= last))
        };
        Ok(found
            .into_iter()
            .filter(|hit| !is_out(hit.channel, hit.id))
            .take(limit)
            .collect())
    }

    /// What the newest messages (newest first) bring to mind, best first: earlier messages that share at least two
    /// telling words with them, or their only one. The companion's own `names` tell nothing. Empty where nothing fits or
    /// the store fails: a prompt does without.
    pub async fn recall_for_prompt(
        &self,
        sources: &RecallSources,
        newest: &[&str],
        names: &[String],
        limit: usize,
    ) -> Vec<RecalledMessage> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let keywords = keywords::extract_keywords(newest, &names);
        if keywords.is_empty() || limit == 0 {
            return Vec::new();
        }
        let needed = keywords.len().min(2);
        let question = RecallQuestion {
            words: keywords.join(" "),
            limit: CANDIDATES,
            ..RecallQuestion::default()
        };
        match self.recall(sources, question).await {
            Ok(mut found) => {
                let keywords: Vec<Vec<String>> =
                    keywords.iter().map(|word| extract_terms(word)).collect();
                found.retain(|hit| keywords::count_shared(&keywords, &hit.text) >= needed);
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

/// The lines that answer a question, best first, within the limits of the search.
fn rank_hits(
    question: &str,
    asker: Option<UserId>,
    around: SearchContext,
    limits: &MessageSearch,
) -> Vec<SearchHit> {
    let SearchContext {
        stretches,
        frequencies,
        messages,
    } = around;
    let lines: Vec<Vec<RecallLine<'_>>> = stretches
        .iter()
        .map(|stretch| stretch.iter().map(to_recall_line).collect())
        .collect();
    let frequencies: HashMap<String, u64> = frequencies.into_iter().collect();
    let asked = RecallQuery {
        text: question,
        asker,
        frequencies,
        messages,
    };
    let ranked = rank_lines(&asked, &lines);
    let is_within = |hit: &SearchHit| {
        let is_by = match &limits.author {
            None => true,
            Some(SearchAuthor::Id(id)) => hit.author == *id,
            Some(SearchAuthor::Name(name)) => hit
                .author_name
                .to_lowercase()
                .contains(&name.trim().to_lowercase()),
        };
        let (from, to) = (
            limits.from.unwrap_or(Millis::MIN),
            limits.to.unwrap_or(Millis::MAX),
        );
        is_by && (from..to).contains(&hit.at)
    };
    let hits = ranked.into_iter().map(|place| SearchHit {
        score: place.score,
        ..stretches[place.at.0][place.at.1].clone()
    });
    hits.filter(is_within).collect()
}

fn to_recall_line(found: &SearchHit) -> RecallLine<'_> {
    let SearchHit {
        channel,
        id,
        at,
        author,
        author_name,
        text,
        ..
    } = found;
    RecallLine {
        channel: *channel,
        id: *id,
        at: *at,
        author: *author,
        name: author_name,
        text,
    }
}
