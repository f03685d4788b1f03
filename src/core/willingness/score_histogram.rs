//! The scores of a channel's messages, counted, and the threshold that a talkativeness means there: a running quantile, so
//! that it means a rate in any room. `channel/threshold.rs` holds messages against it.

use serde::{Deserialize, Serialize};

use crate::talkativeness::compute_level_share;
use crate::weights::ScorePrior;

/// A histogram of log-odds that forgets: half of what it knows is from the last few hundred messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreHistogram {
    counts: Vec<f32>,
    /// What the next message counts. It grows instead of everything else shrinking.
    next: f32,
}

/// The log-odds the histogram covers, and in how many steps.
const LOWEST: f32 = -8.0;
const HIGHEST: f32 = 5.0;
const STEPS: usize = 104;
const STEP: f32 = (HIGHEST - LOWEST) / STEPS as f32;
/// After how many messages a message counts half.
const HALF_LIFE: f32 = 400.0;
const PRIOR_MESSAGES: f32 = 60.0;
/// Past this, counts are scaled down again.
const RESCALED_AT: f32 = 1e6;

/// What unasked speech must reach even where nothing does, by talkativeness: it has to earn its place. Log-odds at
/// talkativeness 0 (27 %), and what they grow by until 1 (10 %).
const FLOOR_AT_0: f32 = -1.0;
const FLOOR_SLOPE: f32 = -1.2;
/// What unasked speech should reach in any room, by talkativeness. Log-odds at talkativeness 0 (35 %), and what they grow
/// by until 1 (14 %). Chosen together with the half below on dev (docs/WEIGHTS.md).
const ANYWHERE_AT_0: f32 = -0.6;
const ANYWHERE_SLOPE: f32 = -1.2;

impl ScoreHistogram {
    /// A threshold that expects what the weights expect.
    pub fn new(prior: ScorePrior) -> ScoreHistogram {
        let below = |edge: f32| super::logistic((edge - prior.middle) / prior.spread);
        let mut counts: Vec<f32> = (0..STEPS)
            .map(|step| {
                let from = LOWEST + step as f32 * STEP;
                (below(from + STEP) - below(from)) * PRIOR_MESSAGES
            })
            .collect();
        if let Some(last) = counts.last_mut() {
            *last += (1.0 - below(HIGHEST)) * PRIOR_MESSAGES;
        }
        ScoreHistogram { counts, next: 1.0 }
    }

    /// Takes note of the score of an unaddressed message, in log-odds.
    pub fn add_score(&mut self, logit: f32) {
        let step = (((logit - LOWEST) / STEP).max(0.0) as usize).min(STEPS - 1);
        if let Some(count) = self.counts.get_mut(step) {
            *count += self.next;
        }
        self.next *= (std::f32::consts::LN_2 / HALF_LIFE).exp();
        if self.next > RESCALED_AT {
            let scale = 1.0 / self.next;
            self.counts.iter_mut().for_each(|count| *count *= scale);
            self.next = 1.0;
        }
    }

    /// About how many messages it knows the room by: those heard, less those forgotten.
    pub fn known_message_count(&self) -> f32 {
        (self.counts.iter().sum::<f32>() / self.next - PRIOR_MESSAGES).max(0.0)
    }

    /// The threshold for a talkativeness of 0 … 1, as a probability: what the share of messages it means reaches, and at
    /// least the floor.
    pub fn compute_threshold(&self, talkativeness: f32) -> f32 {
        let floor = FLOOR_AT_0 + FLOOR_SLOPE * talkativeness.clamp(0.0, 1.0);
        super::logistic(self.quantile(compute_level_share(talkativeness)).max(floor))
    }

    /// The threshold where nobody is kept to a rate, as a probability: halfway between what the share of messages reaches here
    /// and what should be reached anywhere. Rooms differ in how often people answer, so the quantile alone is too high
    /// in lively ones and too low where nothing is fitting.
    pub fn compute_halfway_threshold(&self, talkativeness: f32) -> f32 {
        let anywhere = ANYWHERE_AT_0 + ANYWHERE_SLOPE * talkativeness.clamp(0.0, 1.0);
        super::logistic((self.quantile(compute_level_share(talkativeness)) + anywhere) / 2.0)
    }

    /// The log-odds that this share of messages reaches.
    pub fn quantile(&self, share: f32) -> f32 {
        let wanted = share * self.counts.iter().sum::<f32>();
        let mut above = 0.0;
        for (step, count) in self.counts.iter().enumerate().rev() {
            if above + count >= wanted && *count > 0.0 {
                let inside = (wanted - above) / count;
                return LOWEST + (step as f32 + 1.0 - inside) * STEP;
            }
            above += count;
        }
        LOWEST
    }
}
