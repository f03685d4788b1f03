//! The room's half of the loop: coming back, its page's requests, and changed settings.

use super::input::{RoomInput, RoomListener};
use super::platform::RoomPlatform;
use crate::daemon::deliveries::stored_action::build_delivered_event;
use crate::daemon::platform_loop::PlatformLoop;
use crate::daemon::state::Daemon;
use kith_core::chat::{MessageId, Millis};
use kith_core::outgoing::STALE;
use kith_store::StoreError;
use kith_system::clock;

impl PlatformLoop for RoomPlatform {
    type Listener = RoomListener;

    /// Settles the outbox and puts every channel back.
    async fn restore(daemon: &mut Daemon<Self>, now: Millis) -> Result<(), StoreError> {
        daemon.settle_room_outbox(now).await?;
        for channel in daemon.platform.members.channels().to_vec() {
            daemon.restore_channel(now, channel).await?;
        }
        daemon.resume_half_open_sessions().await;
        daemon.resume_proposals();
        Ok(())
    }

    async fn handle_input(daemon: &mut Daemon<Self>, input: RoomInput) {
        match input {
            RoomInput::Requests(requests) => {
                daemon.update_budget_state(clock::now());
                daemon.answer_requests(requests).await;
            }
            RoomInput::Command(channel, command, answer) => {
                daemon.handle_room_command(channel, command, answer).await;
            }
        }
    }

    async fn tick(_: &mut Daemon<Self>, _: Millis) {}

    fn run_chores(_: &mut Daemon<Self>, _: Millis) {}

    async fn reapply_settings(daemon: &mut Daemon<Self>) {
        daemon.reapply_policies();
    }

    async fn store_remaining(_: &mut Daemon<Self>) {}
}

impl Daemon<RoomPlatform> {
    /// In the room a journaled action that is not settled was not delivered, for both would be in the store. A fresh one
    /// is delivered now, a stale one dropped and told.
    async fn settle_room_outbox(&mut self, now: Millis) -> Result<(), StoreError> {
        for outgoing in self.store.pending_outbox().await? {
            if now - outgoing.at > STALE {
                tracing::warn!(channel = %outgoing.channel, "a message journaled before the last stop is too old to send");
                self.store.drop_outgoing(outgoing.nonce).await?;
                continue;
            }
            let own = self.build_own_author(outgoing.channel);
            let id = MessageId(self.platform.ids.next_id(now));
            let incoming = build_delivered_event(&outgoing, own, id);
            self.store.settle(outgoing.nonce, incoming).await?;
        }
        Ok(())
    }
}
