//! The places for turns in flight: who gets one, who waits, and what a turn that ended leaves to the others.

use super::Core;
use crate::channel::{ChannelDemands, ChannelState};
use crate::chat::{ChannelId, Millis, TurnId};
use crate::effect::Effect;
use crate::report::{DecisionOutcome, DecisionReport, TurnTrigger};
use crate::turn::{Turn, TurnContext, TurnProgress};

impl Core {
    pub(super) fn wake_channel(
        &mut self,
        channel: ChannelId,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let Some(channel_state) = self.channel_states.get_mut(&channel) else {
            return;
        };
        let context = self.setup.decision_context(self.budget, now);
        if let Some(turn) = &channel_state.turn {
            if turn.is_typing() {
                self.give_up_late_turn(channel, now, effects);
            }
            self.drive_turn(channel, now, effects, Turn::tick);
        } else if let ChannelDemands::Turn(wake) = channel_state.run_due_decision(context, effects)
        {
            self.start_or_queue_turn(channel, wake, now, effects);
        }
        self.refresh_channel(channel);
    }

    /// Lets a channel's running turn handle something, and keeps the account of places.
    pub(super) fn drive_turn(
        &mut self,
        channel: ChannelId,
        now: Millis,
        effects: &mut Vec<Effect>,
        handle: impl FnOnce(&mut Turn, &TurnContext<'_>, &mut Vec<Effect>),
    ) {
        let Some(channel_state) = self.channel_states.get_mut(&channel) else {
            return;
        };
        let Some(mut turn) = channel_state.turn.take() else {
            return;
        };
        let progress_before = turn.progress();
        let (timeline, intentions) = (channel_state.timeline(), channel_state.intentions());
        let names = &channel_state.window.names;
        handle(
            &mut turn,
            &TurnContext {
                now,
                channel: &channel_state.channel,
                timeline,
                intentions,
                names,
            },
            effects,
        );
        let progress_after = turn.progress();
        channel_state.turn = Some(turn);
        channel_state.adopt_turn_intentions(effects);
        channel_state.settle_self_trigger(false, effects);
        if progress_after == TurnProgress::Done {
            self.finish_turn(channel, now, effects);
        }
        match (progress_before, progress_after) {
            (TurnProgress::Thinking, TurnProgress::Placeless | TurnProgress::Done) => {
                self.thinking_turns = self.thinking_turns.saturating_sub(1);
                self.start_queued_turns(now, effects);
            }
            (TurnProgress::Placeless, TurnProgress::Thinking) => self.thinking_turns += 1,
            _ => {}
        }
    }

    /// Starts a turn if a place is free, else queues the channel: addressed ones first, each kind in the order it came.
    pub(super) fn start_or_queue_turn(
        &mut self,
        channel: ChannelId,
        wake: TurnTrigger,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let Some(channel_state) = self.channel_states.get_mut(&channel) else {
            return;
        };
        if self.thinking_turns < self.setup.turns_in_flight {
            self.thinking_turns += 1;
            self.last_turn = self.setup.partition.next_number(self.last_turn);
            let id = TurnId(self.last_turn);
            self.turns.insert(id, channel);
            channel_state.start(id, wake, now, effects);
            self.give_up_overtaken_turn(channel, now, effects);
            return;
        }
        let TurnTrigger {
            message,
            score,
            threshold,
            shift,
            own,
            ..
        } = wake;
        let (at, outcome) = (now, DecisionOutcome::Queued);
        effects.push(Effect::ReportDecision(Box::new(DecisionReport {
            channel,
            at,
            message,
            score,
            threshold,
            shift,
            outcome,
            own,
        })));
        self.enqueue_channel(channel, now, wake.address.is_some());
    }

    /// Ends a channel's running turn before it costs a call, or as long as nothing of it was said, where it would speak
    /// unasked into what people say to each other by now.
    pub(super) fn give_up_overtaken_turn(
        &mut self,
        channel: ChannelId,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let is_overtaken = self
            .channel_states
            .get(&channel)
            .is_some_and(ChannelState::is_running_turn_overtaken);
        if is_overtaken {
            self.drive_turn(channel, now, effects, |turn, _, effects| {
                turn.stop("others talk with each other about it by now", effects);
            });
        }
    }

    /// Ends a channel's running turn, as long as nothing of it was said, where nothing it says is wanted any more.
    pub(super) fn give_up_late_turn(
        &mut self,
        channel: ChannelId,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let channel_state = self.channel_states.get(&channel);
        if let Some(why) = channel_state.and_then(|state| state.find_lateness(now)) {
            self.drive_turn(channel, now, effects, |turn, _, effects| {
                turn.stop(why, effects);
            });
        }
    }

    /// Puts a channel into the queue for places: who was spoken to before the others, each kind in the order it came.
    pub(super) fn enqueue_channel(&mut self, channel: ChannelId, now: Millis, addressed: bool) {
        self.waiting_channels.retain(|other| *other != channel);
        let unasked = |other: &ChannelId| {
            self.channel_states
                .get(other)
                .is_none_or(|channel_state| channel_state.addressed_messages(now).is_empty())
        };
        match self
            .waiting_channels
            .iter()
            .position(unasked)
            .filter(|_| addressed)
        {
            Some(place) => self.waiting_channels.insert(place, channel),
            None => self.waiting_channels.push_back(channel),
        }
    }

    /// Gives free places to the channels that wait; each decides again by what it knows now.
    pub(super) fn start_queued_turns(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        while self.thinking_turns < self.setup.turns_in_flight {
            let Some(next) = self.waiting_channels.pop_front() else {
                break;
            };
            let Some(channel_state) = self
                .channel_states
                .get_mut(&next)
                .filter(|channel_state| channel_state.turn.is_none())
            else {
                continue;
            };
            let context = self.setup.decision_context(self.budget, now);
            if let ChannelDemands::Turn(wake) = channel_state.decide_turn(context, effects) {
                self.start_or_queue_turn(next, wake, now, effects);
            }
            self.refresh_channel(next);
        }
    }

    fn finish_turn(&mut self, channel: ChannelId, now: Millis, effects: &mut Vec<Effect>) {
        let Some(channel_state) = self.channel_states.get_mut(&channel) else {
            return;
        };
        let Some(turn) = channel_state.turn.take() else {
            return;
        };
        self.turns.remove(&turn.id());
        let context = self.setup.decision_context(self.budget, now);
        channel_state.handle_turn_end(turn.finish(now), context, effects);
    }
}
