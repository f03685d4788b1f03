//! What may still be spent: of a day, in a channel, for a person; in tokens and in money.

use kith_core::chat::{ChannelId, HOUR, Millis, UserId};
use kith_core::event::BudgetState;
use kith_model::{
    BudgetLedger, BudgetScope, BudgetSettings, CallUsage, CostAttribution, ModelFunction,
    ModelPrice, Reservation, TokenCost,
};

use super::*;

const DAY: Millis = 24 * HOUR;
const NOON: Millis = 20_000 * DAY + DAY / 2;
const DEN: ChannelId = ChannelId(10);
const ANNA: UserId = UserId(7);
/// Ten thousand tokens of prompts cost one, of answers four.
const PRICE: ModelPrice = ModelPrice {
    prompt: 100.0,
    cached: Some(10.0),
    cache_write: None,
    completion: 400.0,
};

fn unasked(channel: ChannelId) -> CostAttribution {
    CostAttribution {
        channel,
        person: None,
        function: ModelFunction::Turn,
    }
}

fn by_anna() -> CostAttribution {
    CostAttribution {
        channel: DEN,
        person: Some(ANNA),
        function: ModelFunction::Turn,
    }
}

fn settings() -> BudgetSettings {
    BudgetSettings {
        daily_tokens: 10_000,
        ..BudgetSettings::default()
    }
}

/// The den has spent 850 of its own 1,000 tokens.
fn den_past_its_soft_limit() -> BudgetLedger {
    let limits = BudgetSettings {
        channel_tokens: Some(1_000),
        ..settings()
    };
    let spent = TokenCost {
        tokens: 850,
        cost: 0.0,
    };
    BudgetLedger::new(limits, NOON, [(DEN, None, spent)])
}

fn budget(spent: u64) -> BudgetLedger {
    BudgetLedger::new(
        settings(),
        NOON,
        [(
            DEN,
            None,
            TokenCost {
                tokens: spent,
                cost: 0.0,
            },
        )],
    )
}

fn took(prompt: u32, completion: u32) -> CallUsage {
    CallUsage::Usage(TokenUsage {
        prompt,
        completion,
        ..TokenUsage::default()
    })
}

fn reserve(budget: &mut BudgetLedger, prompt: u32, longest: u32) -> Result<Reservation, String> {
    budget
        .reserve(NOON, unasked(DEN), None, prompt, longest)
        .map_err(|failure| failure.message)
}

#[test]
fn the_soft_bar_comes_before_the_hard_one_and_the_next_day_is_open() {
    let mut budget = budget(7_000);
    assert_eq!(budget.state(NOON), BudgetState::Open);
    let call = reserve(&mut budget, 1_000, 500).unwrap();
    assert_eq!(budget.settle(NOON, call, took(900, 200)).tokens, 1_100);
    assert_eq!(
        (budget.spending_today(NOON).tokens, budget.state(NOON)),
        (8_100, BudgetState::Soft)
    );
    let call = reserve(&mut budget, 1_400, 500).unwrap();
    budget.settle(NOON, call, took(1_400, 500));
    assert_eq!(budget.state(NOON), BudgetState::Hard);
    assert_eq!(budget.state(NOON + DAY / 2 - 1), BudgetState::Hard);
    assert_eq!(budget.state(NOON + DAY / 2), BudgetState::Open);
    assert_eq!(BudgetLedger::next_renewal(NOON), NOON + DAY / 2);
}

#[test]
fn what_was_told_of_a_day_is_known_after_a_restart_and_a_day_that_was_over_stays_over() {
    let mut before = budget(9_000);
    reserve(&mut before, 1_000, 500).unwrap_err();
    let told = before.notices(NOON);
    let mut after = budget(9_000);
    assert_eq!(
        after.state(NOON),
        BudgetState::Soft,
        "by what is spent alone"
    );
    assert_eq!(
        (after.restore_notices(told), after.state(NOON)),
        (BudgetState::Hard, BudgetState::Hard)
    );
    let raised = BudgetSettings {
        daily_tokens: 20_000,
        ..settings()
    };
    let mut after = BudgetLedger::new(raised, NOON, []);
    assert_eq!(
        (after.restore_notices(told), after.state(NOON)),
        (BudgetState::Open, BudgetState::Open),
        "other limits"
    );
    let mut next = BudgetLedger::new(settings(), NOON + DAY, []);
    assert_eq!(
        (next.restore_notices(told), next.state(NOON + DAY)),
        (BudgetState::Open, BudgetState::Open),
        "another day"
    );
}

