//! How it stands between the companion and its channel, for the prompt.

use super::Lane;
use crate::core::chat::{HOUR, Millis};
use crate::core::context::{Lately, Rapport};

/// A request for quiet is remembered for so long.
const QUIETED: Millis = 3 * HOUR;
/// So many of its lines to the people of a talk, older ones counting less, make a good one.
const GOOD_TALK: f32 = 3.0;
/// So many lines in a row that nobody takes up.
const IGNORED: usize = 3;

impl Lane {
    /// How it stands between the companion and its channel, as of `now`.
    pub fn rapport(&self, now: Millis) -> Rapport {
        let sense = &self.state.sense;
        let reception = sense.welcome.reception(now);
        let lately = if self.state.quiet.asked_since(now - QUIETED) {
            Some(Lately::Quieted)
        } else if reception.is_unliked() {
            Some(Lately::Unwelcome)
        } else if sense.unheeded() >= IGNORED {
            Some(Lately::Ignored)
        } else if sense.talking(now) >= GOOD_TALK {
            Some(Lately::GoodTalk)
        } else {
            reception.is_liked().then_some(Lately::Welcome)
        };
        let silent_for = sense.spoke_at().map(|at| now - at);
        Rapport { silent_for, lately, people: sense.acquaintances(now).collect() }
    }
}
