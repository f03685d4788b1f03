//! Direct address that a turn was shown and did not get to answer, because somebody spoke into it: it is unseen again, and
//! the next turn answers it.

use super::channel_state::ChannelState;
use super::deferred_address::DeferredAddress;
use super::pending_message::PendingMessage;
use crate::chat::MessageId;

impl ChannelState {
    /// Whether the running turn answers somebody whom an earlier one put off.
    pub fn is_answering_deferred(&self) -> bool {
        self.being_answered.0.iter().any(|unseen| unseen.put_off)
    }

    /// Takes into what is saved whom the next turn answers: a process that dies before that still owes it afterwards.
    pub(super) fn save_deferred_addresses(&mut self) {
        let just_now = self
            .turn
            .as_ref()
            .map(|turn| turn.postponed_messages())
            .unwrap_or_default();
        let cursor = self.turn.as_ref().map_or(0, |turn| turn.cursor());
        let answered = self.turn.as_ref().and_then(|turn| turn.answered_cursor());
        let unanswered = self.being_answered.iter().filter(|unseen| {
            answered.is_none_or(|cursor| unseen.arrival > cursor) || just_now.contains(&unseen.id)
        });
        let open = unanswered
            .chain(&self.unseen)
            .filter(|unseen| unseen.put_off || just_now.contains(&unseen.id));
        let seen = self.state.seen;
        let put_off = |unseen: &PendingMessage| DeferredAddress {
            message: unseen.id,
            author: unseen.author.id,
            after: if just_now.contains(&unseen.id) {
                cursor.max(seen)
            } else {
                seen
            },
        };
        self.state.put_off = open.map(put_off).collect();
    }

    /// The turn is over; these are unseen again.
    pub(super) fn defer_messages(&mut self, ids: &[MessageId]) {
        let shown = std::mem::take(&mut self.being_answered.0);
        let open = shown.into_iter().filter(|unseen| ids.contains(&unseen.id));
        self.unseen.extend(open.map(|mut unseen| {
            unseen.put_off = true;
            unseen
        }));
        self.unseen
            .make_contiguous()
            .sort_by_key(|unseen| unseen.arrival);
    }
}
