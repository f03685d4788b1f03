//! Between which numbers each setting has to lie.

use std::fmt;

use super::Settings;
use kith_core::talkativeness;

/// A value as the setting holds it: converted to another type, it would be told as a number nobody wrote.
#[derive(Clone, Copy, Debug)]
pub enum ExactNumber {
    Whole(u64),
    /// One with a fraction.
    Decimal(f32),
    Money(f64),
}

impl ExactNumber {
    /// Whether it lies between two numbers. Bounds are below 2^53, so that no rounding moves a value across one.
    pub(super) fn is_within(self, from: f64, to: f64) -> bool {
        let value = match self {
            ExactNumber::Whole(value) => value as f64,
            ExactNumber::Decimal(value) => value.into(),
            ExactNumber::Money(value) => value,
        };
        (from..=to).contains(&value)
    }
}

impl From<u32> for ExactNumber {
    fn from(value: u32) -> Self {
        ExactNumber::Whole(value.into())
    }
}

impl From<u64> for ExactNumber {
    fn from(value: u64) -> Self {
        ExactNumber::Whole(value)
    }
}

impl From<f32> for ExactNumber {
    fn from(value: f32) -> Self {
        ExactNumber::Decimal(value)
    }
}

impl From<f64> for ExactNumber {
    fn from(value: f64) -> Self {
        ExactNumber::Money(value)
    }
}

impl fmt::Display for ExactNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExactNumber::Whole(value) => value.fmt(f),
            ExactNumber::Decimal(value) => value.fmt(f),
            ExactNumber::Money(value) => value.fmt(f),
        }
    }
}

/// A setting that has to lie between two numbers.
pub(super) struct Range {
    pub(super) path: &'static str,
    pub(super) read: fn(&Settings) -> Option<ExactNumber>,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) wanted: &'static str,
}

const DAY_SECONDS: f64 = 86_400.0;
/// The most times a day it may wake by itself in a channel.
pub(super) const A_DAY: f64 = 100.0;
const TOKENS: f64 = 10_000_000.0;
const TOKENS_A_DAY: f64 = 1e12;
const MONEY: f64 = 1e9;

