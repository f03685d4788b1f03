//! Visible actions on their way out: what the outbox keeps and a platform carries out. Plain data.

use serde::{Deserialize, Serialize};

use super::chat::{ChannelId, MessageId, Millis, TurnId};

/// A visible action that the platform carries out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Post a message.
    Send {
        /// What to say.
        text: String,
        /// The message to reply to.
        reply_to: Option<MessageId>,
    },
    /// Put a reaction on a message.
    React {
        /// On which message.
        message: MessageId,
        /// Which emoji, as text.
        emoji: String,
    },
}

/// An action on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Unique over restarts; the platform de-duplicates by it for some minutes, the store for good.
    pub nonce: String,
    /// The turn that asked for it; none for the small reactions of Law 1.
    pub turn: Option<TurnId>,
    /// Its number in the turn.
    pub part: u32,
    /// Where.
    pub channel: ChannelId,
    /// What.
    pub action: Action,
    /// The arrival number of the newest event the turn had seen: after a crash nothing up to it is answered again.
    pub cursor: u64,
    /// When it was journaled.
    pub at: Millis,
}
