//! What the store did not take waits here in its order and is offered again after growing pauses; the core hears of it
//! only once it is stored (Law 2). Bounded: what does not fit any more is fetched from Discord again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::super::{Daemon, LoopMessage, deliver};
use super::in_flight::StoredDelivery;
use kith_core::back_off::compute_back_off;
use kith_core::chat::{Author, ChannelId, MessageId};
use kith_observe::CardSeverity;
use kith_store::{AppendOutcome, IncomingEvent, StoreError};

/// The most that waits.
const MOST: usize = 5_000;
/// How much of it is offered in one commit.
const AT_ONCE: usize = 500;
/// The pause after the first refusal; it doubles.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// The longest pause.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// What waits for the store.
#[derive(Default)]
pub(super) struct UnstoredEvents {
    waiting: VecDeque<IncomingEvent>,
    /// Channels of which something did not fit, and so nothing that came after it is kept either.
    left_out: BTreeSet<ChannelId>,
    /// The newest messages that are not to be kept: they count as heard when all that came before them is stored.
    not_kept: BTreeMap<ChannelId, MessageId>,
    refusals: u32,
}

impl UnstoredEvents {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Keeps what fits; answers whether this is the first time that something does not.
    fn enqueue(&mut self, incoming: Vec<IncomingEvent>) -> bool {
        let did_fit = self.left_out.is_empty();
        for one in incoming {
            let channel = find_incoming_channel(&one);
            if self.waiting.len() < MOST && !self.left_out.contains(&channel) {
                self.waiting.push_back(one);
            } else {
                self.left_out.insert(channel);
            }
        }
        did_fit && !self.left_out.is_empty()
    }

    /// A message that is not to be kept came after all that waits.
    pub fn record_skipped(&mut self, channel: ChannelId, id: MessageId) {
        let newest = self.not_kept.entry(channel).or_default();
        *newest = id.max(*newest);
    }

    /// What is offered next, oldest first, and after which pause.
    fn next_batch(&self) -> (Duration, Vec<IncomingEvent>) {
        let pause = self
            .refusals
            .checked_sub(1)
            .map(|before| compute_back_off(FIRST_WAIT, before, LONGEST_WAIT));
        (
            pause.unwrap_or_default(),
            self.waiting.iter().take(AT_ONCE).cloned().collect(),
        )
    }

    fn record_refusal(&mut self) {
        self.refusals = self.refusals.saturating_add(1);
    }

    /// So many of the oldest are stored, and wait no more.
    fn take_stored(&mut self, count: usize) -> Vec<IncomingEvent> {
        self.refusals = 0;
        self.waiting
            .drain(..count.min(self.waiting.len()))
            .collect()
    }

    /// Nothing waits any more: the channels to be looked back at, and the messages that count as heard.
    fn take_remainder(&mut self) -> (BTreeSet<ChannelId>, BTreeMap<ChannelId, MessageId>) {
        let left_out = std::mem::take(&mut self.left_out);
        let mut passed = std::mem::take(&mut self.not_kept);
        passed.retain(|channel, _| !left_out.contains(channel));
        (left_out, passed)
    }

    /// The reactions to a message that wait.
    pub fn waiting_reactions(
        &self,
        to: (ChannelId, MessageId),
    ) -> impl Iterator<Item = (Author, Arc<str>)> {
        self.waiting.iter().filter_map(move |one| match one {
            IncomingEvent::Reaction {
                channel,
                message,
                author: by,
                emoji,
                added: true,
                ..
            } if (*channel, *message) == to => Some((by.clone(), emoji.clone())),
            _ => None,
        })
    }
}

