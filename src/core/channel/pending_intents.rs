//! What a channel waits for, besides what is saved.

use super::pending_message::RefusalExpiry;
use crate::chat::{IntentionId, Millis};
use crate::intent::ScheduledIntent;
use crate::report::Refusal;

#[derive(Clone, Copy, Debug)]
pub(super) struct ScheduledOpening {
    /// When its part of the day begins.
    pub begins: Millis,
    pub at: Millis,
}

/// What a channel waits for, besides what is saved.
#[derive(Debug, Default)]
pub(super) struct PendingIntents {
    /// Without their notes.
    pub intentions: Vec<ScheduledIntent>,
    /// What forbids to wake for one that is due, and when that is looked at again: of what it set itself, of what it owes.
    pub held: [Option<(Refusal, RefusalExpiry)>; 2],
    /// The one the running turn woke for, kept until the turn has done something or is over.
    pub woken: Option<IntentionId>,
    pub opening: Option<ScheduledOpening>,
}

impl PendingIntents {
    pub fn find_held_refusal(
        &self,
        intention: &ScheduledIntent,
    ) -> Option<(Refusal, RefusalExpiry)> {
        self.held[usize::from(intention.is_owed())]
    }
}
