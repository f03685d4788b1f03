//! The budgets of Law 12: what may still be spent today, in all, in a channel, for a person, and for what it is spent on, in
//! tokens and in money.
//! Plain numbers; time is an argument, and the sums of earlier hours live in the store. Every call of a model reserves
//! before and settles afterwards, through [`super::CallLedger`].

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::account::{BudgetAccount, DailyLimit, LimitUnit, TokenCost};
use super::attribution::{BudgetScope, CostAttribution, ModelFunction};
use super::budget_settings::BudgetSettings;
use super::price::ModelPrice;
use kith_core::chat::{ChannelId, DAY, Millis, UserId};
use kith_core::event::BudgetState;
use kith_core::report::{ModelFailure, TokenUsage};
use kith_language::{LocalizedMessage, model_faults};

/// How many times our own estimate of a prompt a server may count: tokenizers differ, and servers add to prompts.
const MOST_TIMES: u32 = 4;
/// What it may count besides, in tokens: a small prompt in a large frame.
const MOST_BESIDES: u32 = 1_000;

/// The most tokens of prompt and answer that a server's figures are believed. Whatever it says, it was sent no more than
/// the prompt, and wrote no more tokens than it was allowed, with thinking it may not count among them, or than the bytes
/// that came. Without that a made-up figure would spend the day's budget at once and keep the companion silent.
pub(super) fn compute_credible_limits(
    prompt_tokens: u32,
    max_tokens: u32,
    bytes_written: usize,
) -> (u32, u32) {
    let prompt = prompt_tokens
        .saturating_mul(MOST_TIMES)
        .saturating_add(MOST_BESIDES);
    let bytes = u32::try_from(bytes_written).unwrap_or(u32::MAX);
    (
        prompt,
        max_tokens
            .saturating_mul(2)
            .saturating_add(MOST_BESIDES)
            .max(bytes),
    )
}

/// What was spent and promised today. A day is a day of UTC: providers bill by it, and it never has 23 or 25 hours.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetLedger {
    settings: BudgetSettings,
    day: i64,
    /// How many days were begun, whatever their dates: a reservation belongs to one of them.
    day_count: u64,
    total: BudgetAccount,
    /// What of that other processes spent.
    elsewhere: TokenCost,
    channels: HashMap<ChannelId, BudgetAccount>,
    people: HashMap<UserId, BudgetAccount>,
    functions: HashMap<ModelFunction, BudgetAccount>,
    announced_states: HashMap<BudgetScope, BudgetState>,
}

/// What was told of a day's budget, as it is kept over a restart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BudgetNotices {
    day: i64,
    state: BudgetState,
    tokens: u64,
    cost: Option<f64>,
}

/// What is promised to a running call. Give it back with [`BudgetLedger::settle`].
#[derive(Debug, PartialEq)]
#[must_use = "what is reserved stays reserved until it is settled"]
pub struct Reservation {
    day_count: u64,
    attribution: CostAttribution,
    price: Option<ModelPrice>,
    amount: TokenCost,
}

impl Reservation {
    pub(super) fn attribution(&self) -> CostAttribution {
        self.attribution
    }

    pub(super) fn is_priced(&self) -> bool {
        self.price.is_some()
    }
}

impl BudgetLedger {
    /// A budget of the day of `now`; what was spent of it so far is by channel and what for, by the store.
    pub fn new(
        settings: BudgetSettings,
        now: Millis,
        spent_today: impl IntoIterator<Item = (ChannelId, Option<ModelFunction>, TokenCost)>,
    ) -> Self {
        let mut budget = Self {
            settings,
            day: compute_day_number(now),
            day_count: 0,
            total: BudgetAccount::default(),
            elsewhere: TokenCost::default(),
            channels: HashMap::new(),
            people: HashMap::new(),
            functions: HashMap::new(),
            announced_states: HashMap::new(),
        };
        for (channel, function, amount) in spent_today {
            budget.total.settle(TokenCost::default(), amount);
            budget
                .channels
                .entry(channel)
                .or_default()
                .settle(TokenCost::default(), amount);
            if let Some(function) = function {
                budget
                    .functions
                    .entry(function)
                    .or_default()
                    .settle(TokenCost::default(), amount);
            }
        }
        // Limits that were passed before a restart were told before it.
        let channels = budget.channels.keys().copied().map(BudgetScope::Channel);
        let budget_scopes: Vec<BudgetScope> = channels
            .chain(budget.functions.keys().copied().map(BudgetScope::Function))
            .collect();
        for budget_scope in budget_scopes {
            let soft_share = budget.settings.soft_share;
            let (account, limit) = budget.account(budget_scope);
            let state = account.compute_state(&limit, soft_share);
            budget.announced_states.insert(budget_scope, state);
        }
        budget
    }

