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
    /// And when it is looked at.
    due: BTreeMap<ChannelId, Millis>,
    /// One at a time: nobody waits for it.
    running: Option<ChannelId>,
    /// Where a model failed: the next talk there is looked at without one.
    without_model: BTreeSet<ChannelId>,
}

impl ConsolidationJobs {
    /// What a stop left.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let left = store.find_unconsolidated_channels().await?;
        let due = left
            .into_iter()
            .map(|(channel, at)| (channel, at + TALK_PAUSE));
        Ok(Self {
            due: due.collect(),
            ..Self::default()
        })
    }

    /// Something was said.
    pub fn record_message(&mut self, channel: ChannelId, at: Millis, now: Millis) {
        let due = (at + TALK_PAUSE).clamp(now + LATE, now + TALK_PAUSE);
        self.due.insert(channel, due);
    }

    /// When something is to be done next.
    pub fn next_due(&self) -> Option<Millis> {
        match self.running {
            None => self.due.values().min().copied(),
            Some(_) => None,
        }
    }

    /// The channel that is to be looked at now; it is being looked at from then on.
    pub fn start_due(&mut self, now: Millis) -> Option<ChannelId> {
        if self.running.is_some() {
            return None;
        }
        let (&channel, _) = self.due.iter().find(|(_, at)| **at <= now)?;
        self.due.remove(&channel);
        self.running = Some(channel);
        self.running
    }

    /// A channel was looked at; `again`: when that is to be done again, unless more was said meanwhile.
    pub fn finish(&mut self, channel: ChannelId, again: Option<Millis>) {
        self.running = None;
        self.without_model.remove(&channel);
        if let Some(again) = again {
            self.due.entry(channel).or_insert(again);
        }
    }

    /// A model failed: the channel is looked at again without one, at a time and not before.
    pub fn finish_without_model(&mut self, channel: ChannelId, at: Millis) {
        self.running = None;
        self.without_model.insert(channel);
        self.due.entry(channel).or_insert(at);
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
        assert_eq!(jobs.start_due(NOW + 2 * TALK_PAUSE), Some(TALK));
        assert_eq!((jobs.next_due(), jobs.start_due(NOW + DAY)), (None, None));
        jobs.finish(TALK, None);
        assert_eq!(jobs.start_due(NOW + 2 * TALK_PAUSE), Some(OTHER));
        jobs.finish(OTHER, None);
        assert_eq!(jobs.next_due(), None);
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
