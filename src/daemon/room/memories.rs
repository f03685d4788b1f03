//! What is remembered, for the page: of somebody of the room as `/kith memory` shows it, and all of it as who runs Kith
//! sees it; its correction and deletion. Shown is only what everybody may see who sees the channel it is asked in, so that
//! no direct message of others shows.

use super::core_memory::BlockChange;
use super::platform::RoomPlatform;
use crate::daemon::reply::{
    RequestReply, refuse_bad_request, refuse_missing, reply, reply_later, to_request_refusal,
};
use crate::daemon::state::Daemon;
use kith_commands::{can_correct_memory, can_delete_memory};
use kith_core::chat::{ChannelId, MemoryId, UserId};
use kith_core::memory_entry::{MEMORY_CHARACTERS, MemoryEntry, MemoryOrigin};
use kith_language::room_refusals;
use kith_memory::Memory;
use kith_room::{
    MemoryDetails, MemoryOverview, QuotedLine, RequestRefusal, RoomAnswer, RoomRequest,
};
use kith_store::{MemoryEdit, MemorySearch, Store};
use kith_system::clock;
use kith_tools::ToolHost;

/// The most entries that are shown of one person.
const MOST_SHOWN: usize = 200;
/// The most entries that are shown of what one took the place of.
const LONGEST_TRAIL: usize = 20;

/// Who asks, and what is readable where they ask.
struct MemoryCaller {
    person: UserId,
    readable: Vec<ChannelId>,
}

impl Daemon<RoomPlatform> {
    fn find_memory_caller(
        &self,
        channel: ChannelId,
        person: UserId,
    ) -> Result<MemoryCaller, RequestRefusal> {
        Ok(MemoryCaller {
            readable: self.find_readable(channel)?,
            person: self.require_person(person)?.id,
        })
    }

    /// Answers what is asked about the memory. What changes something in the room was answered before.
    pub(super) fn answer_memory_request(&self, request: RoomRequest, to: RequestReply) {
        match request {
            RoomRequest::Memories { channel, person } => self.list_memories(channel, person, to),
            RoomRequest::ForgetMemory {
                channel,
                person,
                id,
            } => self.forget_memory((channel, person), id, to),
            RoomRequest::CorrectMemory {
                channel,
                person,
                id,
                text,
            } => self.correct_memory((channel, person), id, text, to),
            RoomRequest::AllMemories { channel, limit } => {
                self.list_all_memories(channel, limit as usize, to);
            }
            RoomRequest::MemoryDetails { channel, id } => {
                self.answer_memory_details(channel, id, to);
            }
            RoomRequest::EditMemory { channel, id, text } => {
                self.edit_memory(channel, id, text, to);
            }
            RoomRequest::UndoMemory { channel, id } => self.undo_memory(channel, id, to),
            RoomRequest::SearchMemory { channel, text } => self.search_memory(channel, text, to),
            RoomRequest::CoreMemory { channel } => self.answer_core_memory(channel, to),
            RoomRequest::EditBlock {
                channel,
                label,
                text,
            } => self.change_block(channel, label, BlockChange::Rewrite(text), to),
            RoomRequest::UndoBlock { channel, label } => {
                self.change_block(channel, label, BlockChange::Undo, to);
            }
            RoomRequest::ForgetBlockHistory { channel, label } => {
                self.change_block(channel, label, BlockChange::ForgetHistory, to);
            }
            _ => {
                let text = "not understood; this is a fault of kith";
                reply(to, Err(RequestRefusal::unavailable(text)));
            }
        }
    }

    /// What is remembered of somebody.
    fn list_memories(&self, channel: ChannelId, person: UserId, to: RequestReply) {
        let (caller, store) = (self.find_memory_caller(channel, person), self.store.clone());
        reply_later(to, async move {
            let caller = caller?;
            let search = MemorySearch {
                channels: caller.readable,
                people: vec![caller.person],
                limit: MOST_SHOWN,
                ..MemorySearch::default()
            };
            let found = store.find_memories(search).await;
            let memories = found.map_err(to_request_refusal)?;
            Ok(RoomAnswer::Memories { memories })
        });
    }

    /// One entry is forgotten. Everybody in the room moderates it.
    fn forget_memory(
        &self,
        (channel, person): (ChannelId, UserId),
        id: MemoryId,
        to: RequestReply,
    ) {
        let (caller, store) = (self.find_memory_caller(channel, person), self.store.clone());
        reply_later(to, async move {
            let caller = caller?;
            let entry = find_entry(&store, &caller.readable, id).await?;
            if !can_delete_memory(&entry, caller.person, true) {
                return Err(describe_missing());
            }
            let deleted = store.delete_memory(id).await;
            deleted.map_err(to_request_refusal)?;
            Ok(RoomAnswer::Done {})
        });
    }

    /// One entry says something else, by the word of whom it is about.
    fn correct_memory(
        &self,
        (channel, person): (ChannelId, UserId),
        id: MemoryId,
        text: String,
        to: RequestReply,
    ) {
        let (caller, store) = (self.find_memory_caller(channel, person), self.store.clone());
        let memory = self.memory.clone();
        reply_later(to, async move {
            let caller = caller?;
            let entry = find_entry(&store, &caller.readable, id).await?;
            if !can_correct_memory(&entry, caller.person) {
                return Err(refuse_bad_request(room_refusals::memory_of_another()));
            }
            let edit = MemoryEdit::from_text(&text, MemoryOrigin::Person, Some(caller.person));
            let memories = vec![replace_entry(&memory, &store, &caller.readable, id, edit).await?];
            Ok(RoomAnswer::Memories { memories })
        });
    }

