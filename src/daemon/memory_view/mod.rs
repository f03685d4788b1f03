//! The memory as who runs Kith sees it, in the room's page and in the console: core memory, what is remembered of people
//! and of what happened, where that comes from, and its correction and erasure. The same wherever the companion lives.

mod core_memory;
mod entries;
mod places;
mod scope;
mod search;

use super::reply::RequestReply;
use super::state::Daemon;
use core_memory::BlockChange;
use kith_room::{MemoryAnswer, MemoryRequest, PendingRequest};
use scope::MemoryFilter;

pub(super) use entries::{find_entry, replace_entry};
pub(super) use search::to_quoted_line;

type MemoryReply = RequestReply<MemoryAnswer>;

impl Daemon {
    /// Answers what is asked about the memory, in tasks of their own: nothing of it holds the loop up.
    pub(super) fn answer_host_memory_request(
        &self,
        PendingRequest {
            request,
            answer: to,
        }: PendingRequest<MemoryRequest>,
    ) {
        match request {
            MemoryRequest::MemoryPlaces {} => self.list_memory_places(to),
            MemoryRequest::AllMemories {
                channel,
                guild,
                person,
                limit,
            } => {
                let filter = MemoryFilter {
                    channel,
                    guild,
                    person,
                };
                self.list_all_memories(filter, limit as usize, to);
            }
            MemoryRequest::MemoryDetails { channel, id } => {
                self.answer_memory_details(channel, id, to);
            }
            MemoryRequest::ForgetMemory { channel, id } => self.forget_memory(channel, id, to),
            MemoryRequest::EditMemory { channel, id, text } => {
                self.edit_memory(channel, id, text, to);
            }
            MemoryRequest::UndoMemory { channel, id } => self.undo_memory(channel, id, to),
            MemoryRequest::SearchMemory {
                channel,
                guild,
                person,
                text,
            } => {
                let filter = MemoryFilter {
                    channel,
                    guild,
                    person,
                };
                self.search_memory(filter, text, to);
            }
            MemoryRequest::CoreMemory { channel } => self.answer_core_memory(channel, to),
            MemoryRequest::EditBlock {
                channel,
                label,
                text,
            } => self.change_block(channel, label, BlockChange::Rewrite(text), to),
            MemoryRequest::UndoBlock { channel, label } => {
                self.change_block(channel, label, BlockChange::Undo, to);
            }
            MemoryRequest::ForgetBlockHistory { channel, label } => {
                self.change_block(channel, label, BlockChange::ForgetHistory, to);
            }
        }
    }
}
