//! What can be answered, how far it is from the threshold, and where it stands.

use super::pending_message::PendingMessage;
use crate::chat::{MessageId, UserId};
use crate::report::ThresholdShift;

/// What can be answered: an unseen message, or a question that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerCandidate<'a> {
    pub id: MessageId,
    pub author: UserId,
    /// Its willingness now, as a probability.
    pub score: f32,
    pub threshold: f32,
    pub shift: ThresholdShift,
    /// None where an earlier decision has looked at it.
    pub unseen: Option<&'a PendingMessage>,
}

impl AnswerCandidate<'_> {
    /// How far it is above the threshold, in log-odds.
    pub fn margin(&self) -> f32 {
        compute_margin(self.score, self.threshold)
    }
}

/// How far a score is above its threshold, both probabilities, in log-odds.
pub(super) fn compute_margin(score: f32, threshold: f32) -> f32 {
    log_odds(score) - log_odds(threshold)
}

fn log_odds(probability: f32) -> f32 {
    (probability / (1.0 - probability)).ln()
}
