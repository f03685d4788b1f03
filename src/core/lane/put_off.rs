//! Direct address that a turn was shown and did not get to answer, because somebody spoke into it: it is unseen again, and
//! the next turn answers it.

use super::Lane;
use super::unseen::Unseen;
use crate::core::chat::{MessageId, UserId};

/// What the running turn was shown.
#[derive(Debug, Default)]
pub(super) struct BeingAnswered(Vec<Unseen>);

impl BeingAnswered {
    /// A turn is shown these.
    pub fn extend(&mut self, shown: impl Iterator<Item = Unseen>) {
        self.0.extend(shown.filter(Unseen::addressed));
    }

    /// A message is gone, or a person.
    pub fn forget(&mut self, is_gone: impl Fn(MessageId, UserId) -> bool) {
        self.0.retain(|unseen| !is_gone(unseen.id, unseen.author.id));
    }
}

impl Lane {
    /// Whether the running turn answers somebody whom an earlier one put off.
    pub fn answers_put_off(&self) -> bool {
        self.being_answered.0.iter().any(|unseen| unseen.put_off)
    }

    /// The turn is over; these are unseen again.
    pub(super) fn put_off(&mut self, ids: &[MessageId]) {
        let shown = std::mem::take(&mut self.being_answered.0);
        let open = shown.into_iter().filter(|unseen| ids.contains(&unseen.id));
        self.unseen.extend(open.map(|mut unseen| {
            unseen.put_off = true;
            unseen
        }));
        self.unseen.make_contiguous().sort_by_key(|unseen| unseen.arrival);
    }
}
