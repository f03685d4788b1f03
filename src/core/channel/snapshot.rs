//! How the companion feels about a channel right now, for people who look.

use serde::Serialize;

use super::channel_state::ChannelState;
use crate::chat::{Millis, TurnId};
use crate::report::ThresholdShift;
use crate::willingness::{ReceptionSummary, Weights};

#[derive(Clone, Debug, Serialize)]
pub struct ChannelSnapshot {
    /// The willingness of the newest message, decayed to now, 0 … 1; none before the first.
    pub score: Option<f32>,
    /// What it has to reach unasked.
    pub threshold: f32,
    pub shift: ThresholdShift,
    /// Energy after earlier speech, 0 … 1.
    pub energy: f32,
    /// When the next decision is due.
    pub next_decision_point: Option<Millis>,
    /// How many messages no decision or turn has looked at.
    pub unseen: usize,
    pub turn: Option<TurnId>,
    /// Until when it says nothing unasked because a member asked for quiet.
    pub quiet_until: Option<Millis>,
    /// The share of messages that do not address it that it wants to follow with an unasked one, at the room's pace.
    pub wanted_share: f32,
    /// The median member's share of what people wrote lately.
    pub median_share: f32,
    pub silent_for: Option<Millis>,
    pub reception: ReceptionSummary,
}

impl ChannelState {
    pub fn snapshot(&self, now: Millis, weights: &Weights) -> ChannelSnapshot {
        let latest = self.latest_score.as_ref();
        let (threshold, shift) = self.compute_threshold(latest, false);
        ChannelSnapshot {
            score: latest.map(|score| self.state.sense.decay_score(score, now, weights)),
            threshold,
            shift,
            energy: self.state.sense.energy(now),
            next_decision_point: self.decision_due().filter(|_| self.turn.is_none()),
            unseen: self.unseen.len(),
            turn: self.turn.as_ref().map(|turn| turn.id()),
            quiet_until: self.state.quiet.until(now),
            wanted_share: self.state.sense.wanted_share(self.policy.talkativeness),
            median_share: self.state.sense.median_share(),
            silent_for: self.state.sense.spoke_at().map(|at| (now - at).max(0)),
            reception: self.state.sense.welcome.summary(now),
        }
    }
}
