//! The models that answer, and the one account of all calls of theirs: what is left of the budget as the core was told,
//! and the turns that wait until it is known who answers.

use std::collections::BTreeMap;

use tokio::sync::mpsc::UnboundedReceiver;

use kith_core::chat::{ChannelId, Millis, TurnId};
use kith_core::context::TokenEstimator;
use kith_core::event::BudgetState;
use kith_core::report::ModelFailure;
use kith_model::{
    BudgetLedger, BudgetNotices, BudgetScope, BudgetSettings, CallLedger, CostAttribution,
    LedgerChange, ModelCaller, ModelSelection, TokenCost,
};

/// A model call that waits: turn, channel, and the number of the call.
pub(super) type HeldCall = (TurnId, ChannelId, u32);

pub(super) struct ModelCalls {
    selection: ModelSelection,
    ledger: CallLedger,
    changes: UnboundedReceiver<LedgerChange>,
    /// What is left of the day, as the core was told.
    budget_state: BudgetState,
    /// The channels whose own share is not open any more, as the core was told.
    limited_channels: BTreeMap<ChannelId, BudgetState>,
    /// What waits until it is known which model answers; none once it is.
    held_calls: Option<Vec<HeldCall>>,
    /// The model whose last call failed, and why; none once it answers again.
    fault: Option<ModelCallFault>,
}

#[derive(Debug, PartialEq)]
struct ModelCallFault {
    model: String,
    message: String,
}

impl ModelCalls {
    /// `is_known`: whether `selection` is the last word, or stands in until the model is found.
    pub(super) fn new(selection: ModelSelection, is_known: bool, budget: BudgetLedger) -> Self {
        let (ledger, changes) = CallLedger::new(budget);
        Self {
            selection,
            ledger,
            changes,
            budget_state: BudgetState::Open,
            limited_channels: BTreeMap::new(),
            held_calls: (!is_known).then(Vec::new),
            fault: None,
        }
    }

    /// Other processes have spent so much of the same budget today.
    pub(super) fn record_elsewhere(&self, now: Millis, spent: TokenCost) {
        self.ledger
            .with_budget(|budget| budget.record_elsewhere(now, spent));
    }

    pub(super) fn selection(&self) -> &ModelSelection {
        &self.selection
    }

    pub(super) fn is_model_known(&self) -> bool {
        self.held_calls.is_none()
    }

    /// Keeps a call back while it is not known which model answers. Answers whether it did.
    pub(super) fn hold(&mut self, call: HeldCall) -> bool {
        match &mut self.held_calls {
            Some(held) => {
                held.push(call);
                true
            }
            None => false,
        }
    }

    /// From now on other models answer. Answers with the calls that waited for them.
    pub(super) fn replace_selection(&mut self, selection: ModelSelection) -> Vec<HeldCall> {
        self.selection = selection;
        self.fault = None;
        self.held_calls.take().unwrap_or_default()
    }

    /// A model answered, or why it did not. Answers whether that is news.
    pub(super) fn record_outcome(&mut self, model: &str, failure: Option<&ModelFailure>) -> bool {
        let fault = match failure {
            // That says nothing about the model, and the budget has a sentence of its own.
            Some(failure) if failure.budget => return false,
            Some(failure) => Some(ModelCallFault {
                model: model.to_owned(),
                message: failure.message.clone(),
            }),
            // What another model answers mends nothing.
            None if self
                .fault
                .as_ref()
                .is_some_and(|known| known.model != model) =>
            {
                return false;
            }
            None => None,
        };
        let is_news = self.fault != fault;
        self.fault = fault;
        is_news
    }

    /// Why the last call of a model failed, where it has not answered since.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.as_ref().map(|fault| &*fault.message)
    }

    /// Makes calls for one purpose; with a `turn`, they end with it and are told in its report.
    pub(super) fn caller(
        &self,
        attribution: CostAttribution,
        turn: Option<TurnId>,
        estimator: TokenEstimator,
    ) -> ModelCaller {
        ModelCaller {
            ledger: self.ledger.clone(),
            attribution,
            turn,
            estimator,
        }
    }

    pub(super) fn ledger(&self) -> &CallLedger {
        &self.ledger
    }

    pub(super) async fn next_change(&mut self) -> Option<LedgerChange> {
        self.changes.recv().await
    }

    pub(super) fn take_change(&mut self) -> Option<LedgerChange> {
        self.changes.try_recv().ok()
    }

    pub(super) fn budget_state(&self) -> BudgetState {
        self.budget_state
    }

    /// What is left of the day, where that is not what the core was told.
    pub(super) fn update_budget_state(&mut self, now: Millis) -> Option<BudgetState> {
        let state = self.ledger.with_budget(|budget| budget.state(now));
        (std::mem::replace(&mut self.budget_state, state) != state).then_some(state)
    }

    /// What is left for turns in a channel, where that is not what the core was told.
    pub(super) fn update_channel_share(
        &mut self,
        now: Millis,
        channel: ChannelId,
    ) -> Option<BudgetState> {
        let left = self
            .ledger
            .with_budget(|budget| budget.channel_state(now, channel));
        let before = match left {
            BudgetState::Open => self.limited_channels.remove(&channel),
            left => self.limited_channels.insert(channel, left),
        };
        (before.unwrap_or_default() != left).then_some(left)
    }

    pub(super) fn limited_channels(&self) -> Vec<ChannelId> {
        self.limited_channels.keys().copied().collect()
    }

    /// Whether midnight gives back anything to anybody.
    pub(super) fn is_limited(&self) -> bool {
        self.budget_state != BudgetState::Open || !self.limited_channels.is_empty()
    }

    /// Whether enough is left, in all and in a channel, for what nobody asked for.
    pub(super) fn has_budget_to_spare(&self, now: Millis, channel: ChannelId) -> bool {
        self.budget_state == BudgetState::Open
            && self
                .ledger
                .with_budget(|budget| budget.channel_state(now, channel))
                == BudgetState::Open
    }

    /// The limits that calls of this kind have reached since this was asked last.
    pub(super) fn find_reached_limits(
        &self,
        now: Millis,
        attribution: CostAttribution,
    ) -> Vec<(BudgetScope, BudgetState)> {
        self.ledger
            .with_budget(|budget| budget.find_reached_limits(now, attribution))
    }

    pub(super) fn spending_today(&self, now: Millis) -> TokenCost {
        self.ledger.with_budget(|budget| budget.spending_today(now))
    }

    /// The most of a day, in tokens, and in money where that is limited.
    pub(super) fn caps(&self) -> (u64, Option<f64>) {
        self.ledger
            .with_budget(|budget| (budget.cap(), budget.cost_cap()))
    }

    /// Changes the limits, keeping what was spent.
    pub(super) fn set_budget(&self, settings: BudgetSettings) {
        self.ledger
            .with_budget(|budget| budget.set_settings(settings));
    }

    /// What is told of the day, to be kept over a restart.
    pub(super) fn notices(&self, now: Millis) -> BudgetNotices {
        self.ledger.with_budget(|budget| budget.notices(now))
    }

    pub(super) fn restore_notices(&mut self, notices: BudgetNotices) {
        self.budget_state = self
            .ledger
            .with_budget(|budget| budget.restore_notices(notices));
    }
}
