//! The one place that reads the clock of the machine, and the ids made from it.

use crate::core::chat::Millis;

/// Milliseconds since the Unix epoch, by the machine's clock.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the clock; everybody else is given the time")]
pub fn now() -> Millis {
    chrono::Utc::now().timestamp_millis()
}

/// Room ids start to count here: 2015-01-01, as Discord's do, so that ids of both platforms look alike.
const EPOCH: Millis = 1_420_070_400_000;

/// Hands out ids that grow with time, in the shape of Discord's: milliseconds, then a counter.
#[derive(Debug, Default)]
pub struct Ids {
    last: u64,
}

impl Ids {
    /// Ids larger than `last`.
    pub fn after(last: u64) -> Self {
        Self { last }
    }

    /// The next id; larger than all before, even when the clock was set back.
    pub fn next(&mut self, now: Millis) -> u64 {
        let from_clock = u64::try_from(now - EPOCH).unwrap_or(0) << 22;
        self.last = from_clock.max(self.last + 1);
        self.last
    }
}
