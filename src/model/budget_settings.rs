//! What may be spent on calls, as the settings say it.

use super::account::DailyLimit;
use super::attribution::ModelFunction;
use kith_core::setting::{SettingField, SettingType};

kith_core::setting_table! {
    /// What may be spent (Law 12). Days are days of UTC, as providers bill them.
    pub struct BudgetSettings {
        /// Prompt and answer, over all channels; past it nobody is answered. Finite, so that a mistake stays cheap.
        #[setting(Range(1.0, 1e12), Unit("tokens a day"))]
        pub daily_tokens: u64 = 500_000,
        /// The same in money, where models have a price. Not set: tokens are what bounds it.
        #[setting(Range(0.0, 1e9), Unit("a day"), Example("1.0"))]
        pub daily_cost: Option<f64>,
        /// The share of a limit past which only those who speak to it directly are answered.
        #[setting(Range(0.0, 1.0), Wanted("a share from 0 to 1"))]
        pub soft_share: f32 = 0.8,
        /// In any one channel, so that nobody uses up what is there for all: past it there is no answer until midnight UTC.
        /// Not set, because in a room of friends the day's limit is enough.
        #[setting(Range(1.0, 1e12), Unit("tokens a day"), Example("200000"))]
        pub channel_tokens: Option<u64>,
        /// The same in money.
        #[setting(Range(0.0, 1e9), Unit("a day"), Example("0.5"))]
        pub channel_cost: Option<f64>,
        /// For answers to any one person who speaks to it. The count begins anew when kith is restarted: on disk no call has a
        /// name.
        #[setting(Range(1.0, 1e12), Unit("tokens a day"), Example("100000"))]
        pub person_tokens: Option<u64>,
        /// The same in money.
        #[setting(Range(0.0, 1e9), Unit("a day"), Example("0.25"))]
        pub person_cost: Option<f64>,
        /// For turns in the chat. Not set, as the other kinds below: all share the day.
        #[setting(Range(1.0, 1e12), Unit("tokens a day"), Example("400000"))]
        pub turn_tokens: Option<u64>,
        /// The same in money.
        #[setting(Range(0.0, 1e9), Unit("a day"), Example("0.8"))]
        pub turn_cost: Option<f64>,
        /// For having pictures described. Past the soft limit only those in turns that somebody asked for are, past the hard one
        /// none; turns then go on without.
        #[setting(Range(1.0, 1e12), Unit("tokens a day"), Example("50000"))]
        pub vision_tokens: Option<u64>,
        /// The same in money.
        #[setting(Range(0.0, 1e9), Unit("a day"), Example("0.1"))]
        pub vision_cost: Option<f64>,
        /// For tasks (the tool `task`).
        #[setting(Range(1.0, 1e12), Unit("tokens a day"), Example("100000"))]
        pub task_tokens: Option<u64>,
        /// The same in money.
        #[setting(Range(0.0, 1e9), Unit("a day"), Example("0.2"))]
        pub task_cost: Option<f64>,
        /// For summing up what left the prompts, which ends at the soft limit, and what threads begin with.
        #[setting(Range(1.0, 1e12), Unit("tokens a day"), Example("50000"))]
        pub summary_tokens: Option<u64>,
        /// The same in money.
        #[setting(Range(0.0, 1e9), Unit("a day"), Example("0.1"))]
        pub summary_cost: Option<f64>,
        /// For making memories of talks once a channel is quiet: what happened, facts of people, and what everybody should know.
        /// The models of `roles.summary` are asked once a talk. Past the soft limit, and without a model, a talk's most telling
        /// lines are kept instead; 1 asks no model at all.
        #[setting(Range(1.0, 1e12), Unit("tokens a day"))]
        pub consolidation_tokens: Option<u64> = Some(30_000),
        /// The same in money.
        #[setting(Range(0.0, 1e9), Unit("a day"), Example("0.1"))]
        pub consolidation_cost: Option<f64>,
        /// For asking whether to speak (`roles.judge`).
        #[setting(Range(1.0, 1e12), Unit("tokens a day"), Example("50000"))]
        pub judge_tokens: Option<u64>,
        /// The same in money.
        #[setting(Range(0.0, 1e9), Unit("a day"), Example("0.1"))]
        pub judge_cost: Option<f64>,
        /// For vectors of messages, where `roles.embedding` names a model: past it, recall of what is new goes by words.
        #[setting(Range(1.0, 1e12), Unit("tokens a day"))]
        pub embedding_tokens: Option<u64> = Some(100_000),
        /// The same in money.
        #[setting(Range(0.0, 1e9), Unit("a day"), Example("0.1"))]
        pub embedding_cost: Option<f64>,
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
        let (tokens, cost) = match function {
            ModelFunction::Turn => (self.turn_tokens, self.turn_cost),
            ModelFunction::Vision => (self.vision_tokens, self.vision_cost),
            ModelFunction::Task => (self.task_tokens, self.task_cost),
            ModelFunction::Summary => (self.summary_tokens, self.summary_cost),
            ModelFunction::Consolidation => (self.consolidation_tokens, self.consolidation_cost),
            ModelFunction::Judge => (self.judge_tokens, self.judge_cost),
            ModelFunction::Embedding => (self.embedding_tokens, self.embedding_cost),
            ModelFunction::Test => (None, None),
        };
        DailyLimit { tokens, cost }
    }

    /// Whether anything is limited in money.
    pub fn has_cost_limit(&self) -> bool {
        let mut is_limited = false;
        self.walk("", &SettingField::ROOT, &mut |value| {
            is_limited |= value.field.name.ends_with("_cost");
        });
        is_limited
    }
}
