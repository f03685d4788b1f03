//! How many sessions may still be started. Discord allows 1,000 a day, one in 5 s for each of `max_concurrency` groups
//! of shards, and resets the token of a bot that goes past. Pure; time is handed in.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Below one in this many of a day's sessions they are spread over the time that is left.
const LITTLE: u32 = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionStartLimit {
    pub total: u32,
    pub remaining: u32,
    /// When there are `total` again.
    pub renews_in: Duration,
    /// Shards that may start at the same time (`max_concurrency`).
    pub max_concurrency: u16,
}

impl SessionStartLimit {
    /// Whether so few are left that a program that dies and starts over must not use them up.
    pub fn is_low(&self) -> bool {
        self.remaining < (self.total / LITTLE).max(1)
    }

    /// The group of a shard, whose sessions start one after the other.
    pub fn group_of(&self, shard: u16) -> u16 {
        shard % self.max_concurrency.max(1)
    }
}

/// What is left, and when each group of shards may start its next session.
#[derive(Debug)]
pub struct SessionStartBudget {
    limit: SessionStartLimit,
    read_at: Instant,
    started_at: HashMap<u16, Instant>,
    free_at: HashMap<u16, Instant>,
    last_turn: Option<Instant>,
}

impl SessionStartBudget {
    pub fn new(limit: SessionStartLimit, now: Instant) -> Self {
        Self {
            limit,
            read_at: now,
            started_at: HashMap::new(),
            free_at: HashMap::new(),
            last_turn: None,
        }
    }

    /// Takes over what Discord told anew: other programs may use the same token.
    pub fn update_limit(&mut self, limit: SessionStartLimit, now: Instant) {
        (self.limit, self.read_at) = (limit, now);
    }

    pub fn is_fresh(&self, time: Duration, now: Instant) -> bool {
        now.saturating_duration_since(self.read_at) < time
    }

    pub fn current_limit(&self, now: Instant) -> SessionStartLimit {
        let since = now.saturating_duration_since(self.read_at);
        match self.limit.renews_in.checked_sub(since) {
            Some(renews_in) if !renews_in.is_zero() => SessionStartLimit {
                renews_in,
                ..self.limit
            },
            _ => SessionStartLimit {
                remaining: self.limit.total,
                renews_in: Duration::ZERO,
                ..self.limit
            },
        }
    }

    /// Reserves a shard's turn to start a session; answers when that is. Starts of a group are `apart`, and when little
    /// is left all are spread until more come.
    pub fn reserve(&mut self, shard: u16, apart: Duration, now: Instant) -> Instant {
        let left = self.current_limit(now);
        let group = left.group_of(shard);
        let mut at = self.free_at.get(&group).map_or(now, |free| now.max(*free));
        if left.is_low() {
            let last = self.started_at.values().chain(&self.last_turn).max();
            let last = last.copied().unwrap_or(now);
            at = at.max(last + left.renews_in / left.remaining.max(1));
        }
        self.free_at.insert(group, at + apart);
        self.last_turn = self.last_turn.max(Some(at));
        at
    }

    /// How long the last start of a shard's group is too young for another. It may have been later than its turn was: the
    /// link had to be opened first.
    pub fn until_next_start(&self, shard: u16, apart: Duration, now: Instant) -> Duration {
        let group = self.current_limit(now).group_of(shard);
        let last = self.started_at.get(&group);
        last.map_or(Duration::ZERO, |last| {
            (*last + apart).saturating_duration_since(now)
        })
    }

    pub fn record_start(&mut self, shard: u16, now: Instant) {
        if self.current_limit(now).renews_in.is_zero() {
            let limit = SessionStartLimit {
                remaining: self.limit.total,
                renews_in: Duration::from_secs(24 * 3600),
                ..self.limit
            };
            self.update_limit(limit, now);
        }
        self.limit.remaining = self.limit.remaining.saturating_sub(1);
        self.started_at.insert(self.limit.group_of(shard), now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_system::clock;

    const APART: Duration = Duration::from_secs(5);
    const HOUR: Duration = Duration::from_secs(3600);

    fn limit(remaining: u32, at_once: u16) -> SessionStartLimit {
        SessionStartLimit {
            total: 1000,
            remaining,
            renews_in: 10 * HOUR,
            max_concurrency: at_once,
        }
    }

    #[test]
    fn shards_of_a_group_start_five_seconds_apart_and_groups_side_by_side() {
        let now = clock::monotonic();
        let mut budget = SessionStartBudget::new(limit(900, 2), now);
        let waits: Vec<u64> = (0..6)
            .map(|shard| budget.reserve(shard, APART, now))
            .map(|at| (at - now).as_secs())
            .collect();
        assert_eq!(waits, [0, 0, 5, 5, 10, 10]);
    }

    #[test]
    fn a_start_later_than_its_turn_holds_back_the_next_of_its_group_alone() {
        let now = clock::monotonic();
        let mut budget = SessionStartBudget::new(limit(900, 2), now);
        assert_eq!(budget.until_next_start(0, APART, now), Duration::ZERO);
        budget.record_start(0, now + Duration::from_secs(3));
        let turn = now + APART;
        assert_eq!(
            budget.until_next_start(2, APART, turn),
            Duration::from_secs(3)
        );
        assert_eq!(budget.until_next_start(1, APART, turn), Duration::ZERO);
    }

    #[test]
    fn what_little_is_left_is_spread_until_more_come() {
        let now = clock::monotonic();
        let mut budget = SessionStartBudget::new(limit(51, 1), now);
        assert_eq!(budget.reserve(0, APART, now), now);
        budget.record_start(0, now);
        budget.record_start(0, now);
        assert_eq!(budget.current_limit(now).remaining, 49);
        assert_eq!(budget.reserve(0, APART, now + HOUR), now + HOUR);
        budget.record_start(0, now + HOUR);
        assert_eq!(
            budget.reserve(0, APART, now + HOUR),
            now + HOUR + 9 * HOUR / 48
        );
    }

    #[test]
    fn shards_that_reserve_before_any_of_them_starts_are_spread_as_well() {
        let now = clock::monotonic();
        let mut budget = SessionStartBudget::new(limit(10, 1), now);
        let waits: Vec<u64> = (0..3)
            .map(|shard| budget.reserve(shard, APART, now))
            .map(|at| (at - now).as_secs() / 3600)
            .collect();
        assert_eq!(waits, [1, 2, 3]);
    }

    #[test]
    fn with_none_left_nothing_starts_until_they_renew_and_then_all_are_there() {
        let now = clock::monotonic();
        let mut budget = SessionStartBudget::new(limit(1, 1), now);
        budget.record_start(0, now);
        assert_eq!(budget.reserve(0, APART, now), now + 10 * HOUR);
        let renewed = now + 11 * HOUR;
        assert_eq!(budget.current_limit(renewed).remaining, 1000);
        budget.record_start(0, renewed);
        assert_eq!(budget.current_limit(renewed).remaining, 999);
    }

    #[test]
    fn what_discord_tells_replaces_what_was_counted() {
        let now = clock::monotonic();
        let mut budget = SessionStartBudget::new(limit(900, 1), now);
        budget.update_limit(limit(3, 1), now);
        assert!(budget.current_limit(now).is_low());
        assert!(limit(0, 1).is_low() && !limit(50, 1).is_low());
    }
}
