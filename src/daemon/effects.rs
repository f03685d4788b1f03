//! Executing what the core asks for: each effect becomes a task, a row or a live event, and comes back as an event.

use std::sync::Arc;

use serde_json::json;

use super::state::Daemon;
use kith_core::chat::{Channel, ChannelId, GuildId};
use kith_core::effect::Effect;
use kith_core::event::{ChatEvent, Event};
use kith_room::LiveEvent;
use kith_system::clock;
use kith_tools::custom::SessionEvent;

impl Daemon {
    /// Gives an event to the core and does what it asks for.
    pub(super) fn handle_event(&mut self, event: Event) {
        let channel = self.find_event_channel(&event);
        self.decision_times.touch(channel);
        if let Event::Chat(ChatEvent::Message(_) | ChatEvent::Earlier(_) | ChatEvent::Edit { .. }) =
            &event
        {
            self.embedding.record_change(clock::now());
        }
        match &event {
            Event::Chat(ChatEvent::Delete { channel, ids, .. }) => {
                let texts = self.pictures.remove_messages(ids);
                self.erase_attached_texts(texts);
                self.compaction.record_changed_messages(*channel, ids);
                self.memory.drop_group_expressions(Some(*channel));
            }
            Event::Chat(ChatEvent::Edit { channel, id, .. }) => {
                self.compaction.record_changed_messages(*channel, &[*id]);
                self.memory.drop_group_expressions(Some(*channel));
            }
            Event::Chat(ChatEvent::Message(message)) => {
                self.consolidation
                    .record_message(message.channel, message.at, clock::now())
            }
            Event::PersonForgotten { user, channels } => {
                let texts = self.pictures.forget(*user, channels.as_deref());
                self.erase_attached_texts(texts);
                self.memory.drop_group_expressions(None);
            }
            _ => {}
        }
        let effects = self.core.handle_event(clock::now(), event);
        self.execute_effects(effects);
    }

    fn find_event_channel(&self, event: &Event) -> Option<ChannelId> {
        match event {
            Event::ChannelSeen { channel, .. } => Some(channel.id),
            Event::Chat(event) => Some(event.channel()),
            Event::Typing { channel, .. }
            | Event::DecideNow { channel }
            | Event::Gap { channel, .. }
            | Event::DeliveryFailed { channel, .. }
            | Event::ApprovalOutcome { channel, .. }
            | Event::BackfillRunning { channel, .. }
            | Event::ChannelBudget { channel, .. }
            | Event::IntentScheduled { channel, .. }
            | Event::IntentDropped { channel, .. }
            | Event::ContextReset { channel, .. } => Some(*channel),
            Event::MessageErased(gone) => Some(gone.channel),
            Event::Turn { turn, .. } => self.core.find_turn_channel(*turn),
            Event::PersonForgotten { .. } | Event::Budget(_) | Event::Tick => None,
        }
    }

    pub(super) fn send_live_event(&self, live: LiveEvent) {
        // Without a reader there is nobody to tell.
        let _ = self.live.send(Arc::new(live));
    }

    pub(super) fn execute_effects(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.decision_times.touch(find_effect_channel(&effect));
            match effect {
                Effect::ReportMessageDecision(decision) => {
                    self.observer.record_message_decision(&decision);
                    self.log_refusal(&decision);
                    self.platform.start_permission_trial(&decision);
                    self.send_live_event(LiveEvent::Decision(*decision));
                }
                Effect::ReportDecision(decision_point) => {
                    self.observer.record_decision_report(&decision_point);
                    self.send_live_event(LiveEvent::DecisionPoint(*decision_point));
                }
                Effect::AskModel { turn, channel, ask } => {
                    self.gather_prompt_inputs(turn, channel, ask)
                }
                Effect::NextModel { turn } => {
                    if let Some(running) = self.turns.get_mut(&turn) {
                        running.models.advance();
                    }
                    self.record_retry(turn);
                }
                Effect::ReportHeldBack { channel, why } => {
                    self.tell_tools(
                        channel,
                        SessionEvent::RuleTriggered,
                        json!({ "rule": "guard", "why": why }),
                    );
                }
                Effect::Run {
                    turn,
                    channel,
                    call,
                    what,
                    causes,
                } => self.run_call(turn, channel, (call, what), causes),
                Effect::Moderate {
                    turn,
                    call,
                    action,
                    causes,
                } => self.propose_moderation(turn, call, *action, causes),
                Effect::Send { .. } | Effect::React { .. } => self.deliver_effect(effect),
                Effect::ShowTyping { channel } => self.platform.show_typing(channel),
                Effect::SaveIntent { channel, intention } => {
                    self.store_intention(channel, *intention)
                }
                Effect::SaveFiredIntent {
                    channel,
                    id,
                    fired: came,
                } => self
                    .log_write_failure(channel, self.store.save_fired_intention(channel, id, came)),
                Effect::EndIntent {
                    channel,
                    id,
                    end: over,
                } => self.end_intention(channel, id, over),
                Effect::StopAnswer { turn, ask } => {
                    if let Some(running) = self.turns.get(&turn) {
                        running.stop_answer(ask);
                    }
                }
                Effect::CancelTurn { turn } => self.abort_turn_tasks(turn),
                Effect::Finish(report) => {
                    let channel = report.channel;
                    self.finish_turn(*report);
                    self.compact_if_due(channel);
                }
            }
        }
        self.publish_next_decisions();
    }

    /// The guild of a channel that all its members can read; none for others: their memories show up nowhere else.
    pub(super) fn find_public_guild(&self, channel: &Channel) -> Option<GuildId> {
        let is_open = self.platform.is_open(channel.id);
        channel.guild.filter(|_| is_open)
    }

    /// Tells the page when the channels something happened in will be looked at next, where that changed.
    fn publish_next_decisions(&mut self) {
        let now = clock::now();
        for channel in self.decision_times.take_touched() {
            let at = self
                .core
                .channel_snapshot(now, channel)
                .and_then(|snapshot| snapshot.next_decision_point);
            if self.decision_times.update(channel, at) {
                self.send_live_event(LiveEvent::NextDecisionPoint { channel, at });
            }
        }
    }
}

fn find_effect_channel(effect: &Effect) -> Option<ChannelId> {
    match effect {
        Effect::ReportMessageDecision(decision) => Some(decision.channel),
        Effect::ReportDecision(decision_point) => Some(decision_point.channel),
        Effect::Finish(report) => Some(report.channel),
        Effect::Moderate { action, .. } => Some(action.channel),
        Effect::AskModel { channel, .. }
        | Effect::Run { channel, .. }
        | Effect::Send { channel, .. }
        | Effect::ReportHeldBack { channel, .. }
        | Effect::React { channel, .. }
        | Effect::SaveIntent { channel, .. }
        | Effect::SaveFiredIntent { channel, .. }
        | Effect::EndIntent { channel, .. }
        | Effect::ShowTyping { channel } => Some(*channel),
        // Comes with another effect of its channel.
        Effect::CancelTurn { .. } | Effect::StopAnswer { .. } | Effect::NextModel { .. } => None,
    }
}
