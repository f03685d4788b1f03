//! What may be spent on calls, as the settings say it.

use serde::{Deserialize, Serialize};

use super::account::DailyLimit;
use super::attribution::ModelFunction;

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
    /// Tokens a day for making memories of talks; past it they are made without a model.
    pub consolidation_tokens: Option<u64>,
    /// Money a day for the same.
    pub consolidation_cost: Option<f64>,
    /// The same for asking whether to speak; absent: unlimited.
    pub judge_tokens: Option<u64>,
    /// The same for asking whether to speak; absent: unlimited.
    pub judge_cost: Option<f64>,
    /// Tokens a day for making vectors of messages and questions; past it only words are looked for.
    pub embedding_tokens: Option<u64>,
    /// Money a day for the same.
    pub embedding_cost: Option<f64>,
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
            consolidation_tokens: Some(30_000),
            consolidation_cost: None,
            judge_tokens: None,
            judge_cost: None,
            embedding_tokens: Some(100_000),
            embedding_cost: None,
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
            ModelFunction::Consolidation => DailyLimit {
                tokens: self.consolidation_tokens,
                cost: self.consolidation_cost,
            },
            ModelFunction::Judge => DailyLimit {
                tokens: self.judge_tokens,
                cost: self.judge_cost,
            },
            ModelFunction::Embedding => DailyLimit {
                tokens: self.embedding_tokens,
                cost: self.embedding_cost,
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
            self.consolidation_cost,
            self.judge_cost,
            self.embedding_cost,
        ];
        all.iter().chain(&each).any(Option::is_some)
    }
}
