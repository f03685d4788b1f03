//! What people do in a channel: its state hears of it, and then the turn that may be running there.

use std::sync::Arc;

use super::Core;
use crate::channel::TurnImpact;
use crate::chat::{ChannelId, Message, MessageId, Millis, UserId};
use crate::effect::Effect;
use crate::event::ChatEvent;
use crate::turn::{Interruption, Turn};

impl Core {
    pub(super) fn handle_chat_event(
        &mut self,
        event: ChatEvent,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        match event {
            ChatEvent::Message(message) | ChatEvent::Posted { message, .. } => {
                self.open_thread_with(&message);
                self.handle_message(message, now, effects)
            }
            ChatEvent::Earlier(message) => {
                self.open_thread_with(&message);
                if let Some(state) = self.channel_states.get_mut(&message.channel) {
                    state.add_earlier_message(message);
                }
            }
            ChatEvent::Edit {
                channel, id, text, ..
            } => {
                let thread = self.find_opened_thread(channel, id);
                for place in [channel].into_iter().chain(thread) {
                    self.handle_edit(place, id, text.clone(), now, effects);
                }
            }
            ChatEvent::Delete { channel, ids, .. } => {
                self.handle_deletions(channel, &ids, now, effects);
                for id in ids {
                    if let Some(thread) = self.find_opened_thread(channel, id) {
                        self.handle_deletions(thread, &[id], now, effects);
                    }
                }
            }
            ChatEvent::Reaction { .. } => self.handle_reaction(event, now, effects),
            // The core hears of a channel together with its settings, as `Event::ChannelSeen`.
            ChatEvent::Channel(_) => {}
        }
    }

    /// The thread that was opened at a message: it bears the message's id and begins with it.
    fn find_opened_thread(&self, channel: ChannelId, message: MessageId) -> Option<ChannelId> {
        let thread = self.channel_states.get(&ChannelId(message.0))?;
        (thread.channel.parent == Some(channel)).then_some(thread.channel.id)
    }

    fn open_thread_with(&mut self, message: &Message) {
        let thread = self.find_opened_thread(message.channel, message.id);
        if let Some(state) = thread.and_then(|thread| self.channel_states.get_mut(&thread)) {
            state.add_earlier_message(message.clone());
        }
    }

    fn handle_edit(
        &mut self,
        channel: ChannelId,
        id: MessageId,
        text: Arc<str>,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let Some(channel_state) = self.channel_states.get_mut(&channel) else {
            return;
        };
        if channel_state.apply_edit(id, text) {
            self.drive_turn(channel, now, effects, |turn, turn_context, effects| {
                turn.handle_edited_message(id, turn_context, effects)
            });
        }
        self.refresh_channel(channel);
    }

    fn handle_message(&mut self, message: Message, now: Millis, effects: &mut Vec<Effect>) {
        let (id, user) = (message.channel, message.author.id);
        let context = self.setup.decision_context(self.budget, now);
        let Some(channel_state) = self.channel_states.get_mut(&id) else {
            return;
        };
        match channel_state.handle_message(message, context, effects) {
            TurnImpact::Address => {
                let is_first = channel_state.addressed_messages(now).len() == 1;
                let interruption = Interruption {
                    user,
                    was_postponed: channel_state.is_answering_deferred(),
                };
                self.drive_turn(id, now, effects, |turn, turn_context, effects| {
                    turn.handle_interruption(interruption, turn_context, effects)
                });
                if is_first && self.waiting_channels.contains(&id) {
                    self.enqueue_channel(id, now, true);
                }
            }
            TurnImpact::FollowUp => {
                self.drive_turn(id, now, effects, Turn::handle_followup_line);
            }
            TurnImpact::QuietRequest => self.request_quiet(id, user, now, effects),
            TurnImpact::Nothing => {}
        }
        self.give_up_overtaken_turn(id, now, effects);
        self.refresh_channel(id);
    }

    fn request_quiet(
        &mut self,
        channel: ChannelId,
        by: UserId,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        self.drive_turn(channel, now, effects, |turn, context, effects| {
            turn.handle_quiet_request(by, context, effects)
        });
    }

    fn handle_deletions(
        &mut self,
        channel: ChannelId,
        ids: &[MessageId],
        now: Millis,
        effects: &mut Vec<Effect>,
    ) {
        let Some(channel_state) = self.channel_states.get_mut(&channel) else {
            return;
        };
        if let [alone] = *ids {
            channel_state.record_lone_deletion(alone, now);
        }
        ids.iter().for_each(|id| channel_state.apply_deletion(*id));
        for id in ids {
            self.drive_turn(channel, now, effects, |turn, turn_context, effects| {
                turn.handle_deleted_message(*id, turn_context, effects)
            });
        }
        self.refresh_channel(channel);
    }

    fn handle_reaction(&mut self, event: ChatEvent, now: Millis, effects: &mut Vec<Effect>) {
        let ChatEvent::Reaction {
            channel,
            message,
            author: by,
            emoji,
            added,
            at,
        } = event
        else {
            return;
        };
        let context = self.setup.decision_context(self.budget, now);
        let user = by.id;
        let Some(channel_state) = self.channel_states.get_mut(&channel) else {
            return;
        };
        if !added {
            channel_state.remove_reaction(message, &by, &emoji);
        } else if channel_state.handle_reaction(message, by, emoji, at, context, effects) {
            self.request_quiet(channel, user, now, effects);
        }
        self.refresh_channel(channel);
    }
}
