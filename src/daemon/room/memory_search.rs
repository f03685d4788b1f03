//! Searching the memory from the page, with the reasons why a line ranks where it does.

use super::platform::RoomPlatform;
use crate::daemon::reply::{RequestReply, reply_later, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_core::chat::ChannelId;
use kith_core::recall::find_time_range;
use kith_memory::{HitInTalk, RecallQuestion, RecallSources};
use kith_room::{FoundLine, MemorySearchResult, QuotedLine, RoomAnswer};
use kith_store::{MemorySearch, SearchHit};
use kith_system::clock;

/// The most lines, and the most memories, a search answers with.
const MOST_FOUND: usize = 20;

impl Daemon<RoomPlatform> {
    /// What answers a question, by the ranking that the tool `recall` uses.
    pub(super) fn search_memory(&self, channel: ChannelId, text: String, to: RequestReply) {
        let readable = self.find_readable(channel);
        let state = self.core.channel_state(channel);
        let zone = state.map(|state| state.policy().persona.timezone());
        let (memory, store, now) = (self.memory.clone(), self.store.clone(), clock::now());
        reply_later(to, async move {
            let channels = readable?;
            let search = MemorySearch {
                channels: channels.clone(),
                words: text.clone(),
                limit: MOST_FOUND,
                ..MemorySearch::default()
            };
            let memories = store.rank_memories(search).await;
            let sources = RecallSources {
                here: channel,
                channels,
                shown_from: None,
                begins_after: None,
            };
            let question = RecallQuestion {
                period: zone.and_then(|zone| find_time_range(&text, now, zone)),
                now: Some(now),
                words: text,
                limit: MOST_FOUND,
                ..RecallQuestion::default()
            };
            let hits = memory.find_hits(&sources, question).await;
            let lines = hits.map_err(to_request_refusal)?.into_iter();
            Ok(RoomAnswer::MemorySearch(MemorySearchResult {
                memories: memories.map_err(to_request_refusal)?,
                lines: lines.map(to_found_line).collect(),
            }))
        });
    }
}

fn to_found_line(found: HitInTalk) -> FoundLine {
    FoundLine {
        score: found.hit.score,
        parts: found.parts,
        line: to_quoted_line(found.hit),
        before: found.before.map(to_quoted_line),
        after: found.after.map(to_quoted_line),
    }
}

/// A line that was found, as the page shows it.
pub(super) fn to_quoted_line(hit: SearchHit) -> QuotedLine {
    QuotedLine {
        id: hit.id,
        channel: hit.channel,
        at: hit.at,
        author: hit.author,
        name: hit.author_name.to_string(),
        text: hit.text.to_string(),
    }
}
