//! A message that nobody has looked at yet, and when what forbids an answer to it is over.

use crate::chat::{Author, ChannelKind, Message, MessageId, Millis};
use crate::policy::{ADDRESS_FRESH, DIRECT_FRESH};
use crate::willingness::WillingnessScore;

/// A message no turn or decision has looked at yet.
#[derive(Clone, Debug)]
pub(super) struct PendingMessage {
    pub id: MessageId,
    pub arrival: u64,
    pub at: Millis,
    pub author: Author,
    pub score: WillingnessScore,
    /// A decision has refused it, and what forbade it passes: it is looked at again then.
    pub held: bool,
    pub reached_threshold: bool,
    /// A turn was shown it and did not get to answer it.
    pub put_off: bool,
    /// When its author was quiet for long enough for it to be looked at; none for direct address.
    pub due: Option<Millis>,
    /// What was decided on it in the end was told: then, or when direct address was refused.
    pub is_reported: bool,
    pub fresh_for: Millis,
}

impl PendingMessage {
    pub fn new(message: &Message, score: WillingnessScore, channel: ChannelKind) -> Self {
        let fresh_for = if channel == ChannelKind::Direct {
            DIRECT_FRESH
        } else {
            ADDRESS_FRESH
        };
        let Message {
            id,
            arrival,
            at,
            author,
            ..
        } = message;
        Self {
            id: *id,
            arrival: *arrival,
            at: *at,
            author: author.clone(),
            score,
            held: false,
            reached_threshold: false,
            put_off: false,
            due: None,
            is_reported: false,
            fresh_for,
        }
    }

    /// Whether its author may still be writing.
    pub fn is_waiting(&self, now: Millis) -> bool {
        self.due.is_some_and(|due| due > now)
    }

    /// Whether it is direct address, whoever wrote it and however long ago.
    pub fn is_addressed(&self) -> bool {
        self.score.address.is_some()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusalExpiry {
    /// Not for what was said while it held.
    Never,
    OnEvent,
    At(Millis),
}
