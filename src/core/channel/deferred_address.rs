//! Direct address that a turn was shown, and what of it the next turn answers, as data: `deferred_addresses.rs` decides.

use serde::{Deserialize, Serialize};

use super::pending_message::PendingMessage;
use crate::chat::{MessageId, UserId};

/// A direct address that the next turn answers although everything up to it counts as seen. Saved with the channel's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeferredAddress {
    pub message: MessageId,
    pub author: UserId,
    /// Up to which arrival number everything was seen when it was put off: what was said later, and has seen more, answers
    /// it.
    #[serde(default)]
    pub after: u64,
}

/// What the running turn was shown.
#[derive(Debug, Default)]
pub(super) struct AnsweredMessages(pub(super) Vec<PendingMessage>);

impl AnsweredMessages {
    /// A turn is shown these.
    pub fn extend(&mut self, shown: impl Iterator<Item = PendingMessage>) {
        self.0.extend(shown);
    }

    /// All of it, in the order it was shown.
    pub fn iter(&self) -> impl Iterator<Item = &PendingMessage> {
        self.0.iter()
    }

    /// A message is gone, or a person.
    pub fn forget_matching(&mut self, is_gone: impl Fn(MessageId, UserId) -> bool) {
        self.0
            .retain(|unseen| !is_gone(unseen.id, unseen.author.id));
    }
}
