//! Whether what the running turn would say comes too late (Law 1): the model took long, or the machine slept meanwhile.

use super::channel_state::ChannelState;
use super::pending_message::PendingMessage;
use crate::chat::Millis;

impl ChannelState {
    /// Why nothing the running turn has to say is wanted any more, as long as it said nothing. A reminder may come late.
    pub fn find_lateness(&self, now: Millis) -> Option<&'static str> {
        let turn = self.turn.as_ref().filter(|turn| turn.may_be_given_up())?;
        let trigger = turn.wake();
        if trigger.own.is_some() {
            return None;
        }
        if trigger.is_by_score_alone() {
            return self
                .is_quiet(now)
                .then_some("quiet hours began before it spoke");
        }
        let is_meant = |unseen: &&PendingMessage| trigger.addressed.contains(&unseen.id);
        let mut meant = self
            .being_answered
            .iter()
            .chain(&self.unseen)
            .filter(is_meant)
            .peekable();
        let is_late = meant.peek().is_some() && meant.all(|unseen| self.is_stale(unseen, now));
        is_late.then_some("what it would answer was said too long ago")
    }
}