#[test]
fn a_call_that_does_not_fit_is_refused_and_closes_the_day() {
    let mut budget = budget(9_000);
    let failure = budget
        .reserve(NOON, unasked(DEN), None, 1_000, 500)
        .unwrap_err();
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
    let first = reserve(&mut budget, 5_000, 1_000).unwrap();
    assert!(reserve(&mut budget, 5_000, 1_000).is_err());
    assert_eq!(
        budget.state(NOON),
        BudgetState::Open,
        "what is only promised does not close the day"
    );
    budget.settle(NOON, first, CallUsage::Nothing);
    let second = reserve(&mut budget, 5_000, 1_000).unwrap();
    assert_eq!(
        budget.settle(NOON, second, CallUsage::Unknown).tokens,
        6_000
    );
}

/// Makes a test of so many tokens; answers with what is spent and left.
fn test(budget: &mut BudgetLedger, now: Millis, tokens: u32) -> (u64, BudgetState) {
    let reserved = budget.reserve(now, CostAttribution::TEST, None, tokens, 0);
    budget.settle(now, reserved.unwrap(), took(tokens, 0));
    (budget.spending_today(now).tokens, budget.state(now))
}

#[test]
fn a_test_of_a_model_counts_and_is_never_refused() {
    let mut budget = budget(7_000);
    let call = reserve(&mut budget, 500, 500).unwrap();
    assert_eq!(test(&mut budget, NOON, 1_500), (8_500, BudgetState::Soft));
    assert!(
        reserve(&mut budget, 500, 1).is_err(),
        "the running call keeps its tokens"
    );
    budget.settle(NOON, call, CallUsage::Nothing);
    assert_eq!(test(&mut budget, NOON, u32::MAX).1, BudgetState::Hard);
    assert_eq!(
        test(&mut budget, NOON, 100).1,
        BudgetState::Hard,
        "also when all is spent"
    );
    assert_eq!(test(&mut budget, NOON + DAY, 30).0, 30);
    assert_eq!(budget.find_reached_limits(NOON, CostAttribution::TEST), []);
}

#[test]
fn a_call_that_ends_after_midnight_counts_for_the_new_day() {
    let mut budget = budget(9_000);
    let call = reserve(&mut budget, 500, 100).unwrap();
    let morning = NOON + DAY;
    assert_eq!(budget.state(morning), BudgetState::Open);
    budget.settle(morning, call, took(500, 50));
    assert_eq!(budget.spending_today(morning).tokens, 550);
    assert_eq!(
        budget.spending_today(NOON).tokens,
        550,
        "a clock set back does not bring yesterday back"
    );
}

#[test]
fn after_a_clock_that_was_a_year_ahead_the_next_midnight_makes_the_budget_whole_again() {
    let mut budget = budget(9_000);
    let ahead = NOON + 365 * DAY;
    let call = reserve(&mut budget, 500, 100).unwrap();
    let late = budget
        .reserve(ahead, by_anna(), None, 4_000, 1_000)
        .unwrap();
    budget.settle(ahead, call, took(500, 50));
    assert_eq!(
        budget.spending_today(NOON).tokens,
        550,
        "setting it back gives nothing back"
    );
    assert!(
        reserve(&mut budget, 5_000, 1_000).is_err(),
        "what is promised stays promised"
    );
    budget.settle(NOON, late, took(4_000, 50));
    assert_eq!(budget.spending_today(NOON).tokens, 4_600);
    assert!(
        reserve(&mut budget, 5_000, 100).is_ok(),
        "and is given back"
    );
    assert_eq!(budget.spending_today(NOON + DAY).tokens, 0);
}

