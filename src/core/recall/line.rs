//! The lines of a chat as recall looks at them, and what it answers with.

use super::score_parts::ScoreParts;
use crate::chat::{ChannelId, MessageId, Millis, UserId};

#[derive(Clone, Debug, PartialEq)]
pub struct RecallLine<'a> {
    pub channel: ChannelId,
    pub id: MessageId,
    pub at: Millis,
    pub author: UserId,
    /// Their name then.
    pub name: &'a str,
    pub text: &'a str,
    pub reply_to: Option<MessageId>,
    pub is_own: bool,
}

/// A line's place, and how well it fits: larger is better, comparable within one answer only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedLine {
    /// The stretch it stands in, and its place there.
    pub at: (usize, usize),
    pub score: f64,
    /// What its score is made of; None where it is not one of these sums.
    pub parts: Option<ScoreParts>,
}
