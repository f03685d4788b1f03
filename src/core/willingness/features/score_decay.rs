//! How fast a score decays: with the time since its message, once somebody else has answered it, and once the companion has
//! spoken. What each takes away is in `data/weights.json`.

use super::{ChannelFeatures, WAIT_LONGEST};
use crate::chat::Millis;
use crate::curve::{HOUR_SECONDS, logistic, scale_logarithmically};
use crate::willingness::{Signal, Weights, WillingnessScore};

impl ChannelFeatures {
    /// The score as a probability, decayed to `now`: older, perhaps answered by somebody else, perhaps after own speech.
    pub fn decay_score(&self, score: &WillingnessScore, now: Millis, weights: &Weights) -> f32 {
        // Having waited for the author is no age.
        let age = now - score.at - WAIT_LONGEST;
        let mut logit = score.logit
            + weights.of(Signal::Age, score.mix) * scale_logarithmically(age, HOUR_SECONDS);
        if self.is_answered(score.message, score.author) {
            logit += weights.of(Signal::Answered, score.mix);
        }
        if self.spoke_at.is_some_and(|at| at > score.at) {
            logit += weights.of(Signal::SpokeSince, score.mix);
        }
        logistic(logit)
    }
}
