//! Storing what was heard, and only then letting the core hear it (Law 2).

use tokio::time::sleep;

use super::DiscordPlatform;
use super::task_event::DiscordTaskEvent;
use crate::daemon::deliveries::StoredDelivery;
use crate::daemon::deliveries::stored_action::to_stored_event;
use crate::daemon::state::Daemon;
use kith_core::event::ChatEvent;
use kith_language::discord;
use kith_observe::CardSeverity;
use kith_store::{AppendOutcome, StoreError};
use kith_system::clock;

impl Daemon<DiscordPlatform> {
    /// Stores what came in together, then the core hears it. What the store refuses waits, and all after it.
    pub(in crate::daemon) async fn store_incoming(&mut self, incoming: Vec<ChatEvent>) {
        let platform = &self.platform;
        if !platform.unstored.is_empty() {
            return self.queue_unstored(incoming);
        }
        let begun = clock::monotonic();
        let stored = match incoming.is_empty() {
            true => Ok(Vec::new()),
            false => {
                let stored = self.store.append(incoming.clone()).await;
                self.metrics.record_append(begun.elapsed());
                stored
            }
        };
        match stored {
            Ok(stored) => {
                self.handle_stored_events(incoming, stored);
                self.finish_storing();
            }
            Err(error) => {
                self.notify_operator(CardSeverity::Warning, self.describe_store_refusal(&error));
                self.queue_unstored(incoming);
                self.handle_store_refusal();
            }
        }
    }

    pub(in crate::daemon) fn handle_store_retry(
        &mut self,
        stored: Result<Vec<AppendOutcome>, StoreError>,
    ) {
        let platform = &mut self.platform;
        match stored {
            Ok(stored) => {
                let events = platform.unstored.take_stored(stored.len());
                self.handle_stored_events(events, stored);
            }
            Err(error) => {
                tracing::warn!(%error, "what was heard is still not stored; it is tried again");
                return self.handle_store_refusal();
            }
        }
        if !self.platform.unstored.is_empty() {
            return self.retry_storing();
        }
        tracing::info!("all that was heard is stored again");
        self.finish_storing();
    }

    /// The daemon stops: what waits is offered once more. Messages that are lost now are fetched at the next start.
    pub(in crate::daemon) async fn store_remaining_events(&mut self) {
        let platform = &mut self.platform;
        let events = platform.unstored.take_stored(usize::MAX);
        if events.is_empty() {
            return;
        }
        let count = events.len();
        match self.store.append(events.clone()).await {
            Ok(_) => events.iter().for_each(|event| self.mark_as_heard(event)),
            Err(error) => {
                self.platform.session_records.clear();
                tracing::error!(
                    %error, count, "not stored: its messages are fetched at the next start, other changes are lost"
                );
            }
        }
    }

    fn handle_store_refusal(&mut self) {
        self.platform.unstored.record_refusal();
        self.retry_storing();
    }

    fn retry_storing(&self) {
        let platform = &self.platform;
        let (pause, events) = platform.unstored.next_batch();
        let (store, task_sender) = (self.store.clone(), platform.task_sender.clone());
        tokio::spawn(async move {
            sleep(pause).await;
            let stored = store.append(events).await;
            let _ = task_sender
                .send(DiscordTaskEvent::StoreRetried(stored))
                .await;
        });
    }

    fn queue_unstored(&mut self, incoming: Vec<ChatEvent>) {
        let platform = &mut self.platform;
        if platform.unstored.enqueue(incoming) {
            let language = self.settings.language.unwrap_or_default();
            let text = discord::store_queue_full().in_language(language);
            self.notify_operator(CardSeverity::Failed, text);
        }
    }

    fn describe_store_refusal(&self, error: &StoreError) -> String {
        let language = self.settings.language.unwrap_or_default();
        discord::store_failing(error.to_string()).in_language(language)
    }

    fn handle_stored_events(&mut self, events: Vec<ChatEvent>, stored: Vec<AppendOutcome>) {
        let mut is_erased = false;
        for (event, stored) in events.into_iter().zip(stored) {
            self.mark_as_heard(&event);
            let own = self.match_own_delivery(&event);
            // A channel is settled when it is told of, whenever it is stored.
            if (stored.new || own.is_some()) && !matches!(event, ChatEvent::Channel(_)) {
                is_erased |= matches!(event, ChatEvent::Edit { .. } | ChatEvent::Delete { .. });
                self.publish_stored_event(to_stored_event(event, &stored), None);
            }
            self.apply_append(stored);
            if let Some(whole) = own.and_then(|own| own.completion) {
                self.handle_event(whole);
            }
        }
        if is_erased {
            self.delete_erased_log_entries();
        }
    }

    fn match_own_delivery(&mut self, event: &ChatEvent) -> Option<StoredDelivery> {
        let ChatEvent::Message(message) = event else {
            return None;
        };
        self.deliveries.mark_stored(message.id)
    }

    fn mark_as_heard(&mut self, event: &ChatEvent) {
        if let ChatEvent::Message(message) = event {
            self.advance_last_seen(message.channel, message.id);
        }
    }

    fn finish_storing(&mut self) {
        let platform = &mut self.platform;
        let (left_out, passed) = platform.unstored.take_remainder();
        passed
            .into_iter()
            .for_each(|(channel, id)| self.advance_last_seen(channel, id));
        for channel in left_out {
            if let Some(channel) = self
                .core
                .channel_state(channel)
                .map(|channel_state| channel_state.channel.clone())
            {
                self.backfill_channel(channel);
            }
        }
    }
}
