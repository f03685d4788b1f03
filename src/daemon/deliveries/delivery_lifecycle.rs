//! Visible actions on their way out: journaled, delivered, settled, and only then told to the core (Law 3). In the room
//! delivering is storing; a platform that sends over a network does so between journal and settlement
//! (`discord/send/outbox_delivery.rs`, which also tries again).

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::stored_action::{
    DeliveryEvent, DeliveryOutcome, StoredAction, build_part_nonce, find_message_id,
};
use crate::daemon::loop_message::{LoopCommandResult, LoopMessage};
use crate::daemon::platform::DeliveryTask;
use crate::daemon::state::Daemon;
use kith_core::chat::{ChannelId, MessageId, TurnId};
use kith_core::effect::Effect;
use kith_core::event::ChatEvent;
use kith_core::event::{Event, TurnEvent};
use kith_core::report::DeliveryFailure;
use kith_language::LocalizedMessage;
use kith_room::{LiveEvent, RoomMessage};
use kith_store::{OutgoingAction, VisibleAction};
use kith_system::clock;

/// How long a turn waits for the fate of an action. Then it counts as done: it is on record and may have been read.
const PATIENCE: Duration = Duration::from_secs(60);

impl Daemon {
    /// Journals and delivers a send or a reaction in its own task, so that neither disk nor network hold the loop up.
    pub(in crate::daemon) fn deliver_effect(&mut self, effect: Effect) {
        let now = clock::now();
        let (turn, part, channel, cursor, action) = match effect {
            Effect::Send {
                turn,
                channel,
                part,
                text,
                reply_to,
                cursor,
            } => (
                Some(turn),
                part,
                channel,
                cursor,
                VisibleAction::Send {
                    text,
                    reply_to,
                    with: None,
                },
            ),
            Effect::React {
                turn,
                channel,
                part,
                message,
                emoji,
                cursor,
            } => (
                turn,
                part,
                channel,
                cursor,
                VisibleAction::React { message, emoji },
            ),
            _ => return,
        };
        let nonce = match (turn, &action) {
            (Some(turn), _) => format!("{turn}.{part}"),
            (None, VisibleAction::React { message, .. }) => format!("r{message}"),
            (None, VisibleAction::Send { .. }) => return,
        };
        let answers = turn
            .map(|turn| self.find_answered_messages(channel, turn))
            .unwrap_or_default();
        self.deliver_reviewed(OutgoingAction {
            nonce,
            turn,
            part,
            channel,
            action,
            cursor,
            at: now,
            answers,
        });
    }

    /// The messages a turn answers: who spoke to it, else what made it speak.
    fn find_answered_messages(&self, channel: ChannelId, turn: TurnId) -> Vec<MessageId> {
        let running = self
            .core
            .channel_state(channel)
            .and_then(|channel_state| channel_state.turn.as_ref());
        let wake = running
            .filter(|running| running.id() == turn)
            .map(|running| running.wake());
        match wake {
            Some(wake) if wake.addressed.is_empty() => wake.message.into_iter().collect(),
            Some(wake) => wake.addressed.clone(),
            None => Vec::new(),
        }
    }

    /// The same for an action as it is journaled, and for the tool that asked for it.
    pub(in crate::daemon) fn deliver_action(
        &mut self,
        outgoing: OutgoingAction,
        answer: Option<oneshot::Sender<LoopCommandResult>>,
    ) {
        let OutgoingAction {
            turn,
            part,
            channel,
            ..
        } = outgoing;
        let nonce = outgoing.nonce.clone();
        let own = self.build_own_author(channel);
        let DeliveryTask {
            messages,
            put_off,
            work,
        } = self.platform.deliver(outgoing.clone(), own);
        self.deliveries.start_delivery(&outgoing, messages);
        let loop_sender = self.loop_sender.clone();
        let mut putting = tokio::spawn(work);
        let mut answer = answer;
        tokio::spawn(async move {
            let mut was_late = false;
            let put = loop {
                match timeout(PATIENCE, &mut putting).await {
                    Ok(put) => break put,
                    // It is on record, so it counts as done.
                    Err(_) if answer.is_some() => {
                        drop(answer.take().map(|answer| answer.send(Ok(()))))
                    }
                    // A turn waits for what is known not to be said yet: its next prompt would have it said again.
                    Err(_) if was_late || put_off.load(Ordering::Relaxed) => {
                        continue;
                    }
                    Err(_) => drop(
                        loop_sender
                            .send(LoopMessage::Delivery(DeliveryEvent::Unconfirmed {
                                turn,
                                part,
                                nonce: nonce.clone(),
                            }))
                            .await,
                    ),
                }
                was_late = true;
            };
            let result =
                put.unwrap_or_else(|_| Err("the delivery failed inside; see the log".into()));
            let outcome = DeliveryOutcome {
                turn,
                part,
                channel,
                nonce,
                answer,
                was_late,
                result,
            };
            let _ = loop_sender
                .send(LoopMessage::Delivery(DeliveryEvent::Finished(outcome)))
                .await;
        });
    }

