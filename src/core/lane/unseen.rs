//! Messages no turn or beat has looked at yet, and what forbids speech at them (Law 1).

use crate::core::chat::{Author, AuthorKind, ChannelKind, Message, MessageId, Millis};
use crate::core::event::BudgetState;
use crate::core::policy::{ADDRESS_FRESH, DIRECT_FRESH, Mode, Policy};
use crate::core::report::Refusal;
use crate::core::willingness::Score;

/// A message no turn or beat has looked at yet.
#[derive(Clone, Debug)]
pub(super) struct Unseen {
    pub id: MessageId,
    pub arrival: u64,
    pub at: Millis,
    pub author: Author,
    pub score: Score,
    fresh: Millis,
}

impl Unseen {
    pub fn new(message: &Message, score: Score, channel: ChannelKind) -> Self {
        let fresh = if channel == ChannelKind::Direct { DIRECT_FRESH } else { ADDRESS_FRESH };
        let Message { id, arrival, at, author, .. } = message;
        Self { id: *id, arrival: *arrival, at: *at, author: author.clone(), score, fresh }
    }

    /// What about the message itself forbids to answer it, whatever the channel's settings.
    pub fn refusal(&self, now: Millis) -> Option<Refusal> {
        if self.author.kind != AuthorKind::Person {
            Some(Refusal::NotAPerson)
        } else if self.addressed() && now - self.at > self.fresh {
            Some(Refusal::Stale)
        } else {
            None
        }
    }

    /// Whether it is direct address, whoever wrote it and however long ago.
    pub fn addressed(&self) -> bool {
        self.score.address.is_some()
    }

    /// Whether it is direct address that must be answered unless the channel's settings forbid it.
    pub fn obliges(&self, now: Millis) -> bool {
        self.addressed() && self.refusal(now).is_none()
    }
}

/// What forbids the companion to speak in a channel right now, to who addressed it or at all.
pub(super) fn standing_refusal(policy: &Policy, addressed: bool, now: Millis, budget: BudgetState) -> Option<Refusal> {
    match policy.mode {
        Mode::Off => return Some(Refusal::Off),
        Mode::Observe => return Some(Refusal::Observe),
        Mode::On => {}
    }
    let spent = match budget {
        BudgetState::Open => false,
        BudgetState::Soft => !addressed,
        BudgetState::Hard => true,
    };
    if policy.persona.schedule.as_ref().is_some_and(|schedule| schedule.asleep(now)) {
        Some(Refusal::Asleep)
    } else if spent {
        Some(Refusal::Budget)
    } else {
        None
    }
}
