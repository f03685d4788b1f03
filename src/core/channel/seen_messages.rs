//! What of a channel has been looked at, by decisions and by turns, and what stays unseen while an answer is forbidden.

use std::collections::VecDeque;

use super::channel_state::ChannelState;
use super::pending_message::{PendingMessage, RefusalExpiry};
use crate::chat::{MessageId, Millis, UserId};
use crate::effect::Effect;

impl ChannelState {
    /// Everything up to this arrival number has been looked at.
    pub fn mark_seen(&mut self, cursor: u64) {
        self.drop_unseen(|unseen| unseen.arrival > cursor);
        self.advance_seen_cursor(cursor.min(self.timeline.cursor()));
    }

    pub(super) fn advance_seen_cursor(&mut self, cursor: u64) {
        self.state.seen = self.state.seen.max(cursor);
        self.state.attempts.drop_seen(self.state.seen);
        self.changed = true;
    }

    /// Everything up to this arrival number is in the prompt of the running turn. It counts as looked at when the turn
    /// ends: a turn that dies with the process leaves its direct addresses to be answered after the restart. What still
    /// waits for its author was shown half, unless its author is answered anyway.
    pub fn shown(&mut self, cursor: u64, now: Millis) {
        let owed = self
            .turn
            .as_ref()
            .map(|turn| turn.find_unanswered_users(&self.timeline))
            .unwrap_or_default();
        let waits =
            |unseen: &PendingMessage| unseen.is_waiting(now) && !owed.contains(&unseen.author.id);
        self.drop_unseen(|unseen| unseen.arrival > cursor || waits(unseen));
    }

    /// Everything up to this arrival number has been looked at, but for what still waits for its author.
    pub(super) fn mark_seen_except_waiting(&mut self, cursor: u64, now: Millis) {
        self.shown(cursor, now);
        let cursor = cursor.min(self.timeline.cursor());
        let first = self
            .unseen
            .iter()
            .map(|unseen| unseen.arrival)
            .min()
            .unwrap_or(u64::MAX);
        self.advance_seen_cursor(cursor.min(first.saturating_sub(1)));
        self.changed = true;
    }

    pub(super) fn is_answering(&self, person: UserId) -> bool {
        self.turn
            .as_ref()
            .is_some_and(|turn| turn.find_unanswered_users(&self.timeline).contains(&person))
    }

    fn drop_unseen(&mut self, kept: impl Fn(&PendingMessage) -> bool) {
        let (unseen, shown): (VecDeque<_>, VecDeque<_>) =
            std::mem::take(&mut self.unseen).into_iter().partition(kept);
        self.unseen = unseen;
        if self.turn.is_some() {
            self.being_answered.extend(shown.into_iter());
        }
        if self.unseen.is_empty() {
            (self.burst, self.recheck_at) = (None, None);
        }
    }

    /// There is more unseen than is kept apart: who is not answered for it is told.
    pub(super) fn drop_one_unseen(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let unobliging = self
            .unseen
            .iter()
            .position(|unseen| !self.is_obliging(unseen, now));
        let dropped = self
            .unseen
            .remove(unobliging.unwrap_or(0))
            .filter(|_| unobliging.is_none());
        if let Some(PendingMessage { id, author, .. }) = dropped {
            let emoji = self.policy.small_reactions.failure.clone();
            self.send_small_reaction(id, author.id, emoji, now, effects);
        }
    }

    /// What forbids an answer passes: the fresh direct addresses stay unseen until then, the rest has been looked at. So
    /// one turn sees all that was missed, and only what is still fresh by then obliges it.
    pub(super) fn hold_direct_addresses(&mut self, expiry: RefusalExpiry, now: Millis) {
        self.recheck_at = match expiry {
            RefusalExpiry::Never => return self.mark_seen(u64::MAX),
            RefusalExpiry::OnEvent => None,
            RefusalExpiry::At(until) => Some(until),
        };
        self.burst = None;
        let mut unseen = std::mem::take(&mut self.unseen);
        unseen.retain(|unseen| self.is_obliging(unseen, now));
        unseen.iter_mut().for_each(|unseen| unseen.held = true);
        if let Some(first) = unseen.iter().map(|unseen| unseen.arrival).min() {
            self.state.seen = self.state.seen.max(first.saturating_sub(1));
        }
        self.unseen = unseen;
        self.changed = true;
    }

    /// The fresh direct addresses nobody has looked at yet.
    pub fn addressed_messages(&self, now: Millis) -> Vec<MessageId> {
        self.unseen
            .iter()
            .filter(|unseen| self.is_obliging(unseen, now))
            .map(|unseen| unseen.id)
            .collect()
    }
}
