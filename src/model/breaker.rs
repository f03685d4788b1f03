//! Whether a model is asked at all just now: after several failures in a row it rests, and is then tried by one question
//! before all others. A pure machine; time is an argument.

use std::time::Duration;

use tokio::time::Instant;

use kith_core::back_off::compute_back_off;

/// So many failures in a row make it rest.
const FAILURES: u32 = 3;
/// How long it rests first; doubles each time the trial fails.
const FIRST_REST: Duration = Duration::from_secs(15);
/// The longest rest nobody asked for.
const LONGEST_REST: Duration = Duration::from_secs(300);
/// The longest rest a server can ask for: what it says is not always meant.
const LONGEST_ASKED: Duration = Duration::from_secs(3_600);

/// A pause that a server asked for is waited for up to here, for somebody waits for an answer; a longer one is told.
pub(super) const SHORT_PAUSE: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub(super) struct CircuitBreaker {
    failures: u32,
    rest: Option<Rest>,
    /// The question that tries it after a rest is under way.
    on_trial: bool,
}

#[derive(Clone, Copy, Debug)]
struct Rest {
    until: Instant,
    requested_by_server: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BreakerState {
    Ready,
    /// It failed lately, and is better left alone for so long.
    Resting(Duration),
    /// Its server asked to be left alone for so long.
    AskedToWait(Duration),
}

impl CircuitBreaker {
    pub fn readiness(&self, now: Instant) -> BreakerState {
        match self.rest {
            Some(Rest {
                until,
                requested_by_server: true,
            }) if until > now => BreakerState::AskedToWait(until - now),
            Some(Rest { until, .. }) if until > now => BreakerState::Resting(until - now),
            Some(_) if self.on_trial => BreakerState::Resting(Duration::ZERO),
            _ => BreakerState::Ready,
        }
    }

    /// How long to wait before it is asked now: its server's own short pause.
    pub fn remaining_pause(&self, now: Instant) -> Duration {
        match self.readiness(now) {
            BreakerState::AskedToWait(wait) if wait <= SHORT_PAUSE => wait,
            _ => Duration::ZERO,
        }
    }

    /// It is asked. Answers whether this question is the trial after a rest.
    pub fn begin_request(&mut self) -> bool {
        let is_trial = self.rest.is_some() && !self.on_trial;
        self.on_trial |= is_trial;
        is_trial
    }

    /// The trial was given up before anything was known of it.
    pub fn abandon_trial(&mut self) {
        self.on_trial = false;
    }

    pub fn record_answer(&mut self) {
        *self = Self::default();
    }

    /// It failed, perhaps saying for how long it wants to be left alone.
    pub fn record_failure(&mut self, now: Instant, wait: Option<Duration>) {
        self.on_trial = false;
        self.failures = self.failures.saturating_add(1);
        let own = self
            .failures
            .checked_sub(FAILURES)
            .map(|doublings| compute_back_off(FIRST_REST, doublings, LONGEST_REST));
        let asked = wait
            .filter(|wait| !wait.is_zero())
            .map(|wait| wait.min(LONGEST_ASKED));
        let rest = asked
            .map(|wait| (wait, true))
            .or(own.map(|rest| (rest, false)));
        self.rest = rest.map(|(rest, asked_for)| Rest {
            until: now + rest,
            requested_by_server: asked_for,
        });
    }
}

#[cfg(test)]
#[path = "tests/unit/breaker.rs"]
mod tests;
