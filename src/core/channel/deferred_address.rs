//! Direct address that a turn was shown, and what of it the next turn answers, as data: `deferred_addresses.rs` decides.

use serde::{Deserialize, Serialize};

use super::pending_message::PendingMessage;
use crate::chat::{MessageId, UserId};

/// A direct address that the next turn answers although everything up to it counts as seen. Saved with the channel's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeferredAddress {
    pub message: MessageId,
    pub author: UserId,
    /// The arrival number up to which everything was seen when it was put off: what is said later answers it.
    #[serde(default)]
    pub after: u64,
}

/// What the running turn was shown.
#[derive(Debug, Default)]
pub(super) struct AnsweredMessages(pub(super) Vec<PendingMessage>);

impl AnsweredMessages {
    pub fn extend(&mut self, shown: impl Iterator<Item = PendingMessage>) {
        self.0.extend(shown);
    }

    pub fn iter(&self) -> impl Iterator<Item = &PendingMessage> {
        self.0.iter()
    }

    pub fn forget_matching(&mut self, is_gone: impl Fn(MessageId, UserId) -> bool) {
        self.0
            .retain(|unseen| !is_gone(unseen.id, unseen.author.id));
    }
}