#[test]
fn money_is_counted_with_what_came_from_the_cache_and_bounds_the_day_as_well() {
    let limits = BudgetSettings {
        daily_cost: Some(1.0),
        daily_tokens: 1_000_000,
        ..settings()
    };
    let mut budget = BudgetLedger::new(limits, NOON, []);
    let call = budget
        .reserve(NOON, by_anna(), Some(PRICE), 4_000, 500)
        .unwrap();
    let usage = TokenUsage {
        prompt: 4_000,
        cached: 3_000,
        completion: 500,
        ..TokenUsage::default()
    };
    let amount = budget.settle(NOON, call, CallUsage::Usage(usage));
    assert!((amount.cost - 0.33).abs() < 1e-9, "{amount:?}");
    let call = budget
        .reserve(NOON, by_anna(), Some(PRICE), 4_000, 500)
        .unwrap();
    budget.settle(NOON, call, CallUsage::Unknown);
    assert_eq!(budget.state(NOON), BudgetState::Soft, "0.93 of 1");
    let failure = budget
        .reserve(NOON, by_anna(), Some(PRICE), 400, 100)
        .unwrap_err();
    assert_eq!(
        failure.message,
        "The daily budget of 1 in money is spent (0.9300 used, 0.0800 needed): wait until midnight UTC, or raise \
         budget.daily_cost."
    );
    assert!(
        budget.reserve(NOON, by_anna(), None, 400, 100).is_ok(),
        "what costs nothing may still be asked"
    );
}

#[test]
fn a_channel_past_its_soft_bar_is_answered_only_where_somebody_asked_and_past_the_hard_one_not_at_all()
 {
    let mut budget = den_past_its_soft_limit();
    let refused = budget
        .reserve(NOON, unasked(DEN), None, 50, 10)
        .unwrap_err();
    assert_eq!(
        (refused.message.as_str(), refused.budget),
        (
            "This channel's daily budget is mostly spent: only direct address is answered.",
            true
        )
    );
    let call = budget.reserve(NOON, by_anna(), None, 50, 10).unwrap();
    budget.settle(NOON, call, took(50, 10));
    let refused = budget.reserve(NOON, by_anna(), None, 100, 10).unwrap_err();
    assert_eq!(
        refused.message,
        "This channel's daily budget of 1000 tokens is spent (910 used, 110 needed): wait until midnight UTC."
    );
    assert!(
        budget
            .reserve(NOON, unasked(ChannelId(11)), None, 100, 10)
            .is_ok(),
        "other channels go on"
    );
    assert_eq!(budget.state(NOON), BudgetState::Open);
}

#[test]
fn writing_to_the_cache_costs_more_and_by_default_a_quarter() {
    let usage = TokenUsage {
        prompt: 4_000,
        cached: 1_000,
        cache_written: 2_000,
        ..TokenUsage::default()
    };
    let price = kith_model::ModelPrice {
        prompt: 100.0,
        cached: Some(10.0),
        completion: 500.0,
        ..Default::default()
    };
    assert!((price.of(&usage) - 0.36).abs() < 1e-9);
    let priced = kith_model::ModelPrice {
        cache_write: Some(200.0),
        ..price
    };
    assert!((priced.of(&usage) - 0.51).abs() < 1e-9);
}

#[test]
fn a_bar_that_was_passed_before_a_restart_is_not_told_again() {
    let mut budget = den_past_its_soft_limit();
    assert_eq!(budget.find_reached_limits(NOON, unasked(DEN)), []);
    let call = budget.reserve(NOON, by_anna(), None, 100, 50).unwrap();
    budget.settle(NOON, call, took(100, 50));
    assert_eq!(
        budget.find_reached_limits(NOON, by_anna()),
        [(BudgetScope::Channel(DEN), BudgetState::Hard)]
    );
}

#[test]
fn one_person_cannot_use_up_what_is_there_for_all() {
    let limits = BudgetSettings {
        person_tokens: Some(1_000),
        ..settings()
    };
    let mut budget = BudgetLedger::new(limits, NOON, []);
    let call = budget.reserve(NOON, by_anna(), None, 800, 100).unwrap();
    budget.settle(NOON, call, took(800, 100));
    let refused = budget.reserve(NOON, by_anna(), None, 200, 100).unwrap_err();
    assert_eq!(
        refused.message,
        "The daily budget for one person of 1000 tokens is spent (900 used, 300 needed): wait until midnight UTC."
    );
    let ben = CostAttribution {
        person: Some(UserId(8)),
        ..by_anna()
    };
    assert!(budget.reserve(NOON, ben, None, 200, 100).is_ok());
    assert!(
        budget
            .reserve(NOON + DAY, by_anna(), None, 200, 100)
            .is_ok(),
        "tomorrow is a new day"
    );
}

