//! The breaker against reconnect storms: when a shard may open its next link. Pure; time is handed in.
//!
//! Two counters, for two things that have nothing to do with each other: links to which Discord gave no session, and
//! tries that never reached Discord. What one of them has seen never lengthens the waits of the other, and a session
//! that is up clears both.

use std::time::{Duration, Instant};

use super::GatewayTimeouts;
use kith_core::back_off::compute_back_off;

/// How often what went wrong, and from when on it may be tried again.
#[derive(Debug)]
pub struct GatewayBackOff {
    /// Tries in a row that ended before Discord had said a word.
    unreachable_count: u32,
    /// Links in a row on which Discord spoke, and which ended before a session was up.
    refusal_count: u32,
    last_try: Instant,
    not_before: Instant,
}

impl GatewayBackOff {
    /// The first link may be opened now.
    pub fn new(now: Instant) -> Self {
        Self {
            unreachable_count: 0,
            refusal_count: 0,
            last_try: now,
            not_before: now,
        }
    }

    pub fn not_before(&self) -> Instant {
        self.not_before
    }

    pub fn refusal_count(&self) -> u32 {
        self.refusal_count
    }

    /// How many tries in a row came to nothing, whatever the reason.
    pub fn failures(&self) -> u32 {
        self.unreachable_count.saturating_add(self.refusal_count)
    }

    /// A link is being opened. Where that takes long, another is tried beside it: the network may be back meanwhile.
    pub fn record_try(&mut self, now: Instant, times: &GatewayTimeouts) {
        (self.last_try, self.not_before) = (now, now + times.redial_wait);
    }

    /// It is open. What follows is decided by how it ends.
    pub fn record_open(&mut self, now: Instant) {
        self.not_before = now;
    }

    /// No link came about, or one on which Discord said nothing. It is not waited for long, however often that was so: a network that is gone costs Discord
    /// nothing, and whoever writes while it is gone waits for its return.
    pub fn record_unreachable(&mut self, now: Instant, times: &GatewayTimeouts) {
        let wait = compute_wait(self.unreachable_count, times, times.redial_wait);
        self.unreachable_count = self.unreachable_count.saturating_add(1);
        self.not_before = (now + wait).min(self.last_try + times.redial_wait);
    }

    pub fn record_refusal(&mut self, now: Instant, times: &GatewayTimeouts) {
        let wait = compute_wait(self.refusal_count, times, times.back_off_most);
        self.refusal_count = self.refusal_count.saturating_add(1);
        self.not_before = now + wait;
    }

    /// A session is up.
    pub fn clear(&mut self, now: Instant) {
        *self = Self::new(now);
    }

    /// A link on which a session was up ended after `lasted`: servers do close links now and then, so only what comes
    /// right after READY is waited for, and never longer than this.
    pub fn record_end(&mut self, lasted: Duration, now: Instant, times: &GatewayTimeouts) {
        self.not_before = if lasted < times.stable_after {
            now + times.back_off_first
        } else {
            now
        };
    }
}

/// The first failure costs nothing. After it the wait doubles.
fn compute_wait(failures: u32, times: &GatewayTimeouts, most: Duration) -> Duration {
    let wait = |doublings| compute_back_off(times.back_off_first, doublings, most);
    failures.checked_sub(1).map_or(Duration::ZERO, wait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_system::clock;

    const SECOND: Duration = Duration::from_secs(1);

    /// The waits after each of eight failures, in seconds.
    fn waits(
        back_off: &mut GatewayBackOff,
        now: Instant,
        fail: impl Fn(&mut GatewayBackOff),
    ) -> Vec<u64> {
        let mut wait = || {
            fail(back_off);
            back_off
                .not_before()
                .saturating_duration_since(now)
                .as_secs()
        };
        (0..8).map(|_| wait()).collect()
    }

    #[test]
    fn the_waits_double_up_to_a_limit_and_a_network_that_is_gone_is_tried_every_five_seconds() {
        let (now, times) = (clock::monotonic(), GatewayTimeouts::default());
        let mut back_off = GatewayBackOff::new(now);
        assert_eq!(
            waits(&mut back_off, now, |one| one.record_refusal(now, &times)),
            [0, 1, 2, 4, 8, 16, 30, 30]
        );
        let mut back_off = GatewayBackOff::new(now);
        let fail = |one: &mut GatewayBackOff| {
            one.record_try(now, &times);
            one.record_unreachable(now, &times);
        };
        assert_eq!(waits(&mut back_off, now, fail), [0, 1, 2, 4, 5, 5, 5, 5]);
    }

    #[test]
    fn a_try_without_an_answer_holds_the_next_up_for_five_seconds_and_its_end_no_longer() {
        let (now, times) = (clock::monotonic(), GatewayTimeouts::default());
        let mut back_off = GatewayBackOff::new(now);
        (0..9).for_each(|_| back_off.record_unreachable(now, &times));
        back_off.record_try(now, &times);
        back_off.record_unreachable(now + 4 * SECOND, &times);
        assert_eq!(back_off.not_before(), now + 5 * SECOND);
    }

    #[test]
    fn neither_short_links_nor_a_dead_network_lengthen_what_a_refused_session_waits() {
        let (now, times) = (clock::monotonic(), GatewayTimeouts::default());
        let mut back_off = GatewayBackOff::new(now);
        for _ in 0..9 {
            back_off.record_end(SECOND, now, &times);
            assert_eq!(back_off.not_before(), now + SECOND);
            back_off.record_unreachable(now, &times);
        }
        back_off.record_refusal(now, &times);
        assert_eq!(back_off.not_before(), now);
        back_off.clear(now);
        assert_eq!((back_off.failures(), back_off.refusal_count()), (0, 0));
        back_off.record_end(times.stable_after, now, &times);
        assert_eq!(back_off.not_before(), now);
    }
}
