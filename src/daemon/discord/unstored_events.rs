//! What the store did not take waits here in its order and is offered again after growing pauses; the core hears of it
//! only once it is stored (Law 2). Bounded: what does not fit any more is fetched from Discord again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use kith_core::back_off::compute_back_off;
use kith_core::chat::{Author, ChannelId, MessageId};
use kith_core::event::ChatEvent;

const MOST: usize = 5_000;
/// How much of it is offered in one commit.
const AT_ONCE: usize = 500;
/// The pause after the first refusal; it doubles.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

#[derive(Default)]
pub(super) struct UnstoredEvents {
    waiting: VecDeque<ChatEvent>,
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
    pub fn enqueue(&mut self, incoming: Vec<ChatEvent>) -> bool {
        let did_fit = self.left_out.is_empty();
        for one in incoming {
            let channel = one.channel();
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
    pub fn next_batch(&self) -> (Duration, Vec<ChatEvent>) {
        let pause = self
            .refusals
            .checked_sub(1)
            .map(|before| compute_back_off(FIRST_WAIT, before, LONGEST_WAIT));
        (
            pause.unwrap_or_default(),
            self.waiting.iter().take(AT_ONCE).cloned().collect(),
        )
    }

    pub fn record_refusal(&mut self) {
        self.refusals = self.refusals.saturating_add(1);
    }

    /// So many of the oldest are stored, and wait no more.
    pub fn take_stored(&mut self, count: usize) -> Vec<ChatEvent> {
        self.refusals = 0;
        self.waiting
            .drain(..count.min(self.waiting.len()))
            .collect()
    }

    /// Nothing waits any more: the channels to be looked back at, and the messages that count as heard.
    pub fn take_remainder(&mut self) -> (BTreeSet<ChannelId>, BTreeMap<ChannelId, MessageId>) {
        let left_out = std::mem::take(&mut self.left_out);
        let mut passed = std::mem::take(&mut self.not_kept);
        passed.retain(|channel, _| !left_out.contains(channel));
        (left_out, passed)
    }

    pub fn waiting_reactions(
        &self,
        to: (ChannelId, MessageId),
    ) -> impl Iterator<Item = (Author, Arc<str>)> {
        self.waiting.iter().filter_map(move |one| match one {
            ChatEvent::Reaction {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn deleted(channel: u64, id: u64) -> ChatEvent {
        ChatEvent::Delete {
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
