//! How it stands between the companion and its channel, for the prompt.

use super::channel_state::ChannelState;
use crate::chat::{HOUR, Millis};
use crate::context::{ChannelRapport, RecentReception};

/// A request for quiet is remembered for so long.
const QUIETED: Millis = 3 * HOUR;
/// So many of its lines to the people of a talk, older ones counting less, make a good one.
const GOOD_TALK: f32 = 3.0;
/// So many lines in a row that nobody takes up.
const IGNORED: usize = 3;

impl ChannelState {
    pub fn rapport(&self, now: Millis) -> ChannelRapport {
        let sense = &self.state.sense;
        let reception = sense.welcome.summary(now);
        let lately = if self.state.quiet.is_requested_since(now - QUIETED) {
            Some(RecentReception::Quieted)
        } else if reception.is_unliked() {
            Some(RecentReception::Unwelcome)
        } else if sense.unheeded_line_count() >= IGNORED {
            Some(RecentReception::Ignored)
        } else if sense.recent_line_count(now) >= GOOD_TALK {
            Some(RecentReception::GoodTalk)
        } else {
            reception.is_liked().then_some(RecentReception::Welcome)
        };
        let silent_for = sense.spoke_at().map(|at| now - at);
        ChannelRapport {
            energy: Some(sense.energy(now)),
            silent_for,
            recent_feedback: lately,
            people: sense.acquaintances(now).collect(),
            expressions: Vec::new(),
        }
    }
}
