//! Whether somebody who speaks to the companion is about to say more, so that an answer would come too early: by how the
//! line ends, and by how often this person says one thing in several lines.

use super::channel_state::ChannelState;
use super::pending_message::PendingMessage;
use crate::address::{LineEnding, classify_ending};
use crate::chat::{Message, Millis, SECOND, UserId};
use crate::willingness::{Signal, WillingnessScore};

/// Two lines of one person no further apart are of one piece.
const JUST_NOW: Millis = 2 * SECOND;
/// From which chance of a further line on a person who speaks to the companion is waited for.
pub(super) const LIKELY: f32 = 0.5;

impl ChannelState {
    /// How likely its author writes another line after this one, 0 … 1.
    pub(super) fn estimate_further_line(&self, message: &Message, score: &WillingnessScore) -> f32 {
        let author = message.author.id;
        let just_now = |unseen: &PendingMessage| {
            unseen.author.id == author && message.at - unseen.at <= JUST_NOW
        };
        let is_one_of_several = self.burst.is_some_and(|burst| burst.speaker() == author)
            || self.unseen.iter().any(just_now);
        match classify_ending(&message.text, &self.address_matcher.names) {
            LineEnding::Open => 1.0,
            LineEnding::Closed => 0.0,
            LineEnding::Unclear if score.values[Signal::Question as usize] > 0.0 => 0.0,
            LineEnding::Unclear if is_one_of_several => 1.0,
            LineEnding::Unclear => self.state.sense.follow_up_share(author),
        }
    }

    /// Whether a burst is waited out in which somebody else spoke to the companion.
    pub(super) fn is_waiting_for_another(&self, author: UserId, now: Millis) -> bool {
        let mut called = self
            .unseen
            .iter()
            .filter(|unseen| !unseen.held && self.is_obliging(unseen, now));
        self.burst.is_some_and(|burst| {
            burst.speaker() != author && called.any(|unseen| unseen.author.id == burst.speaker())
        })
    }
}