    pub(in crate::daemon) fn handle_delivery_event(&mut self, event: DeliveryEvent) {
        match event {
            DeliveryEvent::Finished(outcome) => self.handle_delivery(outcome),
            DeliveryEvent::Reviewed(reviewed) => {
                let (outgoing, turn, text) = *reviewed;
                self.handle_reviewed_message(outgoing, turn, text)
            }
            DeliveryEvent::Unconfirmed { turn, part, nonce } => {
                self.handle_unconfirmed_delivery(turn, part, &nonce)
            }
        }
    }

    /// Nobody knows what became of an action, for so long that its turn goes on.
    fn handle_unconfirmed_delivery(&mut self, turn: Option<TurnId>, part: u32, nonce: &str) {
        self.deliveries.mark_as_said(nonce);
        if let Some(turn) = turn {
            self.handle_event(Event::Turn {
                turn,
                event: TurnEvent::DeliveryUnconfirmed { part },
            });
        }
    }

    /// Tells the core and the page what became of it. What the platform told of it before is known there already.
    fn handle_delivery(&mut self, delivered: DeliveryOutcome) {
        let DeliveryOutcome {
            turn,
            part,
            channel,
            nonce,
            answer,
            was_late,
            result,
        } = delivered;
        let echoes = self.deliveries.finish_delivery(&nonce);
        let outcome = match (result, echoes.first().map(|(_, first)| first.id)) {
            (Ok(put), _) => {
                let first = put.first().and_then(|put| find_message_id(&put.what));
                for StoredAction { what, is_new } in put {
                    if is_new
                        && echoes
                            .iter()
                            .all(|(_, heard)| Some(heard.id) != find_message_id(&what))
                    {
                        self.publish_stored_event(what, turn);
                    }
                }
                first.ok_or_else(|| "nothing came of it".into())
            }
            (Err(why), Some(first)) => {
                tracing::warn!(%channel, "no answer to a message that was posted, all of it or its beginning: {}", why.why);
                for (place, message) in echoes {
                    drop(
                        self.store
                            .settle(build_part_nonce(&nonce, place), ChatEvent::Message(message)),
                    );
                }
                Ok(first)
            }
            (Err(why), None) => {
                tracing::error!(%channel, "not delivered: {}", why.why);
                // The turn is told that it was not said, so no later start may say it.
                drop(self.store.drop_outgoing(nonce));
                Err(why)
            }
        };
        let refused = outcome.as_ref().err().cloned();
        if let Some(answer) = answer {
            // Who asked may have been cut off.
            let _ = answer.send(outcome.map(drop).map_err(explain_delivery_failure));
            if refused.is_some() {
                self.handle_send_refusal(channel);
            }
            return;
        }
        // A turn that was stopped meanwhile hears of it no more: the next prompt tells.
        let is_over =
            was_late || turn.is_some_and(|turn| self.core.find_turn_channel(turn).is_none());
        match (turn, &refused) {
            (Some(_), Some(why)) if is_over => self.handle_event(Event::DeliveryFailed {
                channel,
                why: why.clone(),
            }),
            (Some(turn), _) => self.handle_event(Event::Turn {
                turn,
                event: TurnEvent::Delivered {
                    part,
                    result: outcome,
                },
            }),
            (None, _) => {}
        }
        if refused.is_some() {
            self.handle_send_refusal(channel);
        }
    }

    /// Something was not delivered. If it may not write there, no further turn is paid for until it may.
    fn handle_send_refusal(&mut self, channel: ChannelId) {
        let Some(channel_state) = self.core.channel_state(channel) else {
            return;
        };
        if channel_state.policy().may_send && !self.platform.can_send(channel) {
            self.apply_policy(channel_state.channel.clone());
            self.platform.schedule_permission_trial(channel);
        }
    }

    pub(in crate::daemon) fn publish_stored_event(
        &mut self,
        event: ChatEvent,
        turn: Option<TurnId>,
    ) {
        let shown = match &event {
            ChatEvent::Message(message)
            | ChatEvent::Earlier(message)
            | ChatEvent::Posted { message, .. } => {
                self.metrics.record_message(message.author.kind);
                LiveEvent::Message(Box::new(RoomMessage {
                    message: message.clone(),
                    edited: false,
                    reactions: Vec::new(),
                    decision: None,
                    turn,
                }))
            }
            ChatEvent::Edit {
                channel, id, text, ..
            } => LiveEvent::Edited {
                channel: *channel,
                message: *id,
                text: text.to_string(),
            },
            ChatEvent::Delete { channel, ids, .. } => LiveEvent::Deleted {
                channel: *channel,
                messages: ids.clone(),
            },
            ChatEvent::Reaction {
                channel,
                message,
                author,
                emoji,
                added,
                ..
            } => LiveEvent::Reaction {
                channel: *channel,
                message: *message,
                by: author.clone(),
                emoji: emoji.to_string(),
                added: *added,
            },
            ChatEvent::Channel(channel) => return self.apply_policy(channel.clone()),
        };
        self.send_live_event(shown);
        self.handle_event(Event::Chat(event));
    }
}

fn explain_delivery_failure(undelivered: DeliveryFailure) -> LocalizedMessage {
    undelivered.kind.explain(undelivered.why)
}
