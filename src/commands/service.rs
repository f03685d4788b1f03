//! What answers requests: the store and the memory, and what of them several requests look up.

use kith_core::chat::{ChannelId, MessageId, TurnId};
use kith_memory::Memory;
use kith_store::{Store, StoreError, StoredMessage};

/// Answers what people ask. Cheap to clone.
#[derive(Clone)]
pub struct CommandService {
    pub(super) store: Store,
    pub(super) memory: Memory,
}

impl CommandService {
    pub fn new(store: Store, memory: Memory) -> Self {
        Self { store, memory }
    }

    pub(super) async fn find_turn_channel(
        &self,
        turn: TurnId,
    ) -> Result<Option<ChannelId>, StoreError> {
        Ok(self.store.turn(turn).await?.map(|turn| turn.report.channel))
    }

    pub(super) async fn find_message(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> Result<Option<StoredMessage>, StoreError> {
        self.store.find_message(channel, message).await
    }
}
