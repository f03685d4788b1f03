//! All channels together: hands events to their channel, wakes channels by the heartbeat, and shares out the places for
//! turns in flight.

mod render;
mod turn_queue;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use super::call::ToolSpec;
use super::channel::{
    ChannelSnapshot, ChannelState, DecisionContext, SavedChannelState, TurnImpact,
};
use super::chat::{Channel, ChannelId, Message, Millis, TurnId, UserId};
use super::context::{PromptSections, TokenEstimator};
use super::effect::Effect;
use super::event::{BudgetState, Event, TurnEvent};
use super::heartbeat::ChannelDeadlines;
use super::intent::{IntentEnd, ScheduledIntent};
use super::plan::{REMINDED_AFTER, TODO};
use super::policy::{ChannelMode, ChannelPolicy};
use super::protocol::AnswerShape;
use super::report::Refusal;
use super::turn::{Interruption, RoundKind, Turn, TurnContext};
use super::willingness::{AddressMatchers, Weights};
pub use render::RenderInputs;
use render::{TurnView, render_sections};

/// What a core is made with.
#[derive(Clone, Debug)]
pub struct CoreSetup {
    /// The companion's own id.
    pub me: UserId,
    /// The weights of the willingness.
    pub weights: Arc<Weights>,
    /// How many turns may think at the same time over all channels.
    pub turns_in_flight: usize,
    /// The id of the first turn; ids grow from here.
    pub first_turn: TurnId,
}

/// A round's prompt before it is put into words by the templates.
#[derive(Clone, Debug)]
pub struct RoundPrompt {
    /// What kind of prompt.
    pub kind: RoundKind,
    /// The number of the model call in its turn.
    pub ask: u32,
    /// The escaped sections.
    pub sections: PromptSections,
    /// The tools on offer.
    pub tools: Arc<[ToolSpec]>,
    /// The settings in force.
    pub policy: Arc<ChannelPolicy>,
    /// Whether it is reminded that its list was not updated for some rounds.
    pub is_reminded: bool,
}

/// The companion's mind over all channels.
#[derive(Debug)]
pub struct Core {
    setup: CoreSetup,
    channel_states: HashMap<ChannelId, ChannelState>,
    address_matchers: AddressMatchers,
    turns: HashMap<TurnId, ChannelId>,
    heartbeat: ChannelDeadlines,
    waiting_channels: VecDeque<ChannelId>,
    thinking_turns: usize,
    next_turn: u64,
    /// Lanes whose state was not saved since it changed.
    changed_channels: BTreeSet<ChannelId>,
    budget: BudgetState,
    /// The token estimator, calibrated by what models report.
    pub estimator: TokenEstimator,
}

impl Core {
    /// A mind that knows no channel yet.
    pub fn new(setup: CoreSetup) -> Self {
        let next_turn = setup.first_turn.0;
        Self {
            setup,
            channel_states: HashMap::new(),
            address_matchers: AddressMatchers::default(),
            turns: HashMap::new(),
            heartbeat: ChannelDeadlines::default(),
            waiting_channels: VecDeque::new(),
            thinking_turns: 0,
            next_turn,
            changed_channels: BTreeSet::new(),
            budget: BudgetState::Open,
            estimator: TokenEstimator::default(),
        }
    }

