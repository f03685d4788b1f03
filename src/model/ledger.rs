//! The one account behind all model calls: it promises a call its tokens before a model is asked, and writes down once
//! what the call took, whatever way it ends. It knows the calls that have not ended, so that one that was given up, or
//! that nobody can end any more, counts as all that was promised to it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::account::TokenCost;
use super::attribution::CostAttribution;
use super::budget::{BudgetLedger, CallUsage, Reservation};
use super::budget_settings::BudgetSettings;
use super::{Model, ModelRequest};
use kith_core::chat::{Millis, TurnId};
use kith_core::report::{ModelFailure, TokenUsage};
use kith_language::model_faults;
use kith_system::clock;

struct OpenReservation {
    model: String,
    turn: Option<TurnId>,
    reservation: Reservation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallOutcome {
    Answered,
    /// It did not, or not to the end.
    Failed,
    /// Nobody waited for its end.
    Abandoned,
    Refused,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LedgerChange {
    pub attribution: CostAttribution,
    pub outcome: Option<CallOutcome>,
    /// The call, where it has ended and took something.
    pub settled: Option<SettledCall>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SettledCall {
    pub at: Millis,
    pub model: String,
    /// The turn it belonged to; none for what goes on when a turn ends.
    pub turn: Option<TurnId>,
    /// What it took; where nobody counted, all that was promised to it, as tokens of the prompt.
    pub usage: TokenUsage,
    /// What that costs; none where the model has no price.
    pub cost: Option<f64>,
}

/// The account. Cheap to clone: all clones are one account.
#[derive(Clone)]
pub struct CallLedger(Arc<Mutex<LedgerState>>);

struct LedgerState {
    budget: BudgetLedger,
    open: BTreeMap<u64, OpenReservation>,
    last_number: u64,
    is_closed: bool,
    listener: Option<UnboundedSender<LedgerChange>>,
}

/// What is promised to a call until it is settled. Dropped before that it counts in full.
pub(super) struct CallReservation {
    ledger: CallLedger,
    /// The call's number in the ledger; none once it is settled, and for the demo model.
    number: Option<u64>,
    amount: TokenCost,
}

impl CallReservation {
    /// The call took this much. Only the first word counts.
    pub(super) fn settle(&mut self, usage: CallUsage, outcome: CallOutcome) {
        if let Some(number) = self.number.take() {
            self.amount = self.ledger.settle(number, usage, outcome);
        }
    }

    pub(super) fn amount(&self) -> TokenCost {
        self.amount
    }
}

impl Drop for CallReservation {
    fn drop(&mut self) {
        self.settle(CallUsage::Unknown, CallOutcome::Abandoned);
    }
}

impl CallLedger {
    /// An account of `budget`, whose changes come to the receiver in their order.
    pub fn new(budget: BudgetLedger) -> (Self, UnboundedReceiver<LedgerChange>) {
        let (listener, changes) = unbounded_channel();
        (Self::with_listener(budget, Some(listener)), changes)
    }

    /// An account that lives as long as this process and tells nobody.
    pub fn in_memory(settings: BudgetSettings) -> Self {
        Self::with_listener(BudgetLedger::new(settings, clock::now(), []), None)
    }

    fn with_listener(
        budget: BudgetLedger,
        listener: Option<UnboundedSender<LedgerChange>>,
    ) -> Self {
        Self(Arc::new(Mutex::new(LedgerState {
            budget,
            open: BTreeMap::new(),
            last_number: 0,
            is_closed: false,
            listener,
        })))
    }

    /// Reads or changes the budget. `work` must not come back to the ledger: it is locked meanwhile.
    pub fn with_budget<T>(&self, work: impl FnOnce(&mut BudgetLedger) -> T) -> T {
        work(&mut self.lock().budget)
    }

    /// Promises a call its prompt and its longest answer. The demo model takes nothing, so that nothing is promised to it.
    ///
    /// # Errors
    /// The budget does not allow the call, or the account is closed.
    pub(super) fn reserve(
        &self,
        model: &Model,
        request: &ModelRequest,
        attribution: CostAttribution,
        turn: Option<TurnId>,
    ) -> Result<CallReservation, ModelFailure> {
        let reserve = |number| CallReservation {
            ledger: self.clone(),
            number,
            amount: TokenCost::default(),
        };
        if model.is_demo() {
            return Ok(reserve(None));
        }
        let prompt = request.prompt_tokens.saturating_add(request.image_tokens());
        let longest = request
            .max_tokens
            .map_or(model.max_tokens(), |tokens| tokens.min(model.max_tokens()));
        let mut state = self.lock();
        if state.is_closed {
            return Err(ModelFailure::from_message(model_faults::kith_stopping()));
        }
        let reserved =
            state
                .budget
                .reserve(clock::now(), attribution, model.price(), prompt, longest);
        state.report(LedgerChange {
            attribution,
            outcome: reserved.is_err().then_some(CallOutcome::Refused),
            settled: None,
        });
        let reservation = reserved?;
        state.last_number += 1;
        let number = state.last_number;
        let model = model.name().to_owned();
        state.open.insert(
            number,
            OpenReservation {
                model,
                turn,
                reservation,
            },
        );
        Ok(reserve(Some(number)))
    }

    /// A call is over. Answers with what counts for it: nothing where it was given up before, for then it has counted.
    fn settle(&self, number: u64, usage: CallUsage, outcome: CallOutcome) -> TokenCost {
        let mut state = self.lock();
        let call = state.open.remove(&number);
        call.map_or_else(TokenCost::default, |call| {
            state.settle(call, usage, outcome)
        })
    }

    /// A turn is over: what its calls took nobody will tell, so that all that was promised to them counts.
    pub fn abandon_turn(&self, turn: TurnId) {
        self.abandon(|call| call.turn == Some(turn));
    }

    /// The daemon stops: what is under way counts as all that was promised to it, and no further call is allowed, for
    /// nobody would write it down.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.abandon(|_| true);
    }

    fn abandon(&self, is_over: impl Fn(&OpenReservation) -> bool) {
        let mut state = self.lock();
        let (over, open) = std::mem::take(&mut state.open)
            .into_iter()
            .partition(|(_, call)| is_over(call));
        state.open = open;
        for call in BTreeMap::into_values(over) {
            state.settle(call, CallUsage::Unknown, CallOutcome::Abandoned);
        }
    }

    fn lock(&self) -> MutexGuard<'_, LedgerState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LedgerState {
    fn settle(
        &mut self,
        call: OpenReservation,
        usage: CallUsage,
        outcome: CallOutcome,
    ) -> TokenCost {
        let now = clock::now();
        let OpenReservation {
            model,
            turn,
            reservation,
        } = call;
        let (attribution, is_priced) = (reservation.attribution(), reservation.is_priced());
        let amount = self.budget.settle(now, reservation, usage);
        let usage = match usage {
            CallUsage::Usage(usage) => usage,
            CallUsage::Unknown | CallUsage::Nothing => TokenUsage {
                prompt: u32::try_from(amount.tokens).unwrap_or(u32::MAX),
                estimated: true,
                ..TokenUsage::default()
            },
        };
        let settled = (amount.tokens > 0).then_some(SettledCall {
            at: now,
            model,
            turn,
            usage,
            cost: is_priced.then_some(amount.cost),
        });
        self.report(LedgerChange {
            attribution,
            outcome: Some(outcome),
            settled,
        });
        amount
    }

    fn report(&self, change: LedgerChange) {
        // Nobody listens any more when the daemon has stopped.
        if let Some(listener) = &self.listener {
            let _ = listener.send(change);
        }
    }
}