    /// What is told of the day now, to be kept.
    pub fn notices(&mut self, now: Millis) -> BudgetNotices {
        let state = self.state(now);
        BudgetNotices {
            day: self.day,
            state,
            tokens: self.settings.daily_tokens,
            cost: self.settings.daily_cost,
        }
    }

    /// Takes up what was told before a restart: a day that was over is not begun again because a smaller call would fit.
    /// Answers with the limit that nobody has to be told of again; under other limits that is none.
    pub fn restore_notices(&mut self, notices: BudgetNotices) -> BudgetState {
        let same = BudgetNotices {
            day: self.day,
            tokens: self.settings.daily_tokens,
            cost: self.settings.daily_cost,
            ..notices
        };
        if notices != same {
            return BudgetState::Open;
        }
        self.total.closed = notices.state == BudgetState::Hard;
        notices.state
    }

    /// Changes the limits, keeping what was spent.
    pub fn set_settings(&mut self, settings: BudgetSettings) {
        self.accounts().for_each(|account| account.closed = false);
        self.settings = settings;
    }

    pub fn state(&mut self, now: Millis) -> BudgetState {
        self.roll_over_day(now);
        self.total
            .compute_state(&self.settings.total_limit(), self.settings.soft_share)
    }

    /// The limits of their own that a call has reached since this was asked last.
    pub fn find_reached_limits(
        &mut self,
        now: Millis,
        attribution: CostAttribution,
    ) -> Vec<(BudgetScope, BudgetState)> {
        self.roll_over_day(now);
        let soft_share = self.settings.soft_share;
        let mut reached = Vec::new();
        for budget_scope in attribution.scopes() {
            let (account, limit) = self.account(budget_scope);
            let state = account.compute_state(&limit, soft_share);
            if state
                > self
                    .announced_states
                    .insert(budget_scope, state)
                    .unwrap_or_default()
            {
                reached.push((budget_scope, state));
            }
        }
        reached
    }

    /// What is left for turns in a channel, whatever is left in all and whoever asks.
    pub fn channel_state(&mut self, now: Millis, channel: ChannelId) -> BudgetState {
        self.roll_over_day(now);
        let soft_share = self.settings.soft_share;
        let budget_scopes = [
            BudgetScope::Channel(channel),
            BudgetScope::Function(ModelFunction::Turn),
        ];
        let left = budget_scopes.map(|budget_scope| {
            let (account, limit) = self.account(budget_scope);
            account.compute_state(&limit, soft_share)
        });
        left.into_iter().max().unwrap_or_default()
    }

    /// Promises a call its prompt and its longest answer, in tokens, at a price.
    ///
    /// # Errors
    /// The call does not fit into what is left of a day, or nobody asked for it and a soft limit of its own is passed.
    pub fn reserve(
        &mut self,
        now: Millis,
        attribution: CostAttribution,
        price: Option<ModelPrice>,
        prompt: u32,
        max_tokens: u32,
    ) -> Result<Reservation, ModelFailure> {
        self.roll_over_day(now);
        let longest = TokenUsage {
            prompt,
            completion: max_tokens,
            ..TokenUsage::default()
        };
        let amount = TokenCost::from_usage(&longest, price);
        if attribution.function != ModelFunction::Test {
            self.check_limits(attribution, amount)?;
        }
        self.change_accounts(attribution, |account| {
            account.reserved = account.reserved.saturating_add(amount);
        });
        Ok(Reservation {
            day_count: self.day_count,
            attribution,
            price,
            amount,
        })
    }

    fn check_limits(
        &mut self,
        attribution: CostAttribution,
        amount: TokenCost,
    ) -> Result<(), ModelFailure> {
        let limit = self.settings.total_limit();
        if let Some(unit) = self.total.check_limit(&limit, amount) {
            let [cap, used, needed] = format_limit(unit, &limit, self.total.spent, amount);
            return Err(build_spent_failure(match unit {
                LimitUnit::Tokens => model_faults::daily_tokens_spent(cap, needed, used),
                LimitUnit::Money => model_faults::daily_money_spent(cap, needed, used),
            }));
        }
        let soft_share = self.settings.soft_share;
        for budget_scope in attribution.scopes() {
            let (account, limit) = self.account(budget_scope);
            let whose = budget_scope.describe();
            if attribution.person.is_none()
                && account.compute_state(&limit, soft_share) == BudgetState::Soft
            {
                return Err(build_spent_failure(model_faults::share_mostly_spent(whose)));
            }
            if let Some(unit) = account.check_limit(&limit, amount) {
                let [cap, used, needed] = format_limit(unit, &limit, account.spent, amount);
                return Err(build_spent_failure(match unit {
                    LimitUnit::Tokens => {
                        model_faults::share_of_tokens_spent(cap, needed, used, whose)
                    }
                    LimitUnit::Money => {
                        model_faults::share_of_money_spent(cap, needed, used, whose)
                    }
                }));
            }
        }
        Ok(())
    }