impl Daemon {
    /// Stores what came in together, then lets the core hear it. What the store does not take waits, and all that comes
    /// after it behind it.
    pub(in crate::daemon) async fn store_incoming(&mut self, incoming: Vec<IncomingEvent>) {
        let Some(platform) = &self.away else { return };
        if !platform.unstored.is_empty() {
            return self.queue_unstored(incoming);
        }
        let stored = match incoming.is_empty() {
            true => Ok(Vec::new()),
            false => self.store.append(incoming.clone()).await,
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

    /// What was offered again is stored, or not.
    pub(in crate::daemon) fn handle_store_retry(
        &mut self,
        stored: Result<Vec<AppendOutcome>, StoreError>,
    ) {
        let Some(platform) = &mut self.away else {
            return;
        };
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
        if self
            .away
            .as_ref()
            .is_some_and(|platform| !platform.unstored.is_empty())
        {
            return self.retry_storing();
        }
        tracing::info!("all that was heard is stored again");
        self.finish_storing();
    }

    /// The daemon stops: what waits is offered once more. Messages that are lost now are fetched at the next start.
    pub(in crate::daemon) async fn store_remaining_events(&mut self) {
        let Some(platform) = &mut self.away else {
            return;
        };
        let events = platform.unstored.take_stored(usize::MAX);
        if events.is_empty() {
            return;
        }
        let count = events.len();
        match self.store.append(events.clone()).await {
            Ok(_) => events.iter().for_each(|event| self.mark_as_heard(event)),
            Err(error) => tracing::error!(
                %error, count, "not stored: its messages are fetched at the next start, other changes are lost"
            ),
        }
    }

    fn handle_store_refusal(&mut self) {
        if let Some(platform) = &mut self.away {
            platform.unstored.record_refusal();
        }
        self.retry_storing();
    }

    fn retry_storing(&self) {
        let Some(platform) = &self.away else { return };
        let (pause, events) = platform.unstored.next_batch();
        let (store, loop_sender) = (self.store.clone(), self.loop_sender.clone());
        tokio::spawn(async move {
            sleep(pause).await;
            let stored = store.append(events).await;
            let _ = loop_sender.send(LoopMessage::StoreRetried(stored)).await;
        });
    }

    fn queue_unstored(&mut self, incoming: Vec<IncomingEvent>) {
        let Some(platform) = &mut self.away else {
            return;
        };
        if platform.unstored.enqueue(incoming) {
            let text = self.settings.language.unwrap_or_default().pick(
                "The database has taken nothing for so long that no more can wait: what people write now is fetched from \
                 Discord when it is mended; reactions, and changes of older messages, are lost until then.",
                "数据库太久不能写入，等待的内容已满：现在写的消息会在修好之后从 Discord 补读；在那之前的反应和对旧消息的\
                 修改会丢失。",
            );
            self.notify_operator(CardSeverity::Failed, text.into());
        }
    }

    fn describe_store_refusal(&self, error: &StoreError) -> String {
        self.settings.language.unwrap_or_default().pick(
            format!("What people write cannot be stored now: {error}. It waits and is tried again; until then nobody is answered."),
            format!("现在无法保存大家写的内容：{error}。内容在等待，会再次尝试；在那之前不会回应任何人。"),
        )
    }

    fn handle_stored_events(&mut self, events: Vec<IncomingEvent>, stored: Vec<AppendOutcome>) {
        let mut is_erased = false;
        for (event, stored) in events.into_iter().zip(stored) {
            self.mark_as_heard(&event);
            let own = self.match_own_delivery(&event);
            // A channel is settled when it is told of, whenever it is stored.
            if (stored.new || own.is_some()) && !matches!(event, IncomingEvent::Channel(_)) {
                is_erased |= matches!(
                    event,
                    IncomingEvent::Edit { .. } | IncomingEvent::Delete { .. }
                );
                self.publish_stored_event(deliver::to_stored_event(event, &stored), None);
            }
            if let Some(whole) = own.and_then(|own| own.completion) {
                self.handle_event(whole);
            }
        }
        if is_erased {
            self.delete_erased_log_entries();
        }
    }

    fn match_own_delivery(&mut self, event: &IncomingEvent) -> Option<StoredDelivery> {
        let IncomingEvent::Message(message) = event else {
            return None;
        };
        self.away.as_mut()?.in_flight.mark_stored(message.id)
    }

    fn mark_as_heard(&mut self, event: &IncomingEvent) {
        if let IncomingEvent::Message(message) = event {
            self.advance_last_seen(message.channel, message.id);
        }
    }

    fn finish_storing(&mut self) {
        let Some(platform) = &mut self.away else {
            return;
        };
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

fn find_incoming_channel(incoming: &IncomingEvent) -> ChannelId {
    match incoming {
        IncomingEvent::Message(message) | IncomingEvent::Posted { message, .. } => message.channel,
        IncomingEvent::Edit { channel, .. }
        | IncomingEvent::Delete { channel, .. }
        | IncomingEvent::Reaction { channel, .. } => *channel,
        IncomingEvent::Channel(channel) => channel.id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deleted(channel: u64, id: u64) -> IncomingEvent {
        IncomingEvent::Delete {
            channel: ChannelId(channel),
            ids: vec![MessageId(id)],
            at: 0,
        }
    }

    #[test]
    fn it_is_offered_again_after_a_second_then_two_and_never_after_more_than_thirty() {
        let mut unstored = UnstoredEvents::default();
        unstored.enqueue(vec![deleted(1, 1)]);
        let mut pauses = Vec::new();
        for _ in 0..100 {
            unstored.record_refusal();
            pauses.push(unstored.next_batch().0.as_secs());
        }
        assert_eq!(pauses[..7], [1, 2, 4, 8, 16, 30, 30]);
        assert_eq!(pauses[99], 30);
        assert_eq!(unstored.take_stored(1), [deleted(1, 1)]);
        assert_eq!(
            unstored.next_batch(),
            (Duration::ZERO, Vec::new()),
            "what comes next is not made to wait"
        );
    }

    #[test]
    fn after_something_that_did_not_fit_nothing_of_its_channel_is_kept_until_all_is_stored() {
        let mut unstored = UnstoredEvents::default();
        assert!(!unstored.enqueue((0..MOST as u64 - 1).map(|id| deleted(1, id)).collect()));
        unstored.record_skipped(ChannelId(1), MessageId(9));
        unstored.record_skipped(ChannelId(2), MessageId(9));
        assert!(unstored.enqueue(vec![
            deleted(1, 6_000),
            deleted(2, 6_001),
            deleted(3, 6_002)
        ]));
        assert_eq!(unstored.take_stored(AT_ONCE).len(), AT_ONCE);
        assert!(
            !unstored.enqueue(vec![deleted(2, 6_003), deleted(4, 6_004)]),
            "that is told once"
        );
        assert_eq!(
            unstored.take_stored(usize::MAX).last(),
            Some(&deleted(4, 6_004))
        );
        let (left_out, passed) = unstored.take_remainder();
        assert_eq!(left_out, BTreeSet::from([ChannelId(2), ChannelId(3)]));
        assert_eq!(
            passed,
            BTreeMap::from([(ChannelId(1), MessageId(9))]),
            "what was left out came before"
        );
        assert!(!unstored.enqueue(vec![deleted(2, 6_005)]));
    }
}
