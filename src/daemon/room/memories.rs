//! What is remembered of somebody of the room as `/kith memory` shows it to them, and its correction by their own word.
//! What who runs Kith sees and does is asked elsewhere (`memory_view`).

use super::platform::RoomPlatform;
use crate::daemon::memory_view::{find_entry, replace_entry};
use crate::daemon::reply::{
    RequestReply, refuse_bad_request, reply, reply_later, to_request_refusal,
};
use crate::daemon::state::Daemon;
use kith_commands::can_correct_memory;
use kith_core::chat::{ChannelId, MemoryId, UserId};
use kith_core::memory_entry::MemoryOrigin;
use kith_language::room_refusals;
use kith_room::{RequestRefusal, RoomAnswer, RoomRequest};
use kith_store::{MemoryEdit, MemorySearch};

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
        Ok(MemoryCaller {
            readable: self.find_memory_readable(channel)?,
            person: self.require_person(person)?.id,
        })
    }

    /// Answers what is asked about the memory of somebody. All other requests were answered before.
    pub(super) fn answer_memory_request(&self, request: RoomRequest, to: RequestReply) {
        match request {
            RoomRequest::Memories { channel, person } => self.list_memories(channel, person, to),
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
}
