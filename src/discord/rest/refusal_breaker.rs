//! Counts what Discord refused (401, 403, 429) in the last ten minutes: at 10,000 it bans the address for a while, so
//! that the breaker opens before. Pure: time is handed in.

use std::collections::VecDeque;

use tokio::time::Instant;

use super::settings::RequestPacing;

#[derive(Debug, Default)]
pub(super) struct RefusalCounter {
    times: VecDeque<Instant>,
    is_open: bool,
}

impl RefusalCounter {
    /// One more; answers whether the breaker opens with it.
    pub fn count(&mut self, pace: &RequestPacing, now: Instant) -> bool {
        self.times.push_back(now);
        let was_open = self.is_open;
        self.update_breaker(pace, now);
        self.is_open && !was_open
    }

    /// How many there were, if only vital requests may be made. The breaker closes when half of them are past.
    pub fn update_breaker(&mut self, pace: &RequestPacing, now: Instant) -> Option<usize> {
        while self
            .times
            .front()
            .is_some_and(|at| *at + pace.refused_within <= now)
        {
            self.times.pop_front();
        }
        let many = self.times.len();
        self.is_open = many >= pace.most_refused || (self.is_open && many > pace.most_refused / 2);
        self.is_open.then_some(many)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_breaker_opens_at_the_limit_and_closes_when_half_of_it_is_past() {
        let pace = RequestPacing {
            most_refused: 4,
            ..RequestPacing::default()
        };
        let (mut refusals, start) = (RefusalCounter::default(), Instant::now());
        let minute = |minutes: u64| start + Duration::from_secs(60 * minutes);
        let opened: Vec<bool> = (0..5)
            .map(|minutes| refusals.count(&pace, minute(minutes)))
            .collect();
        assert_eq!(opened, [false, false, false, true, false]);
        assert_eq!(refusals.update_breaker(&pace, minute(9)), Some(5));
        assert_eq!(refusals.update_breaker(&pace, minute(11)), Some(3));
        assert_eq!(refusals.update_breaker(&pace, minute(12)), None);
        assert!(!refusals.count(&pace, minute(12)));
    }
}
