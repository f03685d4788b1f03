//! Searching the memory, with the reasons why a memory or a line ranks where it does.

use super::MemoryReply;
use super::scope::MemoryFilter;
use crate::daemon::reply::{reply_later, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_core::chat::ChannelId;
use kith_core::recall::find_time_range;
use kith_memory::{HitWithContext, Memory, RecallQuestion, RecallSources};
use kith_room::{FoundLine, MemoryAnswer, MemorySearchResult, QuotedLine, RequestRefusal};
use kith_store::{MemorySearch, SearchHit};
use kith_system::clock;

/// The most lines, and the most memories, a search answers with.
const MOST_FOUND: usize = 20;

impl Daemon {
    /// What answers a question: memories, and where it is asked of a channel lines, too, by the ranking that the tool
    /// `recall` uses. Lines of everywhere would not be ranked by the talk they stand in.
    pub(super) fn search_memory(&self, filter: MemoryFilter, text: String, to: MemoryReply) {
        let scope = self.find_memory_channels(&filter);
        let state = filter.channel.and_then(|id| self.core.channel_state(id));
        let zone = state.map(|state| state.policy().persona.timezone());
        let (memory, store, now) = (self.memory.clone(), self.store.clone(), clock::now());
        reply_later(to, async move {
            let channels = scope?;
            let search = MemorySearch {
                channels: channels.clone(),
                people: filter.person.into_iter().collect(),
                words: text.clone(),
                limit: MOST_FOUND,
                ..MemorySearch::default()
            };
            let memories = store.rank_memories(search).await;
            let lines = match filter.channel {
                Some(here) => {
                    let question = RecallQuestion {
                        period: zone.and_then(|zone| find_time_range(&text, now, zone)),
                        now: Some(now),
                        words: text,
                        limit: MOST_FOUND,
                        ..RecallQuestion::default()
                    };
                    find_lines(&memory, here, channels, question).await?
                }
                None => Vec::new(),
            };
            Ok(MemoryAnswer::Search(MemorySearchResult {
                memories: memories.map_err(to_request_refusal)?,
                lines,
            }))
        });
    }
}

async fn find_lines(
    memory: &Memory,
    here: ChannelId,
    channels: Vec<ChannelId>,
    question: RecallQuestion,
) -> Result<Vec<FoundLine>, RequestRefusal> {
    let sources = RecallSources {
        here,
        channels,
        shown_from: None,
        begins_after: None,
    };
    let hits = memory.find_hits(&sources, question).await;
    let hits = hits.map_err(to_request_refusal)?.into_iter();
    Ok(hits.map(to_found_line).collect())
}

fn to_found_line(found: HitWithContext) -> FoundLine {
    FoundLine {
        score: found.hit.score,
        parts: found.parts,
        line: to_quoted_line(found.hit),
        before: found.before.map(to_quoted_line),
        after: found.after.map(to_quoted_line),
    }
}

pub(in crate::daemon) fn to_quoted_line(hit: SearchHit) -> QuotedLine {
    QuotedLine {
        id: hit.id,
        channel: hit.channel,
        at: hit.at,
        author: hit.author,
        name: hit.author_name.to_string(),
        text: hit.text.to_string(),
    }
}