    /// Gives a reservation back and writes down what the call really took. Answers with what counts for it.
    pub fn settle(&mut self, now: Millis, reservation: Reservation, usage: CallUsage) -> TokenCost {
        self.roll_over_day(now);
        let amount = match usage {
            CallUsage::Usage(usage) => TokenCost::from_usage(&usage, reservation.price),
            CallUsage::Unknown => reservation.amount,
            CallUsage::Nothing => TokenCost::default(),
        };
        let reserved = if reservation.day_count == self.day_count {
            reservation.amount
        } else {
            TokenCost::default()
        };
        self.change_accounts(reservation.attribution, |account| {
            account.settle(reserved, amount);
        });
        amount
    }

    /// Other processes have spent so much of the same budget on the day of `now`.
    pub fn record_elsewhere(&mut self, now: Millis, spent: TokenCost) {
        self.roll_over_day(now);
        let more = spent.saturating_sub(self.elsewhere);
        self.total.settle(TokenCost::default(), more);
        self.elsewhere = self.elsewhere.saturating_add(more);
    }

    pub fn spending_today(&mut self, now: Millis) -> TokenCost {
        self.roll_over_day(now);
        self.total.spent
    }

    /// The cap, in tokens a day.
    pub fn cap(&self) -> u64 {
        self.settings.daily_tokens
    }

    /// The cap in money a day, where there is one.
    pub fn cost_cap(&self) -> Option<f64> {
        self.settings.daily_cost
    }

    pub fn next_renewal(now: Millis) -> Millis {
        Self::day_start(now) + DAY
    }

    pub fn day_start(now: Millis) -> Millis {
        compute_day_number(now) * DAY
    }

    /// Whose account of today, and its limit.
    fn account(&mut self, budget_scope: BudgetScope) -> (&mut BudgetAccount, DailyLimit) {
        match budget_scope {
            BudgetScope::Channel(channel) => (
                self.channels.entry(channel).or_default(),
                self.settings.channel_limit(),
            ),
            BudgetScope::Person(person) => (
                self.people.entry(person).or_default(),
                self.settings.person_limit(),
            ),
            BudgetScope::Function(function) => (
                self.functions.entry(function).or_default(),
                self.settings.function_limit(function),
            ),
        }
    }

    fn change_accounts(
        &mut self,
        attribution: CostAttribution,
        change: impl Fn(&mut BudgetAccount),
    ) {
        change(&mut self.total);
        attribution
            .scopes()
            .for_each(|scope| change(self.account(scope).0));
    }

    fn accounts(&mut self) -> impl Iterator<Item = &mut BudgetAccount> {
        let own = self
            .channels
            .values_mut()
            .chain(self.people.values_mut())
            .chain(self.functions.values_mut());
        std::iter::once(&mut self.total).chain(own)
    }

    fn roll_over_day(&mut self, now: Millis) {
        let today = compute_day_number(now);
        if today > self.day {
            *self = Self {
                day_count: self.day_count + 1,
                ..Self::new(self.settings.clone(), now, [])
            };
        } else if today + 1 < self.day {
            // A clock set back must not make the budget whole again, but after one that was far ahead the next midnight
            // must. A clock that goes back over midnight by a little reaches it again by itself.
            self.day = today;
        }
    }
}

fn build_spent_failure(message: LocalizedMessage) -> ModelFailure {
    ModelFailure {
        budget: true,
        ..ModelFailure::from_message(message)
    }
}

/// A limit, what is used and what is needed.
fn format_limit(
    unit: LimitUnit,
    limit: &DailyLimit,
    used: TokenCost,
    needed: TokenCost,
) -> [String; 3] {
    let tokens = |amount: TokenCost| amount.tokens.to_string();
    let money = |amount: TokenCost| format!("{:.4}", amount.cost);
    match unit {
        LimitUnit::Tokens => [
            limit.tokens.unwrap_or_default().to_string(),
            tokens(used),
            tokens(needed),
        ],
        LimitUnit::Money => [
            limit.cost.unwrap_or_default().to_string(),
            money(used),
            money(needed),
        ],
    }
}

/// What a call took. After [`ModelEvent::End`](super::ModelEvent::End): `Usage` of the usage, or of the failure's
/// `spent`; `Nothing` where the failure has none. Without that event: `Unknown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallUsage {
    /// As the server counted or the client estimated, whether the call went well or failed.
    Usage(TokenUsage),
    /// The call was given up while it ran, so that nobody counted: taken as all that was reserved.
    Unknown,
    /// The request never left, or was refused before the model began.
    Nothing,
}

fn compute_day_number(now: Millis) -> i64 {
    now.div_euclid(DAY)
}
