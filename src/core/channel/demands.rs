//! What a channel is told while it handles an event, and what it answers.

use crate::chat::Millis;
use crate::event::BudgetState;
use crate::report::TurnTrigger;
use crate::willingness::Weights;

/// What a message means for the turn that may be running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnImpact {
    /// Nothing.
    Nothing,
    /// It is fresh direct address that obliges.
    Address,
    /// Somebody whom the running turn answers wrote another line.
    FollowUp,
    /// It asks for quiet.
    QuietRequest,
}

/// What a channel wants after an event.
#[derive(Clone, Debug, PartialEq)]
pub enum ChannelDemands {
    /// Nothing.
    Nothing,
    /// A place for a turn.
    Turn(TurnTrigger),
}

/// What is wanted from everything outside the channel while it handles something.
#[derive(Clone, Copy, Debug)]
pub struct DecisionContext<'a> {
    /// Now.
    pub now: Millis,
    /// The weights of the willingness.
    pub weights: &'a Weights,
    /// What is left of the budget.
    pub budget: BudgetState,
}
