//! What is done by the clock: waking the core, saving channel states, watching the budget and the clock itself.

use std::collections::BTreeMap;

use super::clock_trust::ClockFinding;
use crate::daemon::loop_message::LoopMessage;
use crate::daemon::state::Daemon;
use kith_core::chat::{ChannelId, MINUTE, Millis, SECOND};
use kith_core::event::Event;
use kith_model::BudgetLedger;
use kith_observe::CardSeverity;
use kith_room::LiveEvent;
use kith_store::{StoreError, StoreReply};
use kith_system::clock;

impl Daemon {
    pub(in crate::daemon) fn next_deadline(&mut self) -> Option<Millis> {
        let now = clock::now();
        let renewed = self
            .model_calls
            .is_limited()
            .then(|| BudgetLedger::next_renewal(now));
        let due = self.platform.next_deadline(now);
        let expires = self.next_expiry();
        [
            self.core.next_deadline(),
            Some(self.upkeep.next_due(now)),
            renewed,
            due,
            expires,
            self.next_consolidation(),
            self.next_embedding(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    pub(in crate::daemon) fn tick(&mut self, now: Millis) {
        if self.upkeep.is_pruning_due(now) && self.is_clock_trusted() {
            self.prune_messages(now);
        }
        if self.upkeep.is_rewriting_due(now) {
            let rewriting = self.store.finish_rewriting();
            tokio::spawn(async move {
                if let Err(error) = rewriting.await {
                    tracing::warn!(%error, "what was erased may still be in the database's files; trying again later");
                }
            });
        }
        self.start_due_consolidation(now);
        self.start_due_embedding(now);
        self.expire_proposals(now);
        self.update_budget_state(now);
        self.decision_times.touch_overdue(now);
        self.handle_event(Event::Tick);
    }

    /// Has a large database looked through for damage, which would hold up the start.
    pub(in crate::daemon) fn look_for_damage(&self) {
        if !self.store.is_unchecked() {
            return;
        }
        let (checking, loop_sender) = (self.store.check(), self.loop_sender.clone());
        tokio::spawn(async move {
            match checking.await {
                Err(error @ StoreError::Damaged { .. }) => {
                    drop(loop_sender.send(LoopMessage::DatabaseDamaged(error)).await)
                }
                Err(error) => {
                    tracing::warn!(%error, "the database could not be looked through for damage")
                }
                Ok(()) => {}
            }
        });
    }

    /// Whether what is old by the clock may be removed.
    pub(in crate::daemon) fn is_clock_trusted(&self) -> bool {
        self.upkeep.is_clock_trusted()
    }

    pub(in crate::daemon) async fn check_clock(&mut self, now: Millis) {
        // A clock that is later than the times of a platform's messages by little is right.
        if self.platform.abilities().own_clock {
            match self.store.find_newest_time().await {
                Ok(newest) => self.upkeep.record_external_time(newest),
                Err(error) => {
                    tracing::warn!(%error, "the time of the newest message cannot be read")
                }
            }
        }
        let (finding, kept) = self.upkeep.check_clock(now, &self.store);
        match finding {
            Some(ClockFinding::Leapt { text }) => {
                tracing::warn!("{text}");
                self.send_live_event(LiveEvent::Notice { text });
            }
            Some(ClockFinding::Believed) => {
                tracing::info!("the clock is believed: what is old is removed again")
            }
            None => {}
        }
        tokio::spawn(async move {
            if let Err(error) = kept.await {
                tracing::warn!(%error, "the time could not be stored; a restart may take the clock for wrong");
            }
        });
    }

    /// Tells the host once that the machine's clock is wrong by Discord's, and the log that it is right again.
    pub(in crate::daemon) fn tell_clock_correction(&mut self) {
        let is_first = self.platform.partition().is_first();
        match self.upkeep.take_clock_correction().filter(|_| is_first) {
            None => {}
            Some(0) => tracing::info!("the machine's clock agrees with Discord's again"),
            Some(behind) => {
                let (minutes, rest) = (behind.abs() / MINUTE, behind.abs() % MINUTE / SECOND);
                let wrong = if behind > 0 { "slow" } else { "fast" };
                let text = format!(
                    "The clock of this machine is {minutes} min {rest} s {wrong} by Discord's: set it. Until then Kith \
                     goes by Discord's time."
                );
                self.notify_operator(CardSeverity::Warning, text);
            }
        }
    }

    pub(in crate::daemon) fn save_states_if_due(&mut self) {
        let now = clock::now();
        let (core, observer, platform) = (&self.core, &self.observer, &self.platform);
        let is_wanted =
            || core.has_changed_states() || observer.has_unwritten() || platform.has_unsaved();
        if !self.upkeep.is_saving_due(now, is_wanted) {
            return;
        }
        if let Some(text) = self.observer.retry() {
            self.send_live_event(LiveEvent::Notice { text });
        }
        self.save_channel_states(now);
        tokio::spawn(self.platform.save());
    }

    /// Saves one channel at once, for what must not wait.
    pub(in crate::daemon) fn save_channel_state(
        &self,
        channel: ChannelId,
        now: Millis,
    ) -> Option<StoreReply<()>> {
        let state = serde_json::to_string(self.core.channel_state(channel)?.state());
        let state = state.inspect_err(|error| {
            tracing::error!(%error, %channel, "the channel's state cannot be written as JSON");
        });
        state.ok().map(|state| {
            self.store
                .save_channel_states(BTreeMap::from([(channel, state)]), now)
        })
    }

    pub(in crate::daemon) fn save_channel_states(&mut self, now: Millis) {
        self.observer.queue_decisions();
        let changed = self.core.take_changed_states();
        self.observer.record_channel_states(changed, now);
    }
}
