//! The one place that reads the clock. The edge and the rooms that meet the outside world ask it and hand the answer
//! down; `core/`, `tools/` and `memory/` never ask it, so that they run the same in simulated time.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::simulated_clock;

/// The time of day, in milliseconds since 1970, UTC. May jump when somebody sets the machine's clock.
#[expect(clippy::disallowed_methods, reason = "this is the place")]
pub fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let real = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
    real.saturating_add(simulated_clock::read_shift())
}

/// A point in time to measure a duration from; never jumps.
#[expect(clippy::disallowed_methods, reason = "this is the place")]
pub fn monotonic() -> Instant {
    Instant::now()
}

/// How long to sleep at most before looking at the time of day again; none: until it is due. Only a simulated clock asks
/// for it, for its hours pass between two looks.
pub fn longest_sleep() -> Option<Duration> {
    simulated_clock::longest_sleep()
}
