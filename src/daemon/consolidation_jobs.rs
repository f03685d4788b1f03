//! When channels are made into memories: once they were quiet for a while, one after the other.

use std::collections::{BTreeMap, BTreeSet};

use kith_core::chat::{ChannelId, MINUTE, Millis};
use kith_core::consolidation::TALK_PAUSE;
use kith_store::{Store, StoreError};

/// What was said long ago and is heard only now may not be all of it: so long is waited for the rest.
const LATE: Millis = MINUTE;

/// The channels in which something was said that was not made into memories yet.
#[derive(Default)]
pub(super) struct ConsolidationJobs {
    /// And when each is looked at.
    due: BTreeMap<ChannelId, Millis>,
    /// The same by time: which comes first is asked at every step of the loop, and there may be thousands.
    queue: BTreeSet<(Millis, ChannelId)>,
    /// One at a time: nobody waits for it.
    running: Option<ChannelId>,
    /// Where a model failed: the next talk there is looked at without one.
    without_model: BTreeSet<ChannelId>,
}

impl ConsolidationJobs {
    /// What a stop left.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let mut jobs = Self::default();
        for (channel, at) in store.find_unconsolidated_channels().await? {
            jobs.schedule(channel, at + TALK_PAUSE);
        }
        Ok(jobs)
    }

    fn schedule(&mut self, channel: ChannelId, at: Millis) {
        if let Some(before) = self.due.insert(channel, at) {
            self.queue.remove(&(before, channel));
        }
        self.queue.insert((at, channel));
    }

    fn schedule_if_idle(&mut self, channel: ChannelId, at: Millis) {
        if !self.due.contains_key(&channel) {
            self.schedule(channel, at);
        }
    }

    pub fn record_message(&mut self, channel: ChannelId, at: Millis, now: Millis) {
        let due = (at + TALK_PAUSE).clamp(now + LATE, now + TALK_PAUSE);
        self.schedule(channel, due);
    }

    pub fn next_due(&self) -> Option<Millis> {
        match self.running {
            None => self.queue.first().map(|(at, _)| *at),
            Some(_) => None,
        }
    }

    /// The channel that is to be looked at now, of several the one that was due first; it is being looked at from then on.
    pub fn start_due(&mut self, now: Millis) -> Option<ChannelId> {
        if self.running.is_some() {
            return None;
        }
        let (_, channel) = *self.queue.first().filter(|(at, _)| *at <= now)?;
        self.queue.pop_first();
        self.due.remove(&channel);
        self.running = Some(channel);
        self.running
    }

    /// A channel was looked at; `again`: when that is to be done again, unless more was said meanwhile.
    pub fn finish(&mut self, channel: ChannelId, again: Option<Millis>) {
        self.running = None;
        self.without_model.remove(&channel);
        if let Some(again) = again {
            self.schedule_if_idle(channel, again);
        }
    }

    /// A model failed: the channel is looked at again without one, at a time and not before.
    pub fn finish_without_model(&mut self, channel: ChannelId, at: Millis) {
        self.running = None;
        self.without_model.insert(channel);
        self.schedule_if_idle(channel, at);
    }

    /// Whether a model failed to tell of the first talk that is left there.
    pub fn has_model_failed(&self, channel: ChannelId) -> bool {
        self.without_model.contains(&channel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_core::chat::DAY;

    const NOW: Millis = 1_000 * MINUTE;
    const TALK: ChannelId = ChannelId(1);
    const OTHER: ChannelId = ChannelId(2);

    #[test]
    fn a_channel_is_due_once_it_was_quiet_and_only_one_is_looked_at_at_a_time() {
        let mut jobs = ConsolidationJobs::default();
        assert_eq!(jobs.next_due(), None, "nothing was said");
        jobs.record_message(TALK, NOW, NOW);
        jobs.record_message(OTHER, NOW, NOW);
        jobs.record_message(TALK, NOW + MINUTE, NOW + MINUTE);
        assert_eq!(jobs.next_due(), Some(NOW + TALK_PAUSE));
        assert_eq!(jobs.start_due(NOW + TALK_PAUSE - 1), None);
        assert_eq!(jobs.start_due(NOW + 2 * TALK_PAUSE), Some(OTHER));
        assert_eq!((jobs.next_due(), jobs.start_due(NOW + DAY)), (None, None));
        jobs.finish(OTHER, None);
        assert_eq!(jobs.start_due(NOW + 2 * TALK_PAUSE), Some(TALK));
        jobs.finish(TALK, None);
        assert_eq!(jobs.next_due(), None);
    }

    #[test]
    fn channels_that_are_put_off_are_not_looked_at_again_before_their_time_however_many_there_are()
    {
        let mut jobs = ConsolidationJobs::default();
        for channel in (0..100_000).map(ChannelId) {
            jobs.record_message(channel, NOW, NOW);
        }
        let (now, later) = (NOW + TALK_PAUSE, NOW + 2 * TALK_PAUSE);
        let mut looked_at = 0;
        while let Some(channel) = jobs.start_due(now) {
            jobs.finish(channel, Some(later));
            looked_at += 1;
        }
        assert_eq!((looked_at, jobs.next_due()), (100_000, Some(later)));
    }

    #[test]
    fn what_is_heard_late_waits_for_the_rest_and_what_is_said_meanwhile_counts() {
        let mut jobs = ConsolidationJobs::default();
        jobs.record_message(TALK, NOW - DAY, NOW);
        assert_eq!(jobs.next_due(), Some(NOW + LATE));
        jobs.start_due(NOW + LATE);
        jobs.record_message(TALK, NOW + DAY, NOW);
        jobs.finish(TALK, Some(NOW + 2 * LATE));
        assert_eq!(
            jobs.next_due(),
            Some(NOW + TALK_PAUSE),
            "whatever the message's clock says"
        );
    }

    #[test]
    fn where_a_model_failed_the_channel_is_looked_at_once_without_one() {
        let mut jobs = ConsolidationJobs::default();
        jobs.record_message(TALK, NOW, NOW);
        jobs.start_due(NOW + TALK_PAUSE);
        let again = NOW + TALK_PAUSE + 10 * MINUTE;
        jobs.finish_without_model(TALK, again);
        assert_eq!(jobs.next_due(), Some(again));
        assert!(jobs.has_model_failed(TALK) && !jobs.has_model_failed(OTHER));
        assert_eq!(jobs.start_due(again), Some(TALK));
        jobs.finish(TALK, None);
        assert!(
            !jobs.has_model_failed(TALK),
            "the next talk is asked about again"
        );
    }
}
