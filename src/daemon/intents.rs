//! What the companion waits for: kept in the store, told to the page, and taken away where somebody asks for that.

use super::reply::refuse_missing;
use super::state::Daemon;
use kith_core::chat::{ChannelId, IntentionId};
use kith_core::event::Event;
use kith_core::intent::{IntentEnd, ScheduledIntent};
use kith_language::room_refusals;
use kith_room::{LiveEvent, RequestRefusal};
use kith_store::StoreReply;

impl Daemon {
    pub(super) fn store_intention(&mut self, channel: ChannelId, intention: ScheduledIntent) {
        let written = self.store.put_intention(channel, intention);
        self.log_write_failure(channel, written);
        self.send_live_event(LiveEvent::Intentions {
            channel,
            over: None,
        });
    }

    pub(super) fn end_intention(&mut self, channel: ChannelId, id: IntentionId, over: IntentEnd) {
        tracing::info!(%channel, ?over, "an intention is over");
        self.log_write_failure(channel, self.store.drop_intention(channel, id));
        self.send_live_event(LiveEvent::Intentions {
            channel,
            over: Some(over),
        });
    }

    /// Queued in its order; nobody waits for it, but a failure is told.
    pub(super) fn log_write_failure(&self, channel: ChannelId, written: StoreReply<()>) {
        tokio::spawn(async move {
            if let Err(error) = written.await {
                tracing::error!(%error, %channel, "what it waits for could not be stored");
            }
        });
    }

    pub(super) fn drop_all_intentions(&mut self, channel: ChannelId) {
        let intentions = self
            .core
            .channel_state(channel)
            .map(|channel_state| channel_state.intentions())
            .unwrap_or_default();
        let ids: Vec<IntentionId> = intentions.iter().map(|intention| intention.id).collect();
        ids.into_iter()
            .for_each(|id| self.handle_event(Event::IntentDropped { channel, id }));
    }

    pub(super) fn drop_intention(
        &mut self,
        channel: ChannelId,
        id: IntentionId,
    ) -> Result<(), RequestRefusal> {
        let channel_state = self.core.channel_state(channel);
        let there = channel_state.is_some_and(|state| {
            state
                .intentions()
                .iter()
                .any(|intention| intention.id == id)
        });
        if !there {
            return Err(refuse_missing(room_refusals::intention_over()));
        }
        self.handle_event(Event::IntentDropped { channel, id });
        Ok(())
    }
}
