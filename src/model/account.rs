//! One account of a day: what was spent and promised, against its limits. Plain numbers.

use super::price::ModelPrice;
use kith_core::event::BudgetState;
use kith_core::report::TokenUsage;

/// Tokens and what they cost, in the money that prices are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TokenCost {
    pub tokens: u64,
    /// What they cost; 0 where no price is set.
    pub cost: f64,
}

impl TokenCost {
    pub fn from_usage(usage: &TokenUsage, price: Option<ModelPrice>) -> Self {
        let tokens = u64::from(usage.prompt) + u64::from(usage.completion);
        Self {
            tokens,
            cost: price.map_or(0.0, |price| price.of(usage)),
        }
    }

    pub fn saturating_add(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            cost: self.cost + other.cost,
        }
    }

    /// What is left after taking `other` away; never less than nothing.
    pub(super) fn saturating_sub(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(other.tokens),
            cost: (self.cost - other.cost).max(0.0),
        }
    }
}

/// The most of a day; none for no limit of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DailyLimit {
    pub tokens: Option<u64>,
    pub cost: Option<f64>,
}

impl DailyLimit {
    /// The share of the limit that `amount` is: of the nearer of both.
    fn compute_share(&self, amount: TokenCost) -> f64 {
        let tokens = self
            .tokens
            .map_or(0.0, |most| amount.tokens as f64 / (most as f64).max(1.0));
        let cost = self.cost.map_or(0.0, |most| {
            if most > 0.0 {
                amount.cost / most
            } else {
                f64::INFINITY
            }
        });
        tokens.max(cost)
    }

    /// Which limit `amount` is over, with what is used and needed, in words; none if it fits.
    fn find_exceeded_unit(&self, amount: TokenCost) -> Option<LimitUnit> {
        if self.tokens.is_some_and(|most| amount.tokens > most) {
            return Some(LimitUnit::Tokens);
        }
        self.cost
            .is_some_and(|most| amount.cost > most)
            .then_some(LimitUnit::Money)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimitUnit {
    Tokens,
    Money,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BudgetAccount {
    pub spent: TokenCost,
    pub reserved: TokenCost,
    /// A call did not fit any more: the day is over although something is left.
    pub closed: bool,
}

impl BudgetAccount {
    /// What is left, in three words.
    pub fn compute_state(&self, limit: &DailyLimit, soft_share: f32) -> BudgetState {
        let share = limit.compute_share(self.spent);
        if self.closed || share >= 1.0 {
            BudgetState::Hard
        } else if share >= f64::from(soft_share) && (limit.tokens.is_some() || limit.cost.is_some())
        {
            BudgetState::Soft
        } else {
            BudgetState::Open
        }
    }

    /// Whether so much more fits, beside what is promised; closes the day where it would not even fit alone.
    pub fn check_limit(&mut self, limit: &DailyLimit, more: TokenCost) -> Option<LimitUnit> {
        let exceeded_unit = limit.find_exceeded_unit(
            self.spent
                .saturating_add(self.reserved)
                .saturating_add(more),
        )?;
        // While other calls run, some of what they were promised may come back.
        self.closed |= limit
            .find_exceeded_unit(self.spent.saturating_add(more))
            .is_some();
        Some(exceeded_unit)
    }

    pub fn settle(&mut self, reserved: TokenCost, used: TokenCost) {
        self.reserved = self.reserved.saturating_sub(reserved);
        self.spent = self.spent.saturating_add(used);
    }
}
