//! The daily token budget of Law 12: what may still be spent today. Plain numbers; time is an argument, and the sums
//! of earlier days live in the store. Turns reserve before they call a model and settle afterwards; the one short
//! question that tests a model reserves nothing and is counted with [`Budget::spend`].

use super::settings::BudgetSettings;
use crate::core::chat::{HOUR, Millis};
use crate::core::event::BudgetState;
use crate::core::report::{ModelFailure, Usage};

/// A day in milliseconds.
const DAY: Millis = 24 * HOUR;

/// What was spent and promised today. A day is a day of UTC: providers bill by it, and it never has 23 or 25 hours.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    settings: BudgetSettings,
    day: i64,
    spent: u64,
    reserved: u64,
    /// A call did not fit any more: the day is over although some tokens are left.
    closed: bool,
}

/// Tokens promised to a running call. Give it back with [`Budget::settle`].
#[derive(Debug, PartialEq)]
#[must_use = "reserved tokens stay reserved until they are settled"]
pub struct Reservation {
    day: i64,
    tokens: u64,
}

impl Budget {
    /// A budget of which `spent_today` tokens of the day of `now` are gone, by the store.
    pub fn new(settings: BudgetSettings, now: Millis, spent_today: u64) -> Self {
        Self { settings, day: day_of(now), spent: spent_today, reserved: 0, closed: false }
    }

    /// Changes the limits, keeping what was spent.
    pub fn set(&mut self, settings: BudgetSettings) {
        self.closed = false;
        self.settings = settings;
    }

    /// What is left, in three words.
    pub fn state(&mut self, now: Millis) -> BudgetState {
        self.turn_page(now);
        let cap = self.settings.daily_tokens;
        if self.closed || self.spent >= cap {
            BudgetState::Hard
        } else if self.spent as f64 >= cap as f64 * f64::from(self.settings.soft_share) {
            BudgetState::Soft
        } else {
            BudgetState::Open
        }
    }

    /// Promises a call its prompt and its longest answer, in tokens.
    ///
    /// # Errors
    /// The call does not fit into what is left of the day.
    pub fn reserve(&mut self, now: Millis, prompt: u32, max_tokens: u32) -> Result<Reservation, ModelFailure> {
        self.turn_page(now);
        let tokens = u64::from(prompt) + u64::from(max_tokens);
        let cap = self.settings.daily_tokens;
        if self.spent.saturating_add(self.reserved).saturating_add(tokens) > cap {
            // While other calls run, some of what they were promised may come back.
            self.closed |= self.spent.saturating_add(tokens) > cap;
            let message = format!(
                "The daily budget of {cap} tokens is spent ({} used, {tokens} needed): wait until midnight UTC, or \
                 raise budget.daily_tokens.",
                self.spent
            );
            return Err(ModelFailure { message, budget: true, spent: None });
        }
        self.reserved += tokens;
        Ok(Reservation { day: self.day, tokens })
    }

    /// Gives a reservation back and writes down what the call really took. Answers with the tokens that count for it.
    pub fn settle(&mut self, now: Millis, reservation: Reservation, took: Took) -> u64 {
        self.turn_page(now);
        let tokens = match took {
            Took::Usage(usage) => u64::from(usage.prompt) + u64::from(usage.completion),
            Took::Unknown => reservation.tokens,
            Took::Nothing => 0,
        };
        if reservation.day == self.day {
            self.reserved = self.reserved.saturating_sub(reservation.tokens);
        }
        self.spent = self.spent.saturating_add(tokens);
        tokens
    }

    /// Writes down the tokens of a call that had no reservation. Never refuses: they are gone already.
    pub fn spend(&mut self, now: Millis, tokens: u64) {
        self.turn_page(now);
        self.spent = self.spent.saturating_add(tokens);
    }

    /// Tokens spent today.
    pub fn spent(&mut self, now: Millis) -> u64 {
        self.turn_page(now);
        self.spent
    }

    /// The cap, in tokens a day.
    pub fn cap(&self) -> u64 {
        self.settings.daily_tokens
    }

    /// When the next day begins and the budget is whole again.
    pub fn renews_at(now: Millis) -> Millis {
        Self::day_start(now) + DAY
    }

    /// When the day of `now` began: usage from then on counts.
    pub fn day_start(now: Millis) -> Millis {
        day_of(now) * DAY
    }

