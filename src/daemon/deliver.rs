//! Visible actions on their way out: journaled, delivered, settled, and only then told to the core (Law 3). In the room
//! delivering is storing; a platform that sends over a network does so between journal and settlement.

use std::sync::Arc;
use std::time::Duration;

use super::{Daemon, Inner, rooms};
use crate::clock;
use crate::core::chat::{Author, ChannelId, Message, MessageId, TurnId};
use crate::core::effect::Effect;
use crate::core::event::{Event, TurnEvent};
use crate::platform::room::{Live, RoomMessage};
use crate::store::{Action, Incoming, Journaled, Outgoing, Store, StoreError};
use crate::turn::tasks;

/// How long a delivery may take before its turn goes on without it.
const DELIVERY_LIMIT: Duration = Duration::from_secs(60);

/// What became of a visible action.
pub(super) struct Delivered {
    turn: Option<TurnId>,
    part: u32,
    channel: ChannelId,
    result: Result<Incoming, String>,
}

impl Daemon {
    /// Journals and delivers a send or a reaction in a task of its own, so that the disk never holds the loop up.
    pub(super) fn send_out(&mut self, effect: Effect) {
        let now = clock::now();
        let (turn, part, channel, cursor, action) = match effect {
            Effect::Send { turn, channel, part, text, reply_to, cursor } => {
                (Some(turn), part, channel, cursor, Action::Send { text, reply_to })
            }
            Effect::React { turn, channel, part, message, emoji, cursor } => {
                (turn, part, channel, cursor, Action::React { message, emoji })
            }
            _ => return,
        };
        let nonce = match (turn, &action) {
            (Some(turn), _) => format!("{turn}.{part}"),
            (None, Action::React { message, .. }) => format!("r{message}"),
            (None, Action::Send { .. }) => return,
        };
        let outgoing = Outgoing { nonce, turn, part, channel, action, cursor, at: now };
        let (own, nonce) = (self.own(channel), outgoing.nonce.clone());
        let id = MessageId(self.ids.next(now));
        let (store, inner) = (self.store.clone(), self.inner.clone());
        tokio::spawn(async move {
            let incoming = delivery(&outgoing, own, id);
            let put = tasks::within(DELIVERY_LIMIT, "the delivery", put(&store, outgoing, incoming.clone())).await;
            let put_failed = !matches!(put, Ok(Ok(_)));
            let result = match put {
                Ok(Ok(Some(arrival))) => Ok(arrived(incoming, arrival)),
                Ok(Ok(None)) => Err("it was said before".to_owned()),
                Ok(Err(error)) => Err(error.to_string()),
                Err(why) => Err(why),
            };
            if put_failed {
                // The turn is told that it was not said, so no later start may say it.
                drop(store.drop_outgoing(nonce));
            }
            let _ = inner.send(Inner::Delivered(Delivered { turn, part, channel, result })).await;
        });
    }

    /// Tells the core and the page what became of it.
    pub(super) fn delivered(&mut self, delivered: Delivered) {
        let Delivered { turn, part, channel, result } = delivered;
        let told = match result {
            Ok(incoming) => {
                let id = match &incoming {
                    Incoming::Message(message) => message.id,
                    Incoming::Reaction { message, .. } => *message,
                    _ => return,
                };
                self.happened(incoming, turn);
                Ok(id)
            }
            Err(why) => {
                tracing::error!(%channel, "not delivered: {why}");
                Err(why)
            }
        };
        if let Some(turn) = turn {
            self.handle(Event::Turn { turn, event: TurnEvent::Delivered { part, result: told } });
        }
    }

    /// Something is stored: tells the page and the core.
    pub(super) fn happened(&mut self, incoming: Incoming, turn: Option<TurnId>) {
        match incoming {
            Incoming::Message(message) | Incoming::Posted { message, .. } => {
                let (edited, reactions, decision) = (false, Vec::new(), None);
                let shown = RoomMessage { message: message.clone(), edited, reactions, decision, turn };
                self.tell(Live::Message(Box::new(shown)));
                self.handle(Event::Message(message));
            }
            Incoming::Edit { channel, id, text, .. } => {
                self.tell(Live::Edited { channel, message: id, text: text.to_string() });
                self.handle(Event::Edited { channel, id, text });
            }
            Incoming::Delete { channel, ids, .. } => {
                self.tell(Live::Deleted { channel, messages: ids.clone() });
                self.handle(Event::Deleted { channel, ids });
            }
            Incoming::Reaction { channel, message, by, emoji, added, at } => {
                let shown = emoji.to_string();
                self.tell(Live::Reaction { channel, message, by: by.clone(), emoji: shown, added });
                self.handle(Event::Reaction { channel, message, by, emoji, added, at });
            }
            Incoming::Channel(channel) => self.settle(channel),
        }
    }

    /// The companion as the author of its lines in a channel.
    pub(super) fn own(&self, channel: ChannelId) -> Author {
        let policy = self.core.lane(channel).map(|lane| lane.policy().clone());
        rooms::companion(&policy.unwrap_or_else(|| Arc::new(self.settings.policy(&self.guests.unknown(channel)))))
    }
}

/// What a journaled action becomes in the room.
pub(super) fn delivery(outgoing: &Outgoing, own: Author, id: MessageId) -> Incoming {
    let (channel, at) = (outgoing.channel, outgoing.at);
    match &outgoing.action {
        Action::Send { text, reply_to } => Incoming::Message(Message {
            id,
            channel,
            arrival: 0,
            at,
            author: own,
            text: text.as_str().into(),
            reply_to: *reply_to,
            mentions: Vec::new(),
        }),
        Action::React { message, emoji } => {
            Incoming::Reaction { channel, message: *message, by: own, emoji: emoji.as_str().into(), added: true, at }
        }
    }
}

/// Journals, delivers and settles; none if the same was settled before.
async fn put(store: &Store, outgoing: Outgoing, incoming: Incoming) -> Result<Option<u64>, StoreError> {
    let nonce = outgoing.nonce.clone();
    if store.journal(outgoing).await? == Journaled::Settled {
        return Ok(None);
    }
    let stored = store.settle(nonce, incoming).await?;
    Ok(stored.new.then_some(stored.arrival))
}

/// The event with the arrival number the store gave it.
pub(super) fn arrived(incoming: Incoming, arrival: u64) -> Incoming {
    match incoming {
        Incoming::Message(message) | Incoming::Posted { message, .. } => {
            Incoming::Message(Message { arrival, ..message })
        }
        other => other,
    }
}