    /// Everything that may be seen in a channel.
    fn list_all_memories(&self, channel: ChannelId, limit: usize, to: RequestReply) {
        let (readable, store) = (self.find_readable(channel), self.store.clone());
        reply_later(to, async move {
            let channels = readable?;
            let people = store.find_known_people(channels.clone()).await;
            let search = MemorySearch {
                channels,
                limit: limit + 1,
                ..MemorySearch::default()
            };
            let found = store.find_memories(search).await;
            let mut memories = found.map_err(to_request_refusal)?;
            let more = memories.len() > limit;
            memories.truncate(limit);
            Ok(RoomAnswer::MemoryOverview(MemoryOverview {
                people: people.map_err(to_request_refusal)?,
                memories,
                more,
            }))
        });
    }

    /// The lines an entry was taken from, and what it took the place of.
    fn answer_memory_details(&self, channel: ChannelId, id: MemoryId, to: RequestReply) {
        let (readable, store) = (self.find_readable(channel), self.store.clone());
        reply_later(to, async move {
            let readable = readable?;
            let entry = find_entry(&store, &readable, id).await?;
            let (channel, ids) = (entry.content.channel, entry.content.sources);
            let (all, said) = (ids.len(), store.find_source_messages(channel, ids).await);
            let sources = said.map_err(to_request_refusal)?.into_iter();
            let sources: Vec<QuotedLine> = sources
                .map(|(id, line)| QuotedLine {
                    id,
                    channel,
                    at: line.at,
                    author: line.author,
                    name: line.name.to_string(),
                    text: line.text.to_string(),
                })
                .collect();
            Ok(RoomAnswer::MemoryDetails(MemoryDetails {
                missing: all.saturating_sub(sources.len()),
                sources,
                trail: load_trail(&store, &readable, id).await?,
            }))
        });
    }

    /// One entry says something else, by the word of who runs Kith.
    fn edit_memory(&self, channel: ChannelId, id: MemoryId, text: String, to: RequestReply) {
        let (readable, store) = (self.find_readable(channel), self.store.clone());
        let memory = self.memory.clone();
        reply_later(to, async move {
            let readable = readable?;
            find_entry(&store, &readable, id).await?;
            let edit = MemoryEdit::from_text(&text, MemoryOrigin::Host, None);
            let memories = vec![replace_entry(&memory, &store, &readable, id, edit).await?];
            Ok(RoomAnswer::Memories { memories })
        });
    }

    /// What an entry took the place of holds again.
    fn undo_memory(&self, channel: ChannelId, id: MemoryId, to: RequestReply) {
        let (readable, store) = (self.find_readable(channel), self.store.clone());
        reply_later(to, async move {
            let readable = readable?;
            find_entry(&store, &readable, id).await?;
            let before = find_superseded(&store, &readable, id).await?;
            if before.is_empty() {
                return Err(refuse_bad_request(room_refusals::nothing_superseded()));
            }
            let restored = store.undo_memory_edit(id).await;
            restored.map_err(to_request_refusal)?;
            let mut memories = Vec::new();
            for entry in before {
                memories.push(find_entry(&store, &readable, entry.id).await?);
            }
            Ok(RoomAnswer::Memories { memories })
        });
    }

    /// The channels whose text may be shown to whoever sees this one.
    pub(super) fn find_readable(
        &self,
        channel: ChannelId,
    ) -> Result<Vec<ChannelId>, RequestRefusal> {
        self.require_channel(channel)?;
        let host = self.platform.members.tool_host();
        Ok(host.find_readable_channels(channel))
    }
}

/// Says an entry in other words, and answers with what takes its place.
async fn replace_entry(
    memory: &Memory,
    store: &Store,
    readable: &[ChannelId],
    id: MemoryId,
    edit: Option<MemoryEdit>,
) -> Result<MemoryEntry, RequestRefusal> {
    let edit =
        edit.ok_or_else(|| refuse_bad_request(room_refusals::memory_length(MEMORY_CHARACTERS)))?;
    let edited = memory.correct(id, edit, clock::now()).await;
    let new = edited.map_err(to_request_refusal)?;
    let new = new.ok_or_else(|| refuse_bad_request(room_refusals::memory_sensitive()))?;
    find_entry(store, readable, new).await
}

/// What an entry took the place of, as far as it may be seen.
async fn find_superseded(
    store: &Store,
    readable: &[ChannelId],
    id: MemoryId,
) -> Result<Vec<MemoryEntry>, RequestRefusal> {
    let found = store.superseded_memories(id).await;
    let mut before = found.map_err(to_request_refusal)?;
    before.retain(|entry| readable.contains(&entry.content.channel));
    Ok(before)
}

/// The same, and what that took the place of.
async fn load_trail(
    store: &Store,
    readable: &[ChannelId],
    id: MemoryId,
) -> Result<Vec<MemoryEntry>, RequestRefusal> {
    let mut trail = find_superseded(store, readable, id).await?;
    let mut looked_at = 0;
    while looked_at < trail.len() && trail.len() < LONGEST_TRAIL {
        let before = find_superseded(store, readable, trail[looked_at].id).await?;
        trail.extend(before);
        looked_at += 1;
    }
    Ok(trail)
}

async fn find_entry(
    store: &Store,
    readable: &[ChannelId],
    id: MemoryId,
) -> Result<MemoryEntry, RequestRefusal> {
    let entry = store.memory(id).await.map_err(to_request_refusal)?;
    entry
        .filter(|entry| readable.contains(&entry.content.channel))
        .ok_or_else(describe_missing)
}

fn describe_missing() -> RequestRefusal {
    refuse_missing(room_refusals::no_memory())
}
