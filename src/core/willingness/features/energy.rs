//! The companion's energy: what speaking takes of it, and how fast it comes back.

use super::ChannelFeatures;
use crate::chat::{MINUTE, Millis};
use crate::curve::exponential_decay;

/// What one own message leaves of the energy.
const SPEAKING_LEAVES: f32 = 0.85;
/// How fast energy comes back.
const ENERGY_RETURNS: Millis = 10 * MINUTE;

impl ChannelFeatures {
    /// The energy after earlier speech, 0 … 1.
    pub fn energy(&self, now: Millis) -> f32 {
        self.energy_at(self.pace.room_time(now))
    }

    fn energy_at(&self, room_time: Millis) -> f32 {
        self.spoke_room_at.map_or(1.0, |at| {
            1.0 - (1.0 - self.energy) * exponential_decay(room_time - at, ENERGY_RETURNS)
        })
    }

    pub(super) fn spend_energy(&mut self, room_time: Millis) {
        self.energy = self.energy_at(room_time) * SPEAKING_LEAVES;
    }
}