    /// Handles one event and answers with what is to be done, in order. Events of unknown channels change nothing.
    pub fn handle_event(&mut self, now: Millis, event: Event) -> Vec<Effect> {
        let mut effects = Vec::new();
        let context = DecisionContext {
            now,
            weights: &self.setup.weights,
            budget: self.budget,
        };
        match event {
            Event::ChannelSeen { channel, policy } => {
                self.update_channel(channel, policy, now, &mut effects)
            }
            Event::Message(message) => {
                let (id, by) = (message.channel, message.author.id);
                if let Some(channel_state) = self.channel_states.get_mut(&id) {
                    match channel_state.handle_message(message, context, &mut effects) {
                        TurnImpact::Address => {
                            let first = channel_state.addressed_messages(now).len() == 1;
                            let by = Interruption {
                                user: by,
                                was_postponed: channel_state.is_answering_deferred(),
                            };
                            self.drive_turn(
                                id,
                                now,
                                &mut effects,
                                |turn, turn_context, effects| {
                                    turn.handle_interruption(by, turn_context, effects)
                                },
                            );
                            if first && self.waiting_channels.contains(&id) {
                                self.enqueue_channel(id, now, true);
                            }
                        }
                        TurnImpact::FollowUp => {
                            self.drive_turn(id, now, &mut effects, Turn::handle_followup_line)
                        }
                        TurnImpact::QuietRequest => {
                            self.drive_turn(id, now, &mut effects, |turn, _, effects| {
                                turn.handle_quiet_request(effects)
                            })
                        }
                        TurnImpact::Nothing => {}
                    }
                    self.refresh_channel(id);
                }
            }
            Event::MessageEdited { channel, id, text } => {
                if let Some(channel_state) = self.channel_states.get_mut(&channel) {
                    if channel_state.apply_edit(id, text) {
                        self.drive_turn(
                            channel,
                            now,
                            &mut effects,
                            |turn, turn_context, effects| {
                                turn.handle_edited_message(id, turn_context, effects)
                            },
                        );
                    }
                    self.refresh_channel(channel);
                }
            }
            Event::MessagesDeleted { channel, ids } => {
                if let Some(channel_state) = self.channel_states.get_mut(&channel) {
                    if let [alone] = *ids {
                        channel_state.record_lone_deletion(alone, now);
                    }
                    ids.iter().for_each(|id| channel_state.apply_deletion(*id));
                    for id in ids {
                        self.drive_turn(
                            channel,
                            now,
                            &mut effects,
                            |turn, turn_context, effects| {
                                turn.handle_deleted_message(id, turn_context, effects)
                            },
                        );
                    }
                    self.refresh_channel(channel);
                }
            }
            Event::Reaction {
                channel,
                message,
                by,
                emoji,
                added,
                at,
            } => {
                if let Some(channel_state) = self.channel_states.get_mut(&channel) {
                    if !added {
                        channel_state.remove_reaction(message, &by, &emoji);
                    } else if channel_state.handle_reaction(
                        message,
                        by,
                        emoji,
                        at,
                        context,
                        &mut effects,
                    ) {
                        self.drive_turn(channel, now, &mut effects, |turn, _, effects| {
                            turn.handle_quiet_request(effects)
                        });
                    }
                    self.refresh_channel(channel);
                }
            }
            Event::Typing { channel, user } => self.change_channel(channel, |channel_state| {
                channel_state.handle_typing(user, now)
            }),
            Event::DeliveryFailed { channel, why } => {
                if let Some(channel_state) = self.channel_states.get_mut(&channel) {
                    channel_state.record_delivery_failure(&why);
                }
            }
            Event::ApprovalOutcome { channel, what } => {
                self.change_channel(channel, |channel_state| channel_state.record_outcome(what))
            }
            Event::Gap { channel, before } => {
                self.change_channel(channel, |channel_state| channel_state.mark_gap(before))
            }
            Event::BackfillRunning { channel, until } => self
                .change_channel(channel, |channel_state| {
                    channel_state.postpone_decisions(until)
                }),
            Event::ContextReset { channel, after } => {
                let stop = |turn: &mut Turn, _: &TurnContext<'_>, effects: &mut Vec<Effect>| {
                    turn.stop("a moderator started the context afresh", effects);
                };
                self.drive_turn(channel, now, &mut effects, stop);
                if let Some(channel_state) = self.channel_states.get_mut(&channel) {
                    channel_state.begin_context_after(after);
                    channel_state.drop_intentions(None, IntentEnd::Forgotten, &mut effects);
                    self.refresh_channel(channel);
                }
            }
            Event::PersonForgotten { user, channels } => {
                self.forget_person(user, channels, now, &mut effects)
            }
            Event::IntentScheduled { channel, intention } => {
                self.change_channel(channel, |channel_state| {
                    channel_state.add_intention(*intention, &mut effects)
                });
            }
            Event::IntentDropped { channel, id } => {
                self.change_channel(channel, |channel_state| {
                    channel_state.drop_intentions(Some(id), IntentEnd::Dropped, &mut effects)
                });
            }
            Event::Budget(state) => {
                let opens = state < self.budget;
                self.budget = state;
                if opens {
                    self.reconsider_refusals(now);
                }
            }
            Event::ChannelBudget {
                channel,
                budget: left,
            } => {
                if let Some(channel_state) = self.channel_states.get_mut(&channel) {
                    channel_state.update_budget_share(left, context);
                    self.refresh_channel(channel);
                }
            }
            Event::Turn { turn, event } => self.handle_turn_event(turn, event, now, &mut effects),
            Event::DecideNow { channel } => {
                self.change_channel(channel, |channel_state| channel_state.stop_waiting(now))
            }
            Event::Tick => {}
        }
        while let Some(channel) = self.heartbeat.pop_due(now) {
            self.wake_channel(channel, now, &mut effects);
        }
        effects
    }

    /// When [`Event::Tick`] is wanted at the latest, if nothing else happens before.
    pub fn next_deadline(&mut self) -> Option<Millis> {
        self.heartbeat.next_deadline()
    }

    /// Puts a channel back after a restart: its saved state, what it waits for, then the tail of what is stored. Decisions
    /// on messages the saved state has not heard come back as effects; fresh direct address nobody looked at gets its turn.
    pub fn restore_channel(
        &mut self,
        now: Millis,
        channel: Channel,
        policy: Arc<ChannelPolicy>,
        mut state: SavedChannelState,
        intentions: Vec<ScheduledIntent>,
        tail: Vec<Message>,
    ) -> Vec<Effect> {
        state.sense.apply_weights(&self.setup.weights);
        let id = channel.id;
        let mut effects = Vec::new();
        let address_matcher =
            self.address_matchers
                .of(self.setup.me, &policy.names, &policy.persona, channel.kind);
        let mut channel_state = ChannelState::new(channel, policy, address_matcher, state);
        let context = DecisionContext {
            now,
            weights: &self.setup.weights,
            budget: self.budget,
        };
        channel_state.put_intentions_back(intentions);
        for message in tail {
            channel_state.handle_message(message, context, &mut effects);
        }
        channel_state.finish_restore(now, &mut effects);
        self.channel_states.insert(id, channel_state);
        self.refresh_channel(id);
        effects
    }

    /// Gathers what the current model call of a turn is shown, and takes the cursor: what arrives later is unseen.
    /// None if the turn is over.
    pub fn build_round_prompt(
        &mut self,
        now: Millis,
        turn: TurnId,
        inputs: RenderInputs,
    ) -> Option<RoundPrompt> {
        let channel_state = self.channel_states.get_mut(self.turns.get(&turn)?)?;
        let cursor = channel_state.timeline().cursor();
        let addressed = channel_state.addressed_messages(now);
        let (mut unsent, late) = channel_state.take_leftovers();
        let turn = channel_state.turn.as_mut()?;
        unsent.extend(turn.take_unsent());
        turn.record_rendered_prompt(cursor, addressed);
        let ((call_number, kind), tools) = (turn.current_round()?, turn.offered()?);
        let (wake, working, shown_before) = (
            turn.wake().clone(),
            turn.working_items().to_vec(),
            turn.seen_item_count(),
        );
        let owes = turn.is_answer_due();
        let is_reminded = inputs.plan.is_open() && turn.is_tool_unused(TODO, REMINDED_AFTER);
        // A turn keeps its settings, but never more prompt than the model is known by now to hold.
        let mut policy = ChannelPolicy::clone(turn.policy());
        policy.context = channel_state.policy().context.clone();
        let policy = Arc::new(policy);
        channel_state.shown(cursor, now);
        let me = self.setup.me;
        let (unsent, notes) = (&unsent[..], &late[..]);
        let turn_view = TurnView {
            me,
            now,
            wake: &wake,
            working: &working,
            shown_before,
            unsent,
            notes,
            is_reminded,
        };
        let mut sections =
            render_sections(channel_state, &policy, &turn_view, &inputs, &self.estimator);
        sections.shape = AnswerShape {
            owes,
            lines: list_shown_lines(channel_state),
        };
        Some(RoundPrompt {
            kind,
            ask: call_number,
            sections,
            tools,
            policy,
            is_reminded,
        })
    }

    /// How the companion feels about a channel right now.
    pub fn channel_snapshot(&self, now: Millis, channel: ChannelId) -> Option<ChannelSnapshot> {
        self.channel_states
            .get(&channel)
            .map(|channel_state| channel_state.snapshot(now, &self.setup.weights))
    }

    /// What it was made with.
    pub fn setup(&self) -> &CoreSetup {
        &self.setup
    }

    /// All channels.
    pub fn channel_states(&self) -> impl Iterator<Item = &ChannelState> {
        self.channel_states.values()
    }

    /// A channel's state.
    pub fn channel_state(&self, channel: ChannelId) -> Option<&ChannelState> {
        self.channel_states.get(&channel)
    }

    /// Lets a channel's state go, unless a turn runs there; answers whether it is gone. Its state is to be saved before.
    pub fn unload_channel(&mut self, channel: ChannelId) -> bool {
        if self
            .channel_states
            .get(&channel)
            .is_none_or(|channel_state| channel_state.turn.is_some())
        {
            return false;
        }
        self.channel_states.remove(&channel);
        self.waiting_channels.retain(|other| *other != channel);
        self.heartbeat.set(channel, None);
        true
    }

    /// The process is told to end: what runs is no attempt that failed.
    pub fn cancel_attempts(&mut self) {
        self.channel_states
            .values_mut()
            .for_each(ChannelState::cancel_attempts);
        self.changed_channels.extend(self.turns.values());
    }

    /// The states to save: of the channels that changed since the last time.
    pub fn take_changed_states(&mut self) -> Vec<(ChannelId, SavedChannelState)> {
        let changed = std::mem::take(&mut self.changed_channels);
        let state = |id| {
            self.channel_states
                .get(&id)
                .map(|channel_state| (id, channel_state.state().clone()))
        };
        changed.into_iter().filter_map(state).collect()
    }

    /// Whether there are states to save.
    pub fn has_changed_states(&self) -> bool {
        !self.changed_channels.is_empty()
    }

    /// Where a turn runs.
    pub fn find_turn_channel(&self, turn: TurnId) -> Option<ChannelId> {
        self.turns.get(&turn).copied()
    }

    /// The estimated size of the prompt of a turn's current model call, in tokens.
    pub fn prompt_tokens(&self, turn: TurnId) -> Option<u32> {
        self.channel_states
            .get(self.turns.get(&turn)?)?
            .turn
            .as_ref()?
            .prompt_tokens()
    }

    /// How many turns are running, and how many channels wait for a place.
    pub fn load(&self) -> (usize, usize) {
        (self.turns.len(), self.waiting_channels.len())
    }

    fn update_channel(
        &mut self,
        channel: Channel,
        policy: Arc<ChannelPolicy>,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let id = channel.id;
        let why = match &*policy {
            policy if policy.mode != ChannelMode::On => Some("the channel was switched off"),
            policy if policy.paused_until.is_some_and(|until| until > now) => {
                Some("a moderator paused it")
            }
            policy if !policy.may_send => Some("it may not write here any more"),
            _ => None,
        };
        let address_matcher =
            self.address_matchers
                .of(self.setup.me, &policy.names, &policy.persona, channel.kind);
        match self.channel_states.get_mut(&channel.id) {
            Some(channel_state) => channel_state.update_settings(channel, policy, address_matcher),
            None => {
                let state = SavedChannelState::new(&self.setup.weights);
                self.channel_states.insert(
                    channel.id,
                    ChannelState::new(channel, policy, address_matcher, state),
                );
            }
        }
        if let Some(why) = why {
            self.drive_turn(id, now, effects, |turn, _, effects| turn.stop(why, effects));
        }
        let context = DecisionContext {
            now,
            weights: &self.setup.weights,
            budget: self.budget,
        };
        if let Some(channel_state) = self.channel_states.get_mut(&id) {
            if channel_state.policy().mode == ChannelMode::Off {
                channel_state.drop_intentions(None, IntentEnd::Kept(Refusal::Off), effects);
            }
            channel_state.plan_opening(now);
            channel_state.reconsider_refusals(context);
        }
        self.refresh_channel(id);
    }

    /// Lets every channel look again at what it could not answer: what forbade it may be over.
    fn reconsider_refusals(&mut self, now: Millis) {
        let context = DecisionContext {
            now,
            weights: &self.setup.weights,
            budget: self.budget,
        };
        self.channel_states
            .values_mut()
            .for_each(|channel_state| channel_state.reconsider_refusals(context));
        let channels: Vec<ChannelId> = self.channel_states.keys().copied().collect();
        channels
            .into_iter()
            .for_each(|channel| self.refresh_channel(channel));
    }

    fn forget_person(
        &mut self,
        user: UserId,
        channels: Option<Vec<ChannelId>>,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let mut channels =
            channels.unwrap_or_else(|| self.channel_states.keys().copied().collect());
        channels.sort_unstable();
        for channel in channels {
            let Some(channel_state) = self.channel_states.get_mut(&channel) else {
                continue;
            };
            let gone = channel_state.forget_person(user);
            // A note may be about anybody who was in view.
            channel_state.drop_intentions(None, IntentEnd::Forgotten, effects);
            // A turn may know them from a memory, so each starts over, whoever is in view.
            self.drive_turn(channel, now, effects, |turn, turn_context, effects| {
                turn.forget(user, &gone, turn_context, effects)
            });
            self.refresh_channel(channel);
        }
    }

    fn handle_turn_event(
        &mut self,
        turn: TurnId,
        event: TurnEvent,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let Some(channel) = self.turns.get(&turn).copied() else {
            return;
        };
        self.drive_turn(channel, now, effects, |turn, turn_context, effects| {
            turn.handle_event(event, turn_context, effects)
        });
        self.refresh_channel(channel);
    }

    /// Changes a channel's state, if it has one, and looks anew when it wants to be looked at.
    fn change_channel(&mut self, channel: ChannelId, change: impl FnOnce(&mut ChannelState)) {
        if let Some(channel_state) = self.channel_states.get_mut(&channel) {
            change(channel_state);
            self.refresh_channel(channel);
        }
    }

    fn refresh_channel(&mut self, channel: ChannelId) {
        let Some(channel_state) = self.channel_states.get_mut(&channel) else {
            return;
        };
        if channel_state.take_changed() {
            self.changed_channels.insert(channel);
        }
        let queued = self.waiting_channels.contains(&channel);
        let resting = channel_state.turn.is_none()
            && (channel_state.policy().mode == ChannelMode::Off || queued);
        let deadline = if resting {
            None
        } else {
            channel_state.deadline()
        };
        self.heartbeat.set(channel, deadline);
    }
}

/// The numbers of the lines a channel's prompt shows, oldest first.
fn list_shown_lines(channel_state: &ChannelState) -> Vec<u16> {
    let first = channel_state.window.first();
    channel_state
        .timeline()
        .messages()
        .filter(|said| Some(said.message.id) >= first)
        .map(|said| said.short_id)
        .collect()
}
