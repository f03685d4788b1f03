//! How fast the room talks, and the slow controller that keeps unasked speech near the rate the talkativeness asks for.
//! Numbers only, saved with the channel's state. It moves with messages and never with the clock, so that a silent night, a pause
//! or a restart leaves it where it was.

use serde::{Deserialize, Serialize};

use crate::chat::{HOUR, MINUTE, Millis};
use crate::talkativeness::{LIVELY, Talkativeness};

/// A longer silence counts as one of this length: the pace is that of people who talk.
const LONGEST_PAUSE: Millis = 10 * MINUTE;
/// Over how many messages the pace is taken.
const PACE_OVER: f32 = 40.0;
/// What one unasked message too few or too many moves the share by, in its logarithm.
const GAIN: f32 = 0.35;
/// How far the share can move at most, in its logarithm: to a fifth, or to five times.
const LIMIT: f32 = 1.6;
/// However much it is behind, no larger share of messages reaches the threshold.
const LARGEST: f32 = 0.6;

/// The pace of a room, and how the unasked rate there has to be corrected.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RateController {
    /// The mean time between two messages of people that do not address the companion, in milliseconds.
    gap: f32,
    heard_at: Option<Millis>,
    /// The logarithm of what the share asked for is multiplied with.
    drift: f32,
}

impl Default for RateController {
    /// Somebody new listens first: as if it had just spoken.
    fn default() -> Self {
        Self {
            gap: HOUR as f32 / LIVELY,
            heard_at: None,
            drift: -GAIN,
        }
    }
}

impl RateController {
    /// A person wrote something at `at` that does not address the companion. Only what it was free to answer makes it
    /// owe anything.
    pub fn record_message(&mut self, at: Millis, wanted: Talkativeness, free: bool) {
        if let Some(before) = self.heard_at {
            let gap = (at - before).clamp(0, LONGEST_PAUSE) as f32;
            self.gap += (gap - self.gap) / PACE_OVER;
        }
        self.heard_at = self.heard_at.max(Some(at));
        if free {
            self.drift = (self.drift + GAIN * wanted.compute_share(self.pace())).min(LIMIT);
        }
    }

    /// A turn nobody asked for ended in a visible message.
    pub fn record_unasked_turn(&mut self) {
        self.drift = (self.drift - GAIN).max(-LIMIT);
    }

    /// Messages of people an hour that do not address the companion, while they talk.
    pub fn pace(&self) -> f32 {
        HOUR as f32 / self.gap.max(1.0)
    }

    /// The share of messages that is let over the threshold, so that about the share asked for leads to a message.
    pub fn compute_share(&self, wanted: Talkativeness) -> f32 {
        (wanted.compute_share(self.pace()) * self.drift.exp()).min(LARGEST)
    }
}
