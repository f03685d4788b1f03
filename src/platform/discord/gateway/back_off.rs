//! The breaker against reconnect storms: how long a shard waits before its next link. Pure; time is handed in.

use std::time::{Duration, Instant};

use super::Times;
use crate::core::back_off::doubled;

/// The most a link that had come up, but did not last, is waited for: nothing is wrong with the server as such.
const AFTER_A_SESSION: Duration = Duration::from_secs(2);

/// Waits longer after each failure, and forgets them all once a link has lasted.
#[derive(Debug)]
pub struct BackOff {
    failures: u32,
    not_before: Instant,
}

impl BackOff {
    /// The first link may be opened now.
    pub fn new(now: Instant) -> Self {
        Self { failures: 0, not_before: now }
    }

    /// When the next link may be opened.
    pub fn not_before(&self) -> Instant {
        self.not_before
    }

    /// How many links in a row did not last.
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// No link came about, or one ended before its session was up.
    pub fn failed(&mut self, now: Instant, times: &Times) {
        self.wait(now, times, times.back_off_most);
    }

    /// A link on which a session was up ended after `lasted`.
    pub fn ended(&mut self, lasted: Duration, now: Instant, times: &Times) {
        if lasted >= times.steady {
            *self = Self::new(now);
        } else {
            self.wait(now, times, times.back_off_most.min(AFTER_A_SESSION));
        }
    }

    /// The first failure costs nothing: servers do close links now and then. After it the wait doubles.
    fn wait(&mut self, now: Instant, times: &Times, most: Duration) {
        let wait = |doublings| doubled(times.back_off_first, doublings, most);
        let wait = self.failures.checked_sub(1).map_or(Duration::ZERO, wait);
        self.failures = self.failures.saturating_add(1);
        self.not_before = now + wait;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn it_waits_longer_after_each_failure_up_to_a_limit() {
        let (now, times) = (clock::monotonic(), Times::default());
        let mut back_off = BackOff::new(now);
        let waits: Vec<u64> = std::iter::repeat_with(|| {
            back_off.failed(now, &times);
            (back_off.not_before() - now).as_secs()
        })
        .take(8)
        .collect();
        assert_eq!(waits, [0, 1, 2, 4, 8, 16, 30, 30]);
    }

    #[test]
    fn a_link_that_lasted_starts_over_and_one_that_came_up_is_not_waited_for_long() {
        let (now, times) = (clock::monotonic(), Times::default());
        let mut back_off = BackOff::new(now);
        (0..9).for_each(|_| back_off.ended(SECOND, now, &times));
        assert_eq!(back_off.not_before() - now, AFTER_A_SESSION);
        back_off.ended(times.steady, now, &times);
        assert_eq!((back_off.not_before(), back_off.failures()), (now, 0));
    }
}
