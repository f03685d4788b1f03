//! What is on record of visible actions: what became of one, what is stored of it, and the outbox's nonces.

use tokio::sync::oneshot;

use kith_core::chat::{Author, ChannelId, Message, MessageId, TurnId};
use kith_core::event::ChatEvent;
use kith_core::outgoing::{OutgoingAction, VisibleAction};
use kith_core::report::DeliveryFailure;
use kith_language::LocalizedMessage;
use kith_store::AppendOutcome;
use kith_tools::custom::ReviewedText;

/// Between what the outbox knows an action by and the number of a part.
const PART: char = '.';

pub(in crate::daemon) enum DeliveryEvent {
    /// The hooks have seen what this turn is about to say.
    Reviewed(Box<(OutgoingAction, TurnId, ReviewedText)>),
    Finished(DeliveryOutcome),
    /// Nobody knows yet whether a part of a turn went out, for so long that its turn goes on.
    Unconfirmed {
        turn: Option<TurnId>,
        part: u32,
        nonce: String,
    },
}

pub(in crate::daemon) struct DeliveryOutcome {
    pub turn: Option<TurnId>,
    pub part: u32,
    pub channel: ChannelId,
    pub nonce: String,
    /// The tool that waits for it, if one does.
    pub answer: Option<oneshot::Sender<Result<(), LocalizedMessage>>>,
    /// Whether its turn was told that nobody knows.
    pub was_late: bool,
    pub result: Result<Vec<StoredAction>, DeliveryFailure>,
}

/// What is stored of an action: a long message may have become several.
pub(in crate::daemon) struct StoredAction {
    pub what: ChatEvent,
    /// Whether the store did not know it yet.
    pub is_new: bool,
}

/// What a journaled action becomes: the own message with this id, or the own reaction.
pub(in crate::daemon) fn build_delivered_event(
    outgoing: &OutgoingAction,
    own: Author,
    id: MessageId,
) -> ChatEvent {
    let (channel, at) = (outgoing.channel, outgoing.at);
    match &outgoing.action {
        VisibleAction::Send { text, reply_to, .. } => ChatEvent::Message(Message {
            id,
            channel,
            arrival: 0,
            at,
            author: own,
            text: text.as_str().into(),
            reply_to: *reply_to,
            mentions: Vec::new(),
        }),
        VisibleAction::React { message, emoji } => ChatEvent::Reaction {
            channel,
            message: *message,
            author: own,
            emoji: emoji.as_str().into(),
            added: true,
            at,
        },
    }
}

/// The message an event made, or is about.
pub(super) fn find_message_id(incoming: &ChatEvent) -> Option<MessageId> {
    match incoming {
        ChatEvent::Message(message) => Some(message.id),
        ChatEvent::Reaction { message, .. } => Some(*message),
        _ => None,
    }
}

/// The event as the store took it: with its arrival number, and as it is told there.
pub(in crate::daemon) fn to_stored_event(incoming: ChatEvent, stored: &AppendOutcome) -> ChatEvent {
    match incoming {
        ChatEvent::Message(message) | ChatEvent::Posted { message, .. } => {
            let message = Message {
                arrival: stored.arrival,
                ..message
            };
            ChatEvent::Message(match &stored.says {
                Some(says) => Message {
                    text: says.clone(),
                    mentions: Vec::new(),
                    ..message
                },
                None => message,
            })
        }
        ChatEvent::Earlier(message) => ChatEvent::Earlier(Message {
            arrival: stored.arrival,
            ..message
        }),
        other => other,
    }
}

/// The outbox's nonce of one of the messages an action became.
pub(in crate::daemon) fn build_part_nonce(nonce: &str, place: usize) -> String {
    if place == 0 {
        nonce.to_owned()
    } else {
        format!("{nonce}{PART}{place}")
    }
}
