//! When messages get their vectors: some seconds after something was said, in small batches, one at a time.

use std::collections::BTreeSet;
use std::time::Duration;

use kith_core::back_off::compute_back_off;
use kith_core::chat::{ChannelId, Millis, SECOND};
use kith_model::BudgetLedger;

/// What is said in this time shares a batch.
const GATHER: Millis = 3 * SECOND;
/// While turns run they have the models: so long is waited for them.
const BUSY: Millis = 2 * SECOND;
/// How long is waited after a failure; doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_secs(30);
const LONGEST_WAIT: Duration = Duration::from_secs(3_600);

#[derive(Default)]
pub(super) struct EmbeddingJobs {
    /// When the next batch is looked for; none where all have their vectors.
    due: Option<Millis>,
    is_running: bool,
    /// How often in a row no vectors came.
    failures: u32,
    /// The channels whose budget does not allow any today, and when it is whole again.
    unpaid: BTreeSet<ChannelId>,
    renewed: Millis,
}

impl EmbeddingJobs {
    pub(super) fn record_change(&mut self, now: Millis) {
        self.due.get_or_insert(now + GATHER);
    }

    /// A model is there of which nothing is known.
    pub(super) fn restart(&mut self, now: Millis) {
        (self.due, self.failures) = (Some(now), 0);
    }

    pub(super) fn next_due(&self) -> Option<Millis> {
        self.due.filter(|_| !self.is_running)
    }

    /// Whether a batch is to be looked for now; then it is under way.
    pub(super) fn start_due(&mut self, now: Millis, is_busy: bool) -> bool {
        if self.next_due().is_none_or(|due| due > now) {
            return false;
        }
        if is_busy {
            self.due = Some(now + BUSY);
            return false;
        }
        if self.renewed <= now {
            self.unpaid.clear();
        }
        self.due = None;
        self.is_running = true;
        true
    }

    /// Whether a channel may have vectors made of what is said in it today.
    pub(super) fn is_paid(&self, channel: ChannelId) -> bool {
        !self.unpaid.contains(&channel)
    }

    pub(super) fn continue_with_next(&mut self, now: Millis) {
        (self.is_running, self.failures) = (false, 0);
        self.due = Some(now);
    }

    /// All have their vectors but what was said since.
    pub(super) fn finish(&mut self) {
        (self.is_running, self.failures) = (false, 0);
        // What is left unpaid is looked at when there is something to spend again.
        if self.due.is_none() && !self.unpaid.is_empty() {
            self.due = Some(self.renewed);
        }
    }

    /// Nothing more may be spent on a channel today.
    pub(super) fn skip_until_renewed(&mut self, channel: ChannelId, now: Millis) {
        self.unpaid.insert(channel);
        self.renewed = BudgetLedger::next_renewal(now);
        self.continue_with_next(now);
    }

    /// More may be spent from now on, or less: that is found out at once.
    pub(super) fn retry_unpaid(&mut self, now: Millis) {
        if !std::mem::take(&mut self.unpaid).is_empty() {
            self.due = Some(now);
        }
    }

    pub(super) fn wait_after_failure(&mut self, now: Millis) {
        let wait = compute_back_off(FIRST_WAIT, self.failures, LONGEST_WAIT);
        self.failures = self.failures.saturating_add(1);
        self.is_running = false;
        self.due = Some(now + Millis::try_from(wait.as_millis()).unwrap_or(Millis::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_core::chat::{DAY, HOUR};

    const NOW: Millis = 20_000 * DAY;

    #[test]
    fn what_is_said_together_shares_a_batch_and_turns_come_first() {
        let mut jobs = EmbeddingJobs::default();
        assert_eq!(jobs.next_due(), None, "nothing was said");
        jobs.record_change(NOW);
        jobs.record_change(NOW + SECOND);
        assert_eq!(jobs.next_due(), Some(NOW + GATHER));
        assert!(!jobs.start_due(NOW + GATHER - 1, false));
        assert!(!jobs.start_due(NOW + GATHER, true), "a turn runs");
        assert!(jobs.start_due(NOW + GATHER + BUSY, false));
        jobs.record_change(NOW + HOUR);
        assert!(
            jobs.next_due().is_none() && !jobs.start_due(NOW + DAY, false),
            "one at a time"
        );
        jobs.finish();
        assert_eq!(jobs.next_due(), Some(NOW + HOUR + GATHER), "said meanwhile");
    }

    #[test]
    fn failures_are_waited_out_longer_and_longer_and_a_success_is_gone_on_from_at_once() {
        let mut jobs = EmbeddingJobs::default();
        jobs.restart(NOW);
        let mut waits = Vec::new();
        for _ in 0..9 {
            let due = jobs.next_due().unwrap();
            assert!(jobs.start_due(due, false));
            jobs.wait_after_failure(due);
            waits.push((jobs.next_due().unwrap() - due) / SECOND);
        }
        assert_eq!((waits[0], waits[1], waits[8]), (30, 60, 3_600));
        jobs.start_due(NOW + DAY, false);
        jobs.continue_with_next(NOW + DAY);
        assert_eq!(jobs.next_due(), Some(NOW + DAY));
    }

    #[test]
    fn what_cannot_be_paid_waits_for_the_next_day_and_keeps_nothing_else_waiting() {
        let (mut jobs, channel) = (EmbeddingJobs::default(), ChannelId(7));
        jobs.restart(NOW);
        jobs.start_due(NOW, false);
        jobs.skip_until_renewed(channel, NOW);
        assert!(!jobs.is_paid(channel) && jobs.is_paid(ChannelId(8)));
        assert!(jobs.start_due(NOW, false));
        jobs.finish();
        assert_eq!(jobs.next_due(), Some(NOW + DAY));
        assert!(jobs.start_due(NOW + DAY, false) && jobs.is_paid(channel));
    }

    #[test]
    fn another_budget_is_tried_at_once() {
        let (mut jobs, channel) = (EmbeddingJobs::default(), ChannelId(7));
        jobs.retry_unpaid(NOW);
        assert_eq!(jobs.next_due(), None, "nothing was unpaid");
        jobs.restart(NOW);
        jobs.start_due(NOW, false);
        jobs.skip_until_renewed(channel, NOW);
        jobs.start_due(NOW, false);
        jobs.finish();
        jobs.retry_unpaid(NOW + HOUR);
        assert_eq!(jobs.next_due(), Some(NOW + HOUR));
        assert!(jobs.start_due(NOW + HOUR, false) && jobs.is_paid(channel));
    }
}
