//! What a process knows of the partitions that it shares with others.

use std::time::{Duration, Instant};

use crate::postgres::PartitionLease;

/// How long after others may have taken what is held it counts as lapsed: 15 s after it was renewed, when all others take
/// this process for dead.
const LAPSED_AFTER: Duration = Duration::from_secs(7);

#[derive(Clone, Debug, Default)]
pub struct LeaseView {
    pub held: Vec<PartitionLease>,
    /// Which of them it is to give back, so that another has its share.
    pub give_back: Option<u16>,
    /// All processes that live, …
    pub processes: Vec<LivingProcess>,
    /// … and the number of this one.
    pub own: Option<i64>,
    /// Until when nobody else can have taken what is held; none where nothing is.
    pub valid_until: Option<Instant>,
}

impl LeaseView {
    /// Whether this process surely holds it still.
    pub fn is_held(&self, lease: &PartitionLease, now: Instant) -> bool {
        self.valid_until.is_some_and(|until| now < until) && self.held.contains(lease)
    }

    /// Whether this process could not say for 15 s that it lives: it neither answers anybody nor takes over.
    pub fn has_lapsed(&self, now: Instant) -> bool {
        self.valid_until
            .is_some_and(|until| now >= until + LAPSED_AFTER)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivingProcess {
    /// Which it is; numbers are never given again.
    pub number: i64,
    pub name: String,
    pub partitions: Vec<u16>,
}

#[cfg(test)]
mod tests {
    use kith_core::partition::Partition;
    use kith_system::clock;

    use super::*;

    #[test]
    fn a_lease_is_held_until_the_moment_it_may_be_anothers_and_by_its_own_token_alone() {
        let of_token = |token| PartitionLease::of_token(Partition::WHOLE, token);
        let until = clock::monotonic() + Duration::from_secs(8);
        let view = LeaseView {
            held: vec![of_token(2)],
            valid_until: Some(until),
            ..LeaseView::default()
        };
        let before = until - Duration::from_nanos(1);
        assert!(view.is_held(&of_token(2), before));
        for (token, now) in [(2, until), (1, before), (3, before)] {
            assert!(!view.is_held(&of_token(token), now), "{token}");
        }
        let elsewhere = Partition::new(1, 2).expect("a partition");
        assert!(!view.is_held(&PartitionLease::of_token(elsewhere, 2), before));
        let unknown = LeaseView {
            valid_until: None,
            ..view
        };
        assert!(!unknown.is_held(&of_token(2), before));
    }

    #[test]
    fn a_process_that_said_nothing_for_fifteen_seconds_has_lapsed() {
        let renewed = clock::monotonic();
        let view = LeaseView {
            valid_until: Some(renewed + Duration::from_secs(8)),
            ..LeaseView::default()
        };
        let lapsed = |after| view.has_lapsed(renewed + Duration::from_secs(after));
        assert_eq!([lapsed(0), lapsed(14), lapsed(15)], [false, false, true]);
    }
}
