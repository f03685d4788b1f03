//! Ids of the room: they grow with time and look like Discord's.

use kith_core::chat::Millis;

/// Ids count from here: 2015-01-01, as Discord's do.
const EPOCH: Millis = 1_420_070_400_000;
/// The bits below the milliseconds.
const COUNTER_BITS: u32 = 22;

/// Hands out ids in the shape of Discord's: milliseconds, then a counter.
#[derive(Debug, Default)]
pub struct IdGenerator {
    last: u64,
}

impl IdGenerator {
    pub fn with_last(last: u64) -> Self {
        Self { last }
    }

    /// The next id; larger than all before, even when the clock was set back.
    pub fn next_id(&mut self, now: Millis) -> u64 {
        let from_clock = u64::try_from(now - EPOCH).unwrap_or(0) << COUNTER_BITS;
        self.last = from_clock.max(self.last + 1);
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_grow_when_the_clock_stands_still_or_goes_back() {
        let mut ids = IdGenerator::with_last(5);
        let a = ids.next_id(EPOCH + 1_000);
        let b = ids.next_id(EPOCH + 1_000);
        let c = ids.next_id(EPOCH);
        assert!(5 < a && a < b && b < c);
    }
}
