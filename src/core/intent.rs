//! What the companion means to come back to: the things it waits for, as plain data, and when one of them has come.

use serde::{Deserialize, Serialize};

use super::chat::{AuthorKind, DAY, HOUR, IntentionId, Message, MessageId, Millis, UserId};
use super::phrase::has_phrase;
pub use super::report::IntentTrigger;
use super::report::Refusal;

/// The most intentions of one channel at the same time.
pub const MOST_PENDING: usize = 3;
/// The longest note, in characters.
pub const NOTE_CHARACTERS: usize = 300;
/// The longest word or phrase that can be waited for, in characters.
pub const WORD_CHARACTERS: usize = 40;
/// After so many hours an intention lapses where the model does not say.
pub const DEFAULT_HOURS: u32 = 24;
pub const MOST_HOURS: u32 = 168;
/// The most reminders of one channel at the same time.
pub const MOST_REMINDERS: usize = 10;
/// The most of them that one person has asked for.
pub const MOST_REMINDERS_OF_ONE: usize = 3;
/// A reminder that may not be given in its time is kept so long.
pub const REMINDER_KEPT: Millis = DAY;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reminder {
    /// Who is reminded; everybody if none.
    pub whom: Option<UserId>,
    /// Who asked for it by speaking to the companion: it is given in quiet hours, too, and counts as no wake of its own.
    pub asked_by: Option<UserId>,
}

/// Something the companion waits for in a channel; whichever of the things comes first wakes it, once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledIntent {
    pub id: IntentionId,
    pub made: Millis,
    /// The arrival number of the newest message the model had seen then: what came later counts.
    pub after: u64,
    pub expires: Millis,
    /// Until this person writes.
    pub person: Option<UserId>,
    /// What they, or who is to be reminded, were called then; empty where it is nobody.
    pub name: String,
    /// Until somebody writes this word or phrase.
    pub word: Option<String>,
    /// Until this moment, at the latest.
    pub time: Option<Millis>,
    /// What for, in the model's own words. The core keeps none: it asks the driver for it when it wakes.
    pub note: String,
    /// What has come, while it may not wake for it yet.
    pub came: Option<FiredIntent>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reminder: Option<Reminder>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FiredIntent {
    pub cause: IntentTrigger,
    pub message: Option<MessageId>,
    pub at: Millis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntentEnd {
    /// It woke the companion, or was shown in a turn that somebody else woke.
    Woke,
    /// Its time was over before anything came.
    Expired,
    /// Something came, but until its time was over it might not wake for it.
    Kept(Refusal),
    /// Coming back to it ended the process, as often as it is tried.
    GivenUp,
    Dropped,
    /// What it was made from is not to be shown any more: a person was forgotten, or the context started afresh.
    Forgotten,
}

impl ScheduledIntent {
    /// Whether somebody asked for it: it is owed to them.
    pub fn is_owed(&self) -> bool {
        self.reminder
            .is_some_and(|reminder| reminder.asked_by.is_some())
    }

    /// Hears a message; answers whether it is what was waited for.
    pub fn match_message(&mut self, message: &Message) -> bool {
        if self.came.is_some() || message.arrival <= self.after || message.at > self.expires {
            return false;
        }
        let is_word = || {
            let word = self
                .word
                .as_deref()
                .filter(|_| message.author.kind == AuthorKind::Person);
            word.is_some_and(|word| has_phrase(word, &message.text))
        };
        let cause = if self.person == Some(message.author.id) {
            IntentTrigger::Person
        } else if is_word() {
            IntentTrigger::Word
        } else {
            return false;
        };
        self.came = Some(FiredIntent {
            cause,
            message: Some(message.id),
            at: message.at,
        });
        true
    }

    /// What has come, or what comes next by the clock.
    pub fn find_next_trigger(&self) -> Option<FiredIntent> {
        let by_clock = |at| FiredIntent {
            cause: IntentTrigger::Time,
            message: None,
            at,
        };
        let next = self.came.or(self.time.map(by_clock));
        next.filter(|came| came.at <= self.expires)
    }

    pub fn is_like(&self, other: &Self) -> bool {
        (self.person, &self.word, self.time) == (other.person, &other.word, other.time)
    }
}

pub fn compute_expiry(now: Millis, hours: u32) -> Millis {
    now + Millis::from(hours) * HOUR
}
