//! The state of one channel: its messages, what waits to be looked at, its settings, and the running turn.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::deferred_address::AnsweredMessages;
use super::demands::DecisionContext;
use super::liveliness::ChannelLiveliness;
use super::pending_intents::PendingIntents;
use super::pending_message::PendingMessage;
use super::saved_state::SavedChannelState;
use crate::burst_window::BurstWindow;
use crate::chat::{Channel, Millis, TurnId, UserId};
use crate::context::{ContextNote, HistoryWindow};
use crate::effect::Effect;
use crate::event::BudgetState;
use crate::policy::{ChannelMode, ChannelPolicy};
use crate::report::TurnTrigger;
use crate::timeline::Timeline;
use crate::turn::{Turn, TurnContext};
use crate::willingness::{AddressMatcher, WillingnessScore};

#[derive(Debug)]
pub struct ChannelState {
    pub channel: Channel,
    pub(super) policy: Arc<ChannelPolicy>,
    pub(super) address_matcher: AddressMatcher,
    pub(super) timeline: Timeline,
    pub(super) state: SavedChannelState,
    /// Up to this arrival number the state that was put back had heard everything.
    pub(super) restored_cursor: u64,
    pub window: HistoryWindow,
    pub(super) unseen: VecDeque<PendingMessage>,
    pub(super) being_answered: AnsweredMessages,
    pub(super) burst: Option<BurstWindow>,
    /// When messages are looked at again that could not be answered when it was decided on them.
    pub(super) recheck_at: Option<Millis>,
    /// No decision before this: messages of an absence are still coming in.
    pub(super) postponed_until: Option<Millis>,
    pub(super) liveliness: ChannelLiveliness,
    pub(super) pending: PendingIntents,
    /// The running turn; boxed, because most channels of a large guild have none.
    pub turn: Option<Box<Turn>>,
    pub(super) latest_score: Option<WillingnessScore>,
    pub(super) unsent: Vec<String>,
    pub(super) late_notes: Vec<ContextNote>,
    pub(super) small_reactions: HashMap<(UserId, String), Millis>,
    pub(super) budget_share: BudgetState,
    pub(super) changed: bool,
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

    /// Messages of an absence are being fetched: no decision before `until`.
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

    pub fn state(&self) -> &SavedChannelState {
        &self.state
    }

    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    pub fn policy(&self) -> &Arc<ChannelPolicy> {
        &self.policy
    }

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