#[rustfmt::skip]
pub(super) const RANGES: &[Range] = &[
    Range { path: "near_duplicate", read: |s| Some(s.near_duplicate.into()), from: 0.1, to: 2.0, wanted: "a number from 0.1 to 1, or 2 to switch it off" },
    Range { path: "heartbeat.burst_wait_seconds", read: |s| Some(s.heartbeat.burst_wait_seconds.into()), from: 0.0, to: 60.0, wanted: "0 to 60 seconds" },
    Range { path: "heartbeat.address_wait_seconds", read: |s| Some(s.heartbeat.address_wait_seconds.into()), from: 0.0, to: 60.0, wanted: "0 to 60 seconds" },
    Range { path: "heartbeat.burst_cap_seconds", read: |s| Some(s.heartbeat.burst_cap_seconds.into()), from: 0.0, to: 300.0, wanted: "0 to 300 seconds" },
    Range { path: "initiative.wakes_a_day", read: |s| Some(s.initiative.wakes_a_day.into()), from: 0.0, to: A_DAY, wanted: "0 (never) to 100 times a day" },
    Range { path: "initiative.openings_a_day", read: |s| Some(s.initiative.openings_a_day.into()), from: 0.0, to: A_DAY, wanted: "0 (never) to 100 times a day" },
    Range { path: "initiative.lull_minutes", read: |s| Some(s.initiative.lull_minutes.into()), from: 10.0, to: 10_080.0, wanted: "10 to 10080 minutes" },
    Range { path: "turn.rounds", read: |s| Some(s.turn.rounds.into()), from: 1.0, to: 20.0, wanted: "1 to 20" },
    Range { path: "turn.in_flight", read: |s| Some(s.turn.in_flight.into()), from: 1.0, to: 64.0, wanted: "1 to 64" },
    Range { path: "pacing.characters_per_second", read: |s| Some(s.pacing.characters_per_second.into()), from: 0.0, to: 1_000.0, wanted: "0 (at once) to 1000 characters a second" },
    Range { path: "pacing.cjk_per_second", read: |s| Some(s.pacing.cjk_per_second.into()), from: 0.0, to: 1_000.0, wanted: "0 (at once) to 1000 characters a second" },
    Range { path: "pacing.longest_pause_seconds", read: |s| Some(s.pacing.longest_pause_seconds.into()), from: 0.0, to: 60.0, wanted: "0 to 60 seconds" },
    Range { path: "context.prompt_tokens", read: |s| Some(s.context.prompt_tokens.into()), from: 800.0, to: TOKENS, wanted: "800 to 10000000 tokens" },
    Range { path: "context.history_tokens", read: |s| Some(s.context.history_tokens.into()), from: 100.0, to: TOKENS, wanted: "100 to 10000000 tokens" },
    Range { path: "context.recall_tokens", read: |s| Some(s.context.recall_tokens.into()), from: 0.0, to: TOKENS, wanted: "0 to 10000000 tokens" },
    Range { path: "context.lore_tokens", read: |s| Some(s.context.lore_tokens.into()), from: 0.0, to: TOKENS, wanted: "0 to 10000000 tokens" },
    Range { path: "context.working_tokens", read: |s| Some(s.context.working_tokens.into()), from: 100.0, to: TOKENS, wanted: "100 to 10000000 tokens" },
    Range { path: "budget.daily_tokens", read: |s| Some(s.budget.daily_tokens.into()), from: 1.0, to: TOKENS_A_DAY, wanted: "1 to 1000000000000 tokens a day" },
    Range { path: "budget.channel_tokens", read: |s| s.budget.channel_tokens.map(Into::into), from: 1.0, to: TOKENS_A_DAY, wanted: "1 to 1000000000000 tokens a day" },
    Range { path: "budget.person_tokens", read: |s| s.budget.person_tokens.map(Into::into), from: 1.0, to: TOKENS_A_DAY, wanted: "1 to 1000000000000 tokens a day" },
    Range { path: "budget.daily_cost", read: |s| s.budget.daily_cost.map(Into::into), from: 0.0, to: MONEY, wanted: "0 to 1000000000 a day" },
    Range { path: "budget.channel_cost", read: |s| s.budget.channel_cost.map(Into::into), from: 0.0, to: MONEY, wanted: "0 to 1000000000 a day" },
    Range { path: "budget.turn_tokens", read: |s| s.budget.turn_tokens.map(Into::into), from: 1.0, to: TOKENS_A_DAY, wanted: "1 to 1000000000000 tokens a day" },
    Range { path: "budget.vision_tokens", read: |s| s.budget.vision_tokens.map(Into::into), from: 1.0, to: TOKENS_A_DAY, wanted: "1 to 1000000000000 tokens a day" },
    Range { path: "budget.task_tokens", read: |s| s.budget.task_tokens.map(Into::into), from: 1.0, to: TOKENS_A_DAY, wanted: "1 to 1000000000000 tokens a day" },
    Range { path: "budget.task_cost", read: |s| s.budget.task_cost.map(Into::into), from: 0.0, to: MONEY, wanted: "0 to 1000000000 a day" },
    Range { path: "task.rounds", read: |s| Some(s.task.rounds.into()), from: 1.0, to: 30.0, wanted: "1 to 30" },
    Range { path: "task.tokens", read: |s| Some(s.task.tokens.into()), from: 1_000.0, to: TOKENS, wanted: "1000 to 10000000 tokens" },
    Range { path: "budget.judge_tokens", read: |s| s.budget.judge_tokens.map(Into::into), from: 1.0, to: TOKENS_A_DAY, wanted: "1 to 1000000000000 tokens a day" },
    Range { path: "budget.summary_tokens", read: |s| s.budget.summary_tokens.map(Into::into), from: 1.0, to: TOKENS_A_DAY, wanted: "1 to 1000000000000 tokens a day" },
    Range { path: "budget.consolidation_tokens", read: |s| s.budget.consolidation_tokens.map(Into::into), from: 1.0, to: TOKENS_A_DAY, wanted: "1 to 1000000000000 tokens a day" },
    Range { path: "budget.consolidation_cost", read: |s| s.budget.consolidation_cost.map(Into::into), from: 0.0, to: MONEY, wanted: "0 to 1000000000 a day" },
    Range { path: "budget.embedding_tokens", read: |s| s.budget.embedding_tokens.map(Into::into), from: 1.0, to: TOKENS_A_DAY, wanted: "1 to 1000000000000 tokens a day" },
    Range { path: "budget.embedding_cost", read: |s| s.budget.embedding_cost.map(Into::into), from: 0.0, to: MONEY, wanted: "0 to 1000000000 a day" },
    Range { path: "budget.turn_cost", read: |s| s.budget.turn_cost.map(Into::into), from: 0.0, to: MONEY, wanted: "0 to 1000000000 a day" },
    Range { path: "budget.vision_cost", read: |s| s.budget.vision_cost.map(Into::into), from: 0.0, to: MONEY, wanted: "0 to 1000000000 a day" },
    Range { path: "budget.judge_cost", read: |s| s.budget.judge_cost.map(Into::into), from: 0.0, to: MONEY, wanted: "0 to 1000000000 a day" },
    Range { path: "budget.summary_cost", read: |s| s.budget.summary_cost.map(Into::into), from: 0.0, to: MONEY, wanted: "0 to 1000000000 a day" },
    Range { path: "budget.person_cost", read: |s| s.budget.person_cost.map(Into::into), from: 0.0, to: MONEY, wanted: "0 to 1000000000 a day" },
    Range { path: "model.price.prompt", read: |s| s.model.price.map(|price| price.prompt.into()), from: 0.0, to: MONEY, wanted: "0 to 1000000000 for a million tokens" },
    Range { path: "model.price.cache_write", read: |s| s.model.price.and_then(|price| price.cache_write).map(Into::into), from: 0.0, to: MONEY, wanted: "0 to 1000000000 for a million tokens" },
    Range { path: "model.price.cached", read: |s| s.model.price.and_then(|price| price.cached).map(Into::into), from: 0.0, to: MONEY, wanted: "0 to 1000000000 for a million tokens" },
    Range { path: "model.price.completion", read: |s| s.model.price.map(|price| price.completion.into()), from: 0.0, to: MONEY, wanted: "0 to 1000000000 for a million tokens" },
    Range { path: "budget.soft_share", read: |s| Some(s.budget.soft_share.into()), from: 0.0, to: 1.0, wanted: "a share from 0 to 1" },
    Range { path: "sessions.most", read: |s| Some(s.sessions.most.into()), from: 1.0, to: 1_000.0, wanted: "1 to 1000" },
    Range { path: "sessions.depth", read: |s| Some(s.sessions.depth.into()), from: 1.0, to: 20.0, wanted: "1 to 20" },
    Range { path: "store.keep_days", read: |s| Some(s.store.keep_days.into()), from: 1.0, to: 36_500.0, wanted: "1 to 36500 days" },
    Range { path: "store.partitions", read: |s| Some(u32::from(s.store.partitions).into()), from: 1.0, to: 256.0, wanted: "1 to 256 partitions" },
    Range { path: "discord.max_talkativeness", read: |s| Some(s.discord.max_talkativeness.into()), from: 0.0, to: 1.0, wanted: "a number from 0 (shy) to 1 (chatty)" },
    Range { path: "discord.backfill_pages", read: |s| Some(s.discord.backfill_pages.into()), from: 0.0, to: 100.0, wanted: "0 to 100 pages" },
    Range { path: "discord.log.slow_tool_seconds", read: |s| Some(s.discord.log.slow_tool_seconds.into()), from: 0.0, to: 600.0, wanted: "0 (never) to 600 seconds" },
    Range { path: "discord.log.keep_hours", read: |s| Some(s.discord.log.keep_hours.into()), from: 0.0, to: 87_600.0, wanted: "0 (for ever) to 87600 hours" },
    Range { path: "model.context_tokens", read: |s| s.model.context_tokens.map(Into::into), from: 1_500.0, to: TOKENS, wanted: "1500 to 10000000 tokens" },
    Range { path: "model.temperature", read: |s| s.model.temperature.map(Into::into), from: 0.0, to: 2.0, wanted: "a number from 0 to 2" },
    Range { path: "model.top_p", read: |s| s.model.top_p.map(Into::into), from: 0.0, to: 1.0, wanted: "a number from 0 to 1" },
    Range { path: "model.max_tokens", read: |s| Some(s.model.max_tokens.into()), from: 16.0, to: TOKENS, wanted: "16 to 10000000 tokens" },
    Range { path: "model.retries", read: |s| Some(s.model.retries.into()), from: 0.0, to: 10.0, wanted: "0 to 10" },
    Range { path: "model.connect_seconds", read: |s| Some(s.model.connect_seconds.into()), from: 0.1, to: DAY_SECONDS, wanted: "0.1 to 86400 seconds" },
    Range { path: "model.first_token_seconds", read: |s| s.model.first_token_seconds.map(Into::into), from: 0.1, to: DAY_SECONDS, wanted: "0.1 to 86400 seconds" },
    Range { path: "model.idle_seconds", read: |s| Some(s.model.idle_seconds.into()), from: 0.1, to: DAY_SECONDS, wanted: "0.1 to 86400 seconds" },
    Range { path: "model.total_seconds", read: |s| s.model.total_seconds.map(Into::into), from: 0.1, to: DAY_SECONDS, wanted: "0.1 to 86400 seconds" },
];

/// What may be written for the setting at `path`, where that is a range.
pub fn find_wanted(path: &str) -> Option<&'static str> {
    if path == "talkativeness" {
        return Some(talkativeness::WANTED);
    }
    RANGES
        .iter()
        .find(|range| range.path == path)
        .map(|range| range.wanted)
}

/// A value of the wrong size.
pub fn describe_value(path: &str, value: impl Into<ExactNumber>) -> String {
    format!("`{path}` is {}", value.into())
}