    fn turn_page(&mut self, now: Millis) {
        let day = day_of(now);
        // A clock set back must not make the budget whole again.
        if day > self.day {
            *self = Self { settings: self.settings.clone(), day, spent: 0, reserved: 0, closed: false };
        }
    }
}

/// What a call took. After [`ModelEvent::End`](super::ModelEvent::End): `Usage` of the usage, or of the failure's
/// `spent`; `Nothing` where the failure has none. Without that event: `Unknown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Took {
    /// As the server counted or the client estimated, whether the call went well or failed.
    Usage(Usage),
    /// The call was given up while it ran, so that nobody counted: taken as all that was reserved.
    Unknown,
    /// The request never left, or was refused before the model began.
    Nothing,
}

fn day_of(now: Millis) -> i64 {
    now.div_euclid(DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Millis = 20_000 * DAY + DAY / 2;

    fn budget(spent: u64) -> Budget {
        Budget::new(BudgetSettings { daily_tokens: 10_000, soft_share: 0.8 }, NOON, spent)
    }

    fn usage(prompt: u32, completion: u32) -> Took {
        Took::Usage(Usage { prompt, completion, ..Usage::default() })
    }

    #[test]
    fn the_soft_bar_comes_before_the_hard_one_and_the_next_day_is_open() {
        let mut budget = budget(7_000);
        assert_eq!(budget.state(NOON), BudgetState::Open);
        let call = budget.reserve(NOON, 1_000, 500).unwrap();
        assert_eq!(budget.settle(NOON, call, usage(900, 200)), 1_100);
        assert_eq!((budget.spent(NOON), budget.state(NOON)), (8_100, BudgetState::Soft));
        let call = budget.reserve(NOON, 1_400, 500).unwrap();
        budget.settle(NOON, call, usage(1_400, 500));
        assert_eq!(budget.state(NOON), BudgetState::Hard);
        assert_eq!(budget.state(NOON + DAY / 2 - 1), BudgetState::Hard);
        assert_eq!(budget.state(NOON + DAY / 2), BudgetState::Open);
        assert_eq!(Budget::renews_at(NOON), NOON + DAY / 2);
    }

    #[test]
    fn a_call_that_does_not_fit_is_refused_and_closes_the_day() {
        let mut budget = budget(9_000);
        let failure = budget.reserve(NOON, 1_000, 500).unwrap_err();
        assert!(failure.budget);
        assert_eq!(
            failure.message,
            "The daily budget of 10000 tokens is spent (9000 used, 1500 needed): wait until midnight UTC, or raise \
             budget.daily_tokens."
        );
        assert_eq!(budget.state(NOON), BudgetState::Hard);
    }

    #[test]
    fn calls_in_flight_cannot_spend_the_same_tokens_twice() {
        let mut budget = budget(0);
        let first = budget.reserve(NOON, 5_000, 1_000).unwrap();
        assert!(budget.reserve(NOON, 5_000, 1_000).is_err());
        assert_eq!(budget.state(NOON), BudgetState::Open, "what is only promised does not close the day");
        budget.settle(NOON, first, Took::Nothing);
        let second = budget.reserve(NOON, 5_000, 1_000).unwrap();
        assert_eq!(budget.settle(NOON, second, Took::Unknown), 6_000);
    }

    #[test]
    fn a_call_without_a_reservation_counts_and_does_not_touch_what_is_promised() {
        let mut budget = budget(7_000);
        let call = budget.reserve(NOON, 500, 500).unwrap();
        budget.spend(NOON, 1_500);
        assert_eq!((budget.spent(NOON), budget.state(NOON)), (8_500, BudgetState::Soft));
        assert!(budget.reserve(NOON, 500, 1).is_err(), "the running call keeps its tokens");
        budget.settle(NOON, call, Took::Nothing);
        budget.spend(NOON, u64::MAX);
        assert_eq!(budget.state(NOON), BudgetState::Hard);
        budget.spend(NOON + DAY, 30);
        assert_eq!(budget.spent(NOON + DAY), 30);
    }

    #[test]
    fn a_call_that_ends_after_midnight_counts_for_the_new_day() {
        let mut budget = budget(9_000);
        let call = budget.reserve(NOON, 500, 100).unwrap();
        let morning = NOON + DAY;
        assert_eq!(budget.state(morning), BudgetState::Open);
        budget.settle(morning, call, usage(500, 50));
        assert_eq!(budget.spent(morning), 550);
        assert_eq!(budget.spent(NOON), 550, "a clock set back does not bring yesterday back");
    }
}
