//! What calls cost and what may be spent on them, as the settings say it.

use serde::{Deserialize, Serialize};

use super::account::DailyLimit;
use super::attribution::ModelFunction;
use kith_core::report::TokenUsage;

/// The `[budget]` table: what may be spent (Law 12). Days are days of UTC, as providers bill them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetSettings {
    /// Tokens a day, prompt and answer together. Past it nobody is answered.
    pub daily_tokens: u64,
    /// Money a day, in that of the prices; absent: only tokens count.
    pub daily_cost: Option<f64>,
    /// The share of a limit, 0 … 1, past which only direct address is answered.
    pub soft_share: f32,
    /// Tokens a day in one channel; absent: only the whole counts.
    pub channel_tokens: Option<u64>,
    /// Money a day in one channel.
    pub channel_cost: Option<f64>,
    /// Tokens a day for the answers to one person who spoke to it.
    pub person_tokens: Option<u64>,
    /// Money a day for the same.
    pub person_cost: Option<f64>,
    /// Tokens a day for turns in the chat, over all channels.
    pub turn_tokens: Option<u64>,
    /// Money a day for the same.
    pub turn_cost: Option<f64>,
    /// Tokens a day for having pictures described.
    pub vision_tokens: Option<u64>,
    /// Money a day for the same.
    pub vision_cost: Option<f64>,
    /// Tokens a day for tasks that turns have worked on.
    pub task_tokens: Option<u64>,
    /// Money a day for the same.
    pub task_cost: Option<f64>,
    /// Tokens a day for summing talks up.
    pub summary_tokens: Option<u64>,
    /// Money a day for the same.
    pub summary_cost: Option<f64>,
    /// The same for asking whether to speak; absent: unlimited.
    pub judge_tokens: Option<u64>,
    /// The same for asking whether to speak; absent: unlimited.
    pub judge_cost: Option<f64>,
}

impl Default for BudgetSettings {
    fn default() -> Self {
        Self {
            daily_tokens: 500_000,
            daily_cost: None,
            soft_share: 0.8,
            channel_tokens: None,
            channel_cost: None,
            person_tokens: None,
            person_cost: None,
            turn_tokens: None,
            turn_cost: None,
            vision_tokens: None,
            vision_cost: None,
            task_tokens: None,
            task_cost: None,
            summary_tokens: None,
            summary_cost: None,
            judge_tokens: None,
            judge_cost: None,
        }
    }
}

impl BudgetSettings {
    pub(super) fn total_limit(&self) -> DailyLimit {
        DailyLimit {
            tokens: Some(self.daily_tokens),
            cost: self.daily_cost,
        }
    }

    pub(super) fn channel_limit(&self) -> DailyLimit {
        DailyLimit {
            tokens: self.channel_tokens,
            cost: self.channel_cost,
        }
    }

    pub(super) fn person_limit(&self) -> DailyLimit {
        DailyLimit {
            tokens: self.person_tokens,
            cost: self.person_cost,
        }
    }

    pub(super) fn function_limit(&self, function: ModelFunction) -> DailyLimit {
        match function {
            ModelFunction::Turn => DailyLimit {
                tokens: self.turn_tokens,
                cost: self.turn_cost,
            },
            ModelFunction::Vision => DailyLimit {
                tokens: self.vision_tokens,
                cost: self.vision_cost,
            },
            ModelFunction::Task => DailyLimit {
                tokens: self.task_tokens,
                cost: self.task_cost,
            },
            ModelFunction::Summary => DailyLimit {
                tokens: self.summary_tokens,
                cost: self.summary_cost,
            },
            ModelFunction::Judge => DailyLimit {
                tokens: self.judge_tokens,
                cost: self.judge_cost,
            },
            ModelFunction::Test => DailyLimit::default(),
        }
    }

    /// Whether anything is limited in money.
    pub fn has_cost_limit(&self) -> bool {
        let all = [self.daily_cost, self.channel_cost, self.person_cost];
        let each = [
            self.turn_cost,
            self.vision_cost,
            self.task_cost,
            self.summary_cost,
            self.judge_cost,
        ];
        all.iter().chain(&each).any(Option::is_some)
    }
}

/// What Anthropic takes for a token it writes to its cache, in prices of a token it reads.
const CACHE_WRITE: f64 = 1.25;

/// What a model costs, in money for a million tokens. Which money, the host knows; all prices are in the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    /// Of prompts.
    pub prompt: f64,
    /// Of what is served from the provider's cache; absent: as `prompt`.
    #[serde(default)]
    pub cached: Option<f64>,
    /// Of what is written to that cache, where the provider counts it (Anthropic); absent: a quarter more than `prompt`.
    #[serde(default)]
    pub cache_write: Option<f64>,
    /// Of answers.
    pub completion: f64,
}

impl ModelPrice {
    /// What a call cost.
    pub fn of(&self, usage: &TokenUsage) -> f64 {
        let cached = usage.cached.min(usage.prompt);
        let written = usage.cache_written.min(usage.prompt - cached);
        let million = f64::from(usage.prompt - cached - written) * self.prompt
            + f64::from(cached) * self.cached.unwrap_or(self.prompt)
            + f64::from(written) * self.cache_write.unwrap_or(self.prompt * CACHE_WRITE)
            + f64::from(usage.completion) * self.completion;
        million / 1e6
    }
}
