//! One channel's state machine: hears messages, waits bursts out, decides at a beat, and holds the running turn.
//! It acts on its own channel only; places for turns are handed out by the core.

mod after;
mod attempts;
mod bots;
mod burst_window;
mod deferred;
mod initiative;
mod liveliness;
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

use super::chat::{AuthorKind, Channel, Message, Millis, SECOND, TurnId, UserId};
use super::context::{ContextNote, HistoryWindow};
use super::effect::Effect;
use super::event::BudgetState;
use super::policy::{ChannelMode, ChannelPolicy, UNASKED_FRESH};
use super::report::{DecisionOutcome, DecisionReport, MessageDecision, Refusal, TurnTrigger};
use super::timeline::Timeline;
use super::turn::{Turn, TurnContext};
use super::willingness::{AddressMatcher, Weights, WillingnessScore};
use burst_window::{BurstWindow, to_millis};
use deferred::AnsweredMessages;
pub use initiative::InitiativeCounts;
use initiative::PendingIntents;
use liveliness::ChannelLiveliness;
use pending::PendingMessage;
pub use questions::OpenQuestion;
pub use quiet::{QUIET_LASTS, QuietPeriod};
pub use rate::RateController;
pub use snapshot::ChannelSnapshot;
pub use state::SavedChannelState;
use threshold::{AnswerCandidate, CandidatePosition};

