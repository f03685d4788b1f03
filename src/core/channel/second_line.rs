//! Whether somebody who speaks to the companion is about to say more, so that an answer would come too early: by how the
//! line ends, and by how often this person says one thing in several lines.

use super::channel_state::ChannelState;
use crate::address::{LineEnding, classify_ending};
use crate::chat::{Message, Millis, UserId};
use crate::willingness::{Signal, WillingnessScore};

/// From which share of lines that are followed by another on a person is waited for where the line does not say whether
/// it is complete.
const IN_BURSTS: f32 = 0.5;

impl ChannelState {
    /// Whether another line is likely after this one, which speaks to the companion and may be one of several that its
    /// author is writing just now.
    pub(super) fn is_more_expected(
        &self,
        message: &Message,
        is_one_of_several: bool,
        score: &WillingnessScore,
    ) -> bool {
        match classify_ending(&message.text, &self.address_matcher.names) {
            LineEnding::Open => true,
            LineEnding::Closed => false,
            LineEnding::Unclear if score.values[Signal::Question as usize] > 0.0 => false,
            LineEnding::Unclear => {
                is_one_of_several
                    || self.state.sense.follow_up_share(message.author.id) >= IN_BURSTS
            }
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