#[test]
fn each_bar_of_a_channel_or_a_person_is_told_once() {
    let limits = BudgetSettings {
        channel_tokens: Some(2_000),
        person_tokens: Some(1_000),
        ..settings()
    };
    let mut budget = BudgetLedger::new(limits, NOON, []);
    assert_eq!(budget.find_reached_limits(NOON, by_anna()), []);
    let call = budget.reserve(NOON, by_anna(), None, 800, 50).unwrap();
    budget.settle(NOON, call, took(800, 50));
    assert_eq!(
        budget.find_reached_limits(NOON, by_anna()),
        [(BudgetScope::Person(ANNA), BudgetState::Soft)]
    );
    assert_eq!(budget.find_reached_limits(NOON, by_anna()), []);
    assert!(budget.reserve(NOON, by_anna(), None, 800, 50).is_err());
    assert_eq!(
        budget.find_reached_limits(NOON, by_anna()),
        [(BudgetScope::Person(ANNA), BudgetState::Hard)]
    );
    let call = budget.reserve(NOON, unasked(DEN), None, 800, 50).unwrap();
    budget.settle(NOON, call, took(800, 50));
    assert_eq!(
        budget.find_reached_limits(NOON, by_anna()),
        [(BudgetScope::Channel(DEN), BudgetState::Soft)]
    );
}

#[test]
fn what_pictures_may_cost_ends_before_what_turns_may() {
    let limits = BudgetSettings {
        vision_tokens: Some(1_000),
        ..settings()
    };
    let looking = |person| CostAttribution {
        channel: DEN,
        person,
        function: ModelFunction::Vision,
    };
    let mut budget = BudgetLedger::new(
        limits,
        NOON,
        [(
            DEN,
            Some(ModelFunction::Vision),
            TokenCost {
                tokens: 850,
                cost: 0.0,
            },
        )],
    );
    let refused = budget
        .reserve(NOON, looking(None), None, 50, 10)
        .unwrap_err();
    assert!(
        refused
            .message
            .starts_with("The daily budget for looking at pictures is mostly spent"),
        "{refused:?}"
    );
    assert_eq!(
        budget.find_reached_limits(NOON, looking(None)),
        [],
        "what earlier hours took counts and was told then"
    );
    let call = budget
        .reserve(NOON, looking(Some(ANNA)), None, 100, 50)
        .unwrap();
    budget.settle(NOON, call, took(100, 50));
    assert_eq!(
        budget.find_reached_limits(NOON, looking(None)),
        [(
            BudgetScope::Function(ModelFunction::Vision),
            BudgetState::Hard
        )]
    );
    assert_eq!(
        budget.find_reached_limits(NOON, looking(None)),
        [],
        "each bar once"
    );
    assert!(
        budget
            .reserve(NOON, looking(Some(ANNA)), None, 1, 1)
            .is_err()
    );
    assert!(
        budget.reserve(NOON, unasked(DEN), None, 1_000, 100).is_ok(),
        "turns go on"
    );
}

#[test]
fn what_other_processes_spend_counts_once_against_the_same_day_and_not_against_the_next() {
    let elsewhere = |tokens| TokenCost { tokens, cost: 0.0 };
    let mut budget = budget(1_000);
    for told in [4_000, 4_000, 6_000] {
        budget.record_elsewhere(NOON, elsewhere(told));
    }
    assert_eq!(budget.spending_today(NOON).tokens, 7_000);
    let refused = reserve(&mut budget, 3_000, 500).expect_err("only 3,000 are left");
    assert!(
        refused.contains("10000") || refused.contains("10,000"),
        "{refused}"
    );
    budget.record_elsewhere(NOON + DAY, elsewhere(200));
    assert_eq!(budget.spending_today(NOON + DAY).tokens, 200);
}
