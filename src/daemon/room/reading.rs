//! Reading a channel: its history, what was not read yet, and the search.

use std::collections::BTreeMap;

use super::platform::RoomPlatform;
use crate::daemon::memory_view::to_quoted_line;
use crate::daemon::reply::{RequestReply, reply_later, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_core::chat::{AuthorKind, ChannelId, MessageId};
use kith_room::{
    HistoryPage, ReactionGroup, RequestRefusal, RoomAnswer, RoomMessage, RoomRequest, UnreadCounts,
};
use kith_store::{DecisionReason, MessageSearch, Store, StoredMessage};

/// The most unread messages that are counted one by one.
const MOST_UNREAD: usize = 100;
const MOST_FOUND: usize = 100;

enum HistoryPosition {
    /// The newest before this one; the newest of all without one.
    Before(Option<MessageId>),
    /// The oldest after this one.
    After(MessageId),
}

impl Daemon<RoomPlatform> {
    pub(super) fn answer_reading_request(&self, request: RoomRequest, to: RequestReply) {
        let store = self.store.clone();
        match request {
            RoomRequest::History {
                channel,
                before,
                after,
                limit,
            } => {
                let known = self.require_channel(channel).map(drop);
                let position =
                    after.map_or(HistoryPosition::Before(before), HistoryPosition::After);
                reply_later(to, async move {
                    known?;
                    load_history_page(&store, channel, position, limit as usize).await
                });
            }
            RoomRequest::Unread { read } => {
                let channels = self.platform.members.channels().iter();
                let channels: Vec<ChannelId> = channels.map(|channel| channel.id).collect();
                reply_later(
                    to,
                    async move { count_unread(&store, channels, read).await },
                );
            }
            RoomRequest::Search { channel, text } => {
                let known = self.require_channel(channel).map(drop);
                reply_later(to, async move {
                    known?;
                    search_channel(&store, channel, text).await
                });
            }
            other => self.answer_memory_request(other, to),
        }
    }
}

async fn load_history_page(
    store: &Store,
    channel: ChannelId,
    position: HistoryPosition,
    limit: usize,
) -> Result<RoomAnswer, RequestRefusal> {
    let (before, limit, has_newer) = match position {
        HistoryPosition::Before(before) => (before, limit, None),
        HistoryPosition::After(after) => {
            let ids = store.find_ids_after(channel, after, limit + 1).await;
            let ids = ids.map_err(to_request_refusal)?;
            let Some(last) = ids.iter().take(limit).next_back() else {
                let (messages, more) = (Vec::new(), false);
                return Ok(RoomAnswer::History(HistoryPage { messages, more }));
            };
            let before = MessageId(last.0.saturating_add(1));
            (Some(before), ids.len().min(limit), Some(ids.len() > limit))
        }
    };
    let mut lines = store
        .load_history_with_reasons(channel, before, limit + 1)
        .await
        .map_err(to_request_refusal)?;
    let has_older = lines.len() > limit;
    if has_older {
        lines.remove(0);
    }
    let more = has_newer.unwrap_or(has_older);
    let messages = lines
        .into_iter()
        .map(|(line, why)| to_room_message(line, why))
        .collect();
    Ok(RoomAnswer::History(HistoryPage { messages, more }))
}

async fn count_unread(
    store: &Store,
    channels: Vec<ChannelId>,
    read: BTreeMap<ChannelId, MessageId>,
) -> Result<RoomAnswer, RequestRefusal> {
    let (mut counts, mut newest) = (BTreeMap::new(), BTreeMap::new());
    for channel in channels {
        let last = store.find_newest_ids(channel, 1).await;
        newest.extend(
            last.map_err(to_request_refusal)?
                .pop()
                .map(|id| (channel, id)),
        );
        if let Some(read) = read.get(&channel) {
            let unread = store.find_ids_after(channel, *read, MOST_UNREAD).await;
            counts.insert(channel, unread.map_err(to_request_refusal)?.len());
        }
    }
    Ok(RoomAnswer::Unread(UnreadCounts { counts, newest }))
}

async fn search_channel(
    store: &Store,
    channel: ChannelId,
    text: String,
) -> Result<RoomAnswer, RequestRefusal> {
    let search = MessageSearch {
        channels: vec![channel],
        words: text,
        limit: MOST_FOUND,
        ..MessageSearch::default()
    };
    let mut found = store.search(search).await.map_err(to_request_refusal)?;
    found.sort_by_key(|hit| std::cmp::Reverse(hit.id));
    Ok(RoomAnswer::Found {
        messages: found.into_iter().map(to_quoted_line).collect(),
    })
}

pub(super) fn to_room_message(line: StoredMessage, why: DecisionReason) -> RoomMessage {
    let mut reactions: Vec<ReactionGroup> = Vec::new();
    for mark in line.reactions {
        match reactions
            .iter_mut()
            .find(|known| known.emoji == *mark.emoji)
        {
            Some(known) => known.by.push(mark.author),
            None => reactions.push(ReactionGroup {
                emoji: mark.emoji.to_string(),
                by: vec![mark.author],
            }),
        }
    }
    // At a person's message the turn is the one it woke, and is asked for with the decision.
    let turn = why
        .turn
        .filter(|_| line.message.author.kind == AuthorKind::Companion);
    RoomMessage {
        message: line.message,
        edited: line.edited,
        reactions,
        decision: why.decision,
        turn,
    }
}