/// The most unseen messages a channel keeps apart; older ones are still in the timeline.
const UNSEEN_KEPT: usize = 128;
/// Two lines of one person no further apart are of one piece.
const JUST_NOW: Millis = 2 * SECOND;

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

    /// A message came in. One that is already known changes nothing.
    pub fn handle_message(
        &mut self,
        message: Message,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> TurnImpact {
        let arrival = message.arrival;
        if self.policy.mode == ChannelMode::Off || self.timeline.say(message.clone()).is_none() {
            return TurnImpact::Nothing;
        }
        self.liveliness
            .record_message(&message, self.address_matcher.me, self.policy.bots);
        match message.author.kind {
            AuthorKind::Companion => self
                .state
                .initiative
                .record_own_message(message.id, message.at),
            AuthorKind::Person => self
                .state
                .initiative
                .record_person_message(message.id, message.at),
            AuthorKind::Bot | AuthorKind::Webhook => {}
        }
        if message.author.kind != AuthorKind::Companion {
            self.match_intentions(&message, effects);
        }
        // Not the moving mark: an own line may come in after a message that was stored later.
        let heard_before = arrival <= self.restored_cursor;
        let is_open = self.state.is_open(message.id, arrival);
        if heard_before && !is_open {
            return TurnImpact::Nothing;
        }
        self.changed = true;
        self.state.heard = self.state.heard.max(arrival);
        if message.author.kind == AuthorKind::Companion
            || message.author.id == self.address_matcher.me
        {
            if !heard_before {
                self.state
                    .sense
                    .record_own_message(&message, context.weights);
            }
            return TurnImpact::Nothing;
        }
        if message.author.kind == AuthorKind::Person {
            self.state.bots.record_person_message(message.at);
        }
        self.address_matcher.alone = self.is_alone(&message, context.now);
        let score = if heard_before {
            // The saved sense holds it already; only what it is about is found out again.
            self.state
                .sense
                .clone()
                .score_message(&message, &self.address_matcher, context.weights)
        } else {
            self.state
                .sense
                .score_message(&message, &self.address_matcher, context.weights)
        };
        let asks_for_quiet = self.check_quiet_request(&message, &score);
        let just_now = |unseen: &PendingMessage| {
            unseen.author.id == message.author.id && message.at - unseen.at <= JUST_NOW
        };
        let is_one_of_several = self
            .burst
            .is_some_and(|burst| burst.speaker() == message.author.id)
            || self.unseen.iter().any(just_now);
        let expects_more = self.is_more_expected(&message, is_one_of_several, &score);
        let mut unseen = PendingMessage::new(&message, score, self.channel.kind);
        unseen.put_off = self.state.is_put_off(message.id);
        let mut decision = self.decide_message(&unseen, context);
        if asks_for_quiet && decision.refusal.is_none() {
            (decision.refusal, decision.speak) = (Some(Refusal::Quiet), false);
        }
        let is_joining = !unseen.is_addressed() && !decision.goes_on;
        if !heard_before && is_joining && message.author.kind == AuthorKind::Person {
            let late = context.now - message.at > UNASKED_FRESH;
            let free =
                decision.refusal.is_none() && !late && self.policy.replay_threshold.is_none();
            self.state
                .rate
                .record_message(message.at, self.policy.talkativeness, free);
        }
        if is_open && self.give_up_message(&unseen, context.now, effects) {
            return TurnImpact::Nothing;
        }
        unseen.reached_threshold = decision.speak;
        if is_open && !asks_for_quiet {
            // What was heard before the restart was told then.
            let mut discarded_effects = Vec::new();
            self.wait_for_author(
                &mut unseen,
                context,
                if heard_before {
                    &mut discarded_effects
                } else {
                    effects
                },
            );
            decision.waits_until = unseen.due;
            decision.speak &= unseen.due.is_none();
        }
        let obliges = unseen.is_addressed() && decision.refusal.is_none();
        // What forbids an answer may pass in a moment: a refusal is in no hurry.
        let waits_for_more = expects_more || decision.refusal.is_some();
        self.latest_score = Some(unseen.score.clone());
        if !heard_before {
            effects.push(Effect::ReportMessageDecision(Box::new(decision)));
        }
        if !is_open {
            return TurnImpact::Nothing;
        }
        let author = unseen.author.id;
        // Who called it is waited for, whoever speaks meanwhile.
        let breaks_in = !obliges && self.is_waiting_for_another(author, context.now);
        if asks_for_quiet {
            // What they said right before is withdrawn with it: they do not want to be answered.
            self.unseen.retain(|earlier| earlier.author.id != author);
            self.keep_quiet(message.id, &message.author, message.at, context, effects);
            return TurnImpact::QuietRequest;
        }
        let unseen_addressed = unseen.is_addressed();
        self.unseen.push_back(unseen);
        if self.unseen.len() > UNSEEN_KEPT {
            self.drop_one_unseen(context.now, effects);
        }
        match &mut self.burst {
            Some(_) if breaks_in => {}
            Some(burst) => burst.add_message(author, context.now, waits_for_more),
            None if unseen_addressed => {
                self.burst = Some(BurstWindow::new(author, context.now, waits_for_more))
            }
            None => {}
        }
        match obliges {
            true => TurnImpact::Address,
            false if self.is_answering(author) => TurnImpact::FollowUp,
            false => TurnImpact::Nothing,
        }
    }

    fn decide_message(
        &self,
        unseen: &PendingMessage,
        context: DecisionContext<'_>,
    ) -> MessageDecision {
        let score = &unseen.score;
        let (threshold, moved) = self.compute_threshold(
            unseen.id,
            CandidatePosition::from_score(score),
            unseen.reached_threshold,
            context.now,
        );
        let refusal = self
            .find_message_refusal(unseen, context.now)
            .or_else(|| self.find_channel_refusal(unseen.is_addressed(), context));
        MessageDecision {
            channel: self.channel.id,
            message: unseen.id,
            author: unseen.author.id,
            at: unseen.at,
            score: score.probability,
            bar: threshold,
            moved,
            address: score.address,
            refusal,
            speak: refusal.is_none() && (score.address.is_some() || score.probability >= threshold),
            waits_until: None,
            goes_on: score.is_own_conversation(),
            energy: self.state.sense.energy(unseen.at),
            silent_for: self
                .state
                .sense
                .spoke_at()
                .map(|at| unseen.at - at)
                .filter(|silent| *silent >= 0),
            terms: score.terms(context.weights),
            bias: score.bias,
        }
    }

    /// When a beat is due, or the running turn wants to be looked at.
    pub fn deadline(&self) -> Option<Millis> {
        match &self.turn {
            Some(turn) => turn.deadline(),
            None => self
                .decision_due()
                .into_iter()
                .chain(self.self_trigger_due())
                .min(),
        }
    }

    fn decision_due(&self) -> Option<Millis> {
        let burst = self.burst.map(|burst| {
            let addressed = self
                .unseen
                .iter()
                .any(|unseen| !unseen.held && self.is_obliging(unseen, burst.last_message_at()));
            burst.compute_end(addressed, &self.policy.heartbeat)
        });
        let due = burst
            .into_iter()
            .chain(self.author_due())
            .chain(self.question_due())
            .chain(self.recheck_at)
            .min()?;
        Some(self.postponed_until.map_or(due, |until| due.max(until)))
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

    /// Looks at what is unseen, if a beat is due, and says whether a turn should start.
    pub fn run_due_decision(
        &mut self,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> ChannelDemands {
        let is_due = |due: Option<Millis>| due.is_some_and(|due| due <= context.now);
        if self.turn.is_some() || !is_due(self.deadline()) {
            return ChannelDemands::Nothing;
        }
        if is_due(self.decision_due()) {
            (self.burst, self.recheck_at) = (None, None);
            return self.decide_turn(context, effects);
        }
        self.add_self_triggers(ChannelDemands::Nothing, context, effects)
    }

    /// Decides now, without waiting for a burst to end: for beats, and for a channel whose turn it is after waiting.
    pub fn decide_turn(
        &mut self,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> ChannelDemands {
        let demands = self.look_at_messages(context, effects);
        self.add_self_triggers(demands, context, effects)
    }

    fn look_at_messages(
        &mut self,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> ChannelDemands {
        self.react_to_refused(context, effects);
        let now = context.now;
        self.drop_settled_questions(now);
        // What was said in its sleep may have been talked out of view by now.
        let timeline = &self.timeline;
        self.unseen
            .retain(|unseen| !unseen.held || timeline.find(unseen.id).is_some());
        let addressed: Vec<&PendingMessage> = self
            .unseen
            .iter()
            .filter(|unseen| self.is_obliging(unseen, now))
            .collect();
        // What may not be answered never stands in the way of what may.
        let due = || self.unseen.iter().filter(|unseen| !unseen.is_waiting(now));
        let answerable = || due().filter(|unseen| self.find_message_refusal(unseen, now).is_none());
        let best = match addressed.last() {
            Some(unseen) => Some(self.build_candidate(unseen, context)),
            None => {
                let fresh = answerable().map(|unseen| self.build_candidate(unseen, context));
                fresh
                    .chain(self.question_candidates(now))
                    .max_by(|a, b| a.margin().total_cmp(&b.margin()))
            }
        };
        let any = || {
            due()
                .next_back()
                .map(|unseen| self.build_candidate(unseen, context))
        };
        let Some(best) = best.or_else(any) else {
            return ChannelDemands::Nothing;
        };
        let is_doubtful =
            self.policy.is_judged && self.policy.replay_threshold.is_none() && best.is_doubtful();
        let AnswerCandidate {
            id,
            author,
            score,
            threshold,
            moved,
            unseen,
        } = best;
        let address = unseen
            .filter(|unseen| self.is_obliging(unseen, now))
            .and_then(|unseen| unseen.score.address);
        let refused = unseen.and_then(|unseen| self.find_message_refusal(unseen, now));
        let goes_on = unseen.is_some_and(|unseen| unseen.score.is_own_conversation());
        let refusal = refused.or_else(|| self.find_channel_refusal(address.is_some(), context));
        let outcome = match refusal {
            Some(refusal) => DecisionOutcome::Refused(refusal),
            None if address.is_some() => DecisionOutcome::Addressed,
            None if is_doubtful => DecisionOutcome::Doubtful,
            None if score >= threshold => DecisionOutcome::Willing,
            None => DecisionOutcome::BelowBar,
        };
        let wake = TurnTrigger {
            message: Some(id),
            author: Some(author),
            address,
            addressed: addressed.iter().map(|unseen| unseen.id).collect(),
            score,
            bar: threshold,
            moved,
            goes_on,
            is_doubtful: outcome == DecisionOutcome::Doubtful,
            own: None,
        };
        effects.push(Effect::ReportDecision(Box::new(DecisionReport {
            channel: self.channel.id,
            at: context.now,
            message: Some(id),
            score,
            bar: threshold,
            moved,
            outcome,
            own: None,
        })));
        let answered_message = Some(id).filter(|_| {
            matches!(
                outcome,
                DecisionOutcome::Willing | DecisionOutcome::Doubtful
            )
        });
        self.report_due_decisions(answered_message, context, effects);
        match outcome {
            DecisionOutcome::Addressed | DecisionOutcome::Willing | DecisionOutcome::Doubtful => {
                return ChannelDemands::Turn(wake);
            }
            DecisionOutcome::BelowBar => self.keep_questions(context),
            _ => self.state.questions.clear(),
        }
        match outcome {
            DecisionOutcome::Refused(refusal) if address.is_some() => {
                self.hold_direct_addresses(self.find_refusal_expiry(refusal, now), now)
            }
            _ => self.mark_seen_except_waiting(u64::MAX, now),
        }
        ChannelDemands::Nothing
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
