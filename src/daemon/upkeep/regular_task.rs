//! Something that is done again and again, whatever the machine's clock does meanwhile.

use kith_core::chat::Millis;

/// When it is done next, and how long after that again.
#[derive(Clone, Copy, Debug)]
pub(in crate::daemon) struct RegularTask {
    at: Millis,
    every: Millis,
}

impl RegularTask {
    pub fn new(at: Millis, every: Millis) -> Self {
        Self { at, every }
    }

    /// When it is due: never later than its period from now, or a clock that is set back would delay it.
    pub fn next_due(&mut self, now: Millis) -> Millis {
        self.at = self.at.min(now + self.every);
        self.at
    }

    /// Whether it is to be done now; if so, it is due again after its time.
    pub fn is_due(&mut self, now: Millis) -> bool {
        let is_due = self.next_due(now) <= now;
        if is_due {
            self.at = now + self.every;
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_core::chat::DAY;

    #[test]
    fn a_clock_that_was_a_year_ahead_and_is_set_back_keeps_nothing_waiting() {
        let (now, every) = (20_000 * DAY, DAY / 4);
        let mut regular = RegularTask::new(now, every);
        assert!(
            regular.is_due(now) && !regular.is_due(now + 1),
            "once at the start"
        );
        assert!(regular.is_due(now + 365 * DAY));
        assert!(!regular.is_due(now + 1), "it was done just now");
        assert_eq!(regular.next_due(now + 2), now + 1 + every);
        assert!(regular.is_due(now + 1 + every));
    }
}
