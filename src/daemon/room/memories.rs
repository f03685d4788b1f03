//! The room's side of `/kith memory`: what is remembered of somebody of the room, its correction and deletion. Shown is
//! only what everybody may see who sees the channel it is asked in, so that no direct message of others shows.

use super::platform::RoomPlatform;
use crate::daemon::reply::{RequestReply, reply, reply_later, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_commands::{can_correct_memory, can_delete_memory};
use kith_core::chat::{ChannelId, MemoryId, UserId};
use kith_core::memory_entry::{MEMORY_CHARACTERS, MemoryEntry, MemoryOrigin};
use kith_room::{RequestRefusal, RoomAnswer, RoomRequest};
use kith_store::{MemoryEdit, MemorySearch, Store};
use kith_system::clock;
use kith_tools::ToolHost;

/// The most entries that are shown of one person.
const MOST_SHOWN: usize = 200;

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
        self.require_channel(channel)?;
        Ok(MemoryCaller {
            person: self.require_person(person)?.id,
            readable: self
                .platform
                .members
                .tool_host()
                .find_readable_channels(channel),
        })
    }

    /// Answers what is asked about memories.
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
            let entry = find_entry(&store, &caller, id).await?;
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
            let entry = find_entry(&store, &caller, id).await?;
            if !can_correct_memory(&entry, caller.person) {
                return Err(RequestRefusal::bad_request(
                    "that is about somebody else, so only they can correct it; it can be deleted",
                ));
            }
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if text.is_empty() || text.chars().count() > MEMORY_CHARACTERS {
                return Err(RequestRefusal::bad_request(format!(
                    "write what is right in 1 to {MEMORY_CHARACTERS} characters"
                )));
            }
            let edit = MemoryEdit {
                text,
                origin: MemoryOrigin::Person,
                said_by: Some(caller.person),
            };
            let edited = memory.correct(id, edit, clock::now()).await;
            let new = edited.map_err(to_request_refusal)?;
            let new = new.ok_or_else(|| {
                RequestRefusal::bad_request(
                    "that tells of health, sexuality, religion, politics or whereabouts of several people, which is not kept",
                )
            })?;
            let entry = find_entry(&store, &caller, new).await?;
            Ok(RoomAnswer::Memories {
                memories: vec![entry],
            })
        });
    }
}

async fn find_entry(
    store: &Store,
    caller: &MemoryCaller,
    id: MemoryId,
) -> Result<MemoryEntry, RequestRefusal> {
    let entry = store.memory(id).await.map_err(to_request_refusal)?;
    entry
        .filter(|entry| caller.readable.contains(&entry.content.channel))
        .ok_or_else(describe_missing)
}

fn describe_missing() -> RequestRefusal {
    RequestRefusal::not_found("nothing of that number is remembered that can be seen here")
}
