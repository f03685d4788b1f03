//! What is known of channels: they come, change, are looked at again, and go.

use std::sync::Arc;

use super::Core;
use crate::channel::{ChannelState, SavedChannelState};
use crate::chat::{Channel, ChannelId, Message, Millis, TurnId, UserId};
use crate::effect::Effect;
use crate::event::{BudgetState, Event, TurnEvent};
use crate::intent::{IntentEnd, ScheduledIntent};
use crate::policy::{ChannelMode, ChannelPolicy};
use crate::report::Refusal;
use crate::turn::{Turn, TurnContext};

impl Core {
    pub(super) fn handle_channel_event(
        &mut self,
        event: Event,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        match event {
            Event::ChannelSeen { channel, policy } => {
                self.update_channel(channel, policy, now, effects)
            }
            Event::Typing { channel, user } => {
                self.change_channel(channel, |state| state.handle_typing(user, now))
            }
            Event::DeliveryFailed { channel, why } => {
                if let Some(channel_state) = self.channel_states.get_mut(&channel) {
                    channel_state.record_delivery_failure(&why);
                }
            }
            Event::ApprovalOutcome { channel, what } => {
                self.change_channel(channel, |state| state.record_outcome(what))
            }
            Event::Gap { channel, before } => {
                self.change_channel(channel, |state| state.mark_gap(before))
            }
            Event::BackfillRunning { channel, until } => {
                self.change_channel(channel, |state| state.postpone_decisions(until))
            }
            Event::ContextReset { channel, after } => {
                let stop = |turn: &mut Turn, _: &TurnContext<'_>, effects: &mut Vec<Effect>| {
                    turn.stop("a moderator started the context afresh", effects);
                };
                self.drive_turn(channel, now, effects, stop);
                self.change_channel(channel, |state| {
                    state.begin_context_after(after);
                    state.drop_intentions(None, IntentEnd::Forgotten, effects);
                });
            }
            Event::IntentScheduled { channel, intention } => {
                self.change_channel(channel, |state| state.add_intention(*intention, effects))
            }
            Event::IntentDropped { channel, id } => self.change_channel(channel, |state| {
                state.drop_intentions(Some(id), IntentEnd::Dropped, effects)
            }),
            Event::ChannelBudget { channel, budget } => {
                let context = self.setup.decision_context(self.budget, now);
                if let Some(channel_state) = self.channel_states.get_mut(&channel) {
                    channel_state.update_budget_share(budget, context);
                    self.refresh_channel(channel);
                }
            }
            Event::DecideNow { channel } => {
                self.change_channel(channel, |state| state.stop_waiting(now))
            }
            Event::Tick
            | Event::Turn { .. }
            | Event::Chat(_)
            | Event::MessageErased(_)
            | Event::PersonForgotten { .. }
            | Event::Budget(_) => {}
        }
    }

    pub(super) fn update_budget(&mut self, state: BudgetState, now: Millis) {
        let opens = state < self.budget;
        self.budget = state;
        if opens {
            self.reconsider_refusals(now);
        }
    }

    /// Puts a channel back after a restart: its saved state, what it waits for, then the tail of what is stored. Decisions
    /// on messages the saved state has not heard come back as effects; fresh direct address nobody looked at gets its turn.
    pub fn restore_channel(
        &mut self,
        now: Millis,
        channel: Channel,
        policy: Arc<ChannelPolicy>,
        state: SavedChannelState,
        intentions: Vec<ScheduledIntent>,
        tail: Vec<Message>,
    ) -> Vec<Effect> {
        let id = channel.id;
        let mut effects = Vec::new();
        let address_matcher =
            self.address_matchers
                .of(self.setup.me, &policy.names, &policy.persona, channel.kind);
        let mut channel_state = ChannelState::new(channel, policy, address_matcher, state);
        let context = self.setup.decision_context(self.budget, now);
        channel_state.put_intentions_back(intentions);
        for message in tail {
            channel_state.handle_message(message, context, &mut effects);
        }
        channel_state.finish_restore(now, &mut effects);
        self.channel_states.insert(id, channel_state);
        self.refresh_channel(id);
        effects
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

    pub fn has_changed_states(&self) -> bool {
        !self.changed_channels.is_empty()
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
                let state = SavedChannelState::default();
                self.channel_states.insert(
                    channel.id,
                    ChannelState::new(channel, policy, address_matcher, state),
                );
            }
        }
        if let Some(why) = why {
            self.drive_turn(id, now, effects, |turn, _, effects| turn.stop(why, effects));
        }
        let context = self.setup.decision_context(self.budget, now);
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
        let context = self.setup.decision_context(self.budget, now);
        self.channel_states
            .values_mut()
            .for_each(|channel_state| channel_state.reconsider_refusals(context));
        let channels: Vec<ChannelId> = self.channel_states.keys().copied().collect();
        channels
            .into_iter()
            .for_each(|channel| self.refresh_channel(channel));
    }

    pub(super) fn forget_person(
        &mut self,
        user: UserId,
        channels: Option<Vec<ChannelId>>,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let mut channels =
            channels.unwrap_or_else(|| self.channel_states.keys().copied().collect());
        // A thread begins with a message of its parent.
        let below = self.channel_states.values().map(|state| &state.channel);
        let below = below.filter(|one| one.parent.is_some_and(|parent| channels.contains(&parent)));
        channels.extend(below.map(|one| one.id).collect::<Vec<_>>());
        channels.sort_unstable();
        channels.dedup();
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

    /// Changes a channel's state, if it has one, and looks anew when it wants to be looked at.
    fn change_channel(&mut self, channel: ChannelId, change: impl FnOnce(&mut ChannelState)) {
        if let Some(channel_state) = self.channel_states.get_mut(&channel) {
            change(channel_state);
            self.refresh_channel(channel);
        }
    }

    pub(super) fn refresh_channel(&mut self, channel: ChannelId) {
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

    pub(super) fn handle_turn_event(
        &mut self,
        turn: TurnId,
        event: TurnEvent,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let Some(channel) = self.turns.get(&turn).copied() else {
            return;
        };
        // What failed is told as a failure, however late.
        if !matches!(event, TurnEvent::AnswerEnded { end: Err(_), .. }) {
            self.give_up_late_turn(channel, now, effects);
        }
        self.drive_turn(channel, now, effects, |turn, turn_context, effects| {
            turn.handle_event(event, turn_context, effects)
        });
        self.refresh_channel(channel);
    }
}
