//! One channel's state machine: hears messages, waits bursts out, decides at a beat, and holds the running turn.
//! It acts on its own channel only; places for turns are handed out by the core.

mod after;
mod attempts;
mod bots;
mod burst_window;
mod decisions;
mod deferred;
mod initiative;
mod initiative_counts;
mod intentions;
mod liveliness;
mod messages;
mod opening;
mod pending;
mod questions;
mod quiet;
mod rapport;
mod rate;
mod second_line;
mod shown;
mod snapshot;
mod state;
mod threshold;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::chat::{Channel, Millis, TurnId, UserId};
use super::context::{ContextNote, HistoryWindow};
use super::effect::Effect;
use super::event::BudgetState;
use super::policy::{ChannelMode, ChannelPolicy};
use super::report::TurnTrigger;
use super::timeline::Timeline;
use super::turn::{Turn, TurnContext};
use super::willingness::{AddressMatcher, Weights, WillingnessScore};
use burst_window::{BurstWindow, to_millis};
use deferred::AnsweredMessages;
pub use initiative_counts::InitiativeCounts;
use intentions::PendingIntents;
use liveliness::ChannelLiveliness;
use pending::PendingMessage;
pub use questions::OpenQuestion;
pub use quiet::{QUIET_LASTS, QuietPeriod};
pub use rate::RateController;
pub use snapshot::ChannelSnapshot;
pub use state::SavedChannelState;

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

/// One channel's state.
#[derive(Debug)]
pub struct ChannelState {
    /// The channel as people see it.
    pub channel: Channel,
    policy: Arc<ChannelPolicy>,
    address_matcher: AddressMatcher,
    timeline: Timeline,
    state: SavedChannelState,
    /// Up to this arrival number the state that was put back had heard everything.
    restored_cursor: u64,
    /// What part of the timeline the prompt shows.
    pub window: HistoryWindow,
    unseen: VecDeque<PendingMessage>,
    being_answered: AnsweredMessages,
    burst: Option<BurstWindow>,
    /// When messages are looked at again that could not be answered when a beat looked at them.
    recheck_at: Option<Millis>,
    /// No beat before this: messages of an absence are still coming in.
    postponed_until: Option<Millis>,
    liveliness: ChannelLiveliness,
    pending: PendingIntents,
    /// The running turn; boxed, because most channels of a large guild have none.
    pub turn: Option<Box<Turn>>,
    latest_score: Option<WillingnessScore>,
    unsent: Vec<String>,
    late_notes: Vec<ContextNote>,
    small_reactions: HashMap<UserId, Millis>,
    /// What is left of its own share of the budget.
    budget_share: BudgetState,
    changed: bool,
}

impl ChannelState {
    /// A channel with its saved or new state; the stored tail is heard again afterwards.
    pub fn new(
        channel: Channel,
        policy: Arc<ChannelPolicy>,
        address_matcher: AddressMatcher,
        state: SavedChannelState,
    ) -> Self {
        let mut timeline = Timeline::default();
        if let Some(id) = state.begins_after {
            timeline.begin_after(id);
        }
        Self {
            channel,
            policy,
            address_matcher,
            timeline,
            restored_cursor: state.heard,
            state,
            window: HistoryWindow::default(),
            unseen: VecDeque::new(),
            being_answered: AnsweredMessages::default(),
            burst: None,
            recheck_at: None,
            postponed_until: None,
            liveliness: ChannelLiveliness::default(),
            pending: PendingIntents::default(),
            turn: None,
            latest_score: None,
            unsent: Vec::new(),
            late_notes: Vec::new(),
            small_reactions: HashMap::new(),
            budget_share: BudgetState::Open,
            changed: false,
        }
    }

    /// Takes over a new name, topic or settings.
    pub fn update_settings(
        &mut self,
        channel: Channel,
        policy: Arc<ChannelPolicy>,
        address_matcher: AddressMatcher,
    ) {
        self.address_matcher = address_matcher;
        self.channel = channel;
        self.policy = policy;
        if self.policy.mode != ChannelMode::On {
            self.state.questions.clear();
        }
        if self.policy.mode == ChannelMode::Off && !self.unseen.is_empty() {
            // Who still waited for an answer gets none, also not once it is on again.
            self.mark_seen(u64::MAX);
        }
    }

    /// Messages of an absence are being fetched: no beat before `until`.
    pub fn postpone_decisions(&mut self, until: Millis) {
        self.postponed_until = Some(until);
    }

    /// What forbade to answer may be over: what is held is looked at again.
    pub fn reconsider_refusals(&mut self, context: DecisionContext<'_>) {
        self.clear_held_refusals();
        if self.unseen.iter().any(|unseen| unseen.held)
            && self.find_channel_refusal(true, context).is_none()
        {
            self.recheck_at = Some(context.now);
        }
    }

    /// What is left of its own share of the budget changed.
    pub fn update_budget_share(&mut self, left: BudgetState, context: DecisionContext<'_>) {
        let opens = left < self.budget_share;
        self.budget_share = left;
        if opens {
            self.reconsider_refusals(context);
        }
    }

    /// Somebody is typing: a burst of theirs is waited for longer.
    pub fn handle_typing(&mut self, user: UserId, now: Millis) {
        if let Some(burst) = &mut self.burst {
            burst.record_typing(user, now);
        }
        self.wait_while_typing(user, now);
    }

    /// Whether the state to save changed since this was asked the last time.
    pub fn take_changed(&mut self) -> bool {
        if self.changed {
            self.save_deferred_addresses();
        }
        std::mem::take(&mut self.changed)
    }

    /// What of the channel outlives the process.
    pub fn state(&self) -> &SavedChannelState {
        &self.state
    }

    /// What was said here.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// The settings in force.
    pub fn policy(&self) -> &Arc<ChannelPolicy> {
        &self.policy
    }

    /// Starts the turn a place was found for.
    pub fn start(&mut self, id: TurnId, wake: TurnTrigger, now: Millis, effects: &mut Vec<Effect>) {
        // The model is shown them: what it leaves, it leaves.
        self.state.questions.clear();
        self.begin_self_trigger(&wake, now);
        self.state.attempts.record_turn_start(&wake, &self.timeline);
        self.changed = true;
        let intentions = &self.pending.intentions;
        let (channel, timeline, names) = (&self.channel, &self.timeline, &self.window.names);
        let turn_context = TurnContext {
            now,
            channel,
            timeline,
            intentions,
            names,
        };
        self.turn = Some(Box::new(Turn::start(
            id,
            self.policy.clone(),
            wake,
            &turn_context,
            effects,
        )));
    }
}
