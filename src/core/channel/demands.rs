//! What a channel is told while it handles an event, and what it answers.

use crate::chat::Millis;
use crate::event::BudgetState;
use crate::report::TurnTrigger;
use crate::willingness::Weights;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnImpact {
    Nothing,
    /// It is fresh direct address that obliges.
    Address,
    /// Somebody whom the running turn answers wrote another line.
    FollowUp,
    QuietRequest,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ChannelDemands {
    Nothing,
    Turn(TurnTrigger),
}

/// What is wanted from everything outside the channel while it handles something.
#[derive(Clone, Copy, Debug)]
pub struct DecisionContext<'a> {
    pub now: Millis,
    pub weights: &'a Weights,
    pub budget: BudgetState,
}
