//! For whom and what for a model call is made, and whose limits it has to keep.

use kith_core::chat::{ChannelId, UserId};
use kith_language::{LocalizedMessage, model_faults};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostAttribution {
    pub channel: ChannelId,
    /// Who asked for it by speaking to the companion; none for what nobody asked for.
    pub person: Option<UserId>,
    pub function: ModelFunction,
}

impl CostAttribution {
    pub const TEST: Self = Self {
        channel: ChannelId(0),
        person: None,
        function: ModelFunction::Test,
    };

    /// Whose limits a call has to keep besides the day's.
    pub(super) fn scopes(self) -> impl Iterator<Item = BudgetScope> {
        let has_shares = self.function != ModelFunction::Test;
        let scopes = [
            Some(BudgetScope::Channel(self.channel)),
            self.person.map(BudgetScope::Person),
            Some(BudgetScope::Function(self.function)),
        ];
        scopes.into_iter().flatten().filter(move |_| has_shares)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ModelFunction {
    #[default]
    Turn,
    Vision,
    Task,
    Summary,
    Consolidation,
    Judge,
    Embedding,
    /// Testing whether a model answers, for the host. Never refused, for it has to work when everything else is spent;
    /// it has no channel and no share of its own.
    Test,
}

impl ModelFunction {
    /// Its name on record and in the settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Vision => "vision",
            Self::Task => "task",
            Self::Summary => "summary",
            Self::Consolidation => "consolidation",
            Self::Judge => "judge",
            Self::Embedding => "embedding",
            Self::Test => "test",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        let all = [
            Self::Turn,
            Self::Vision,
            Self::Task,
            Self::Summary,
            Self::Consolidation,
            Self::Judge,
            Self::Embedding,
            Self::Test,
        ];
        all.into_iter().find(|function| function.name() == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BudgetScope {
    Channel(ChannelId),
    Person(UserId),
    Function(ModelFunction),
}

impl BudgetScope {
    /// What is limited, as the beginning of a sentence.
    pub(super) fn describe(self) -> LocalizedMessage {
        match self {
            Self::Channel(_) => model_faults::budget_of_channel(),
            Self::Person(_) => model_faults::budget_of_person(),
            Self::Function(ModelFunction::Turn) => model_faults::budget_of_turns(),
            Self::Function(ModelFunction::Vision) => model_faults::budget_of_pictures(),
            Self::Function(ModelFunction::Task) => model_faults::budget_of_tasks(),
            Self::Function(ModelFunction::Summary) => model_faults::budget_of_summaries(),
            Self::Function(ModelFunction::Consolidation) => model_faults::budget_of_memories(),
            Self::Function(ModelFunction::Judge) => model_faults::budget_of_judges(),
            Self::Function(ModelFunction::Embedding) => model_faults::budget_of_vectors(),
            Self::Function(ModelFunction::Test) => model_faults::budget_of_tests(),
        }
    }
}
