//! How often a channel's companion woke by itself, and whether anybody has answered what it said first.

use serde::{Deserialize, Serialize};

use crate::chat::{DAY, MINUTE, MessageId, Millis};

/// No turn lasts so long: what a person wrote later came after what it said first.
const TURN_LASTS: Millis = 10 * MINUTE;
/// How often it woke by itself. Numbers only; saved with the channel's state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InitiativeCounts {
    /// The day the counts are of, in days since 1970, UTC, as budgets count them.
    day: Millis,
    /// Turns of that day that its intentions woke.
    pub(super) wakes: u32,
    /// Turns of that day in which it could speak first.
    pub(super) openings: u32,
    /// It spoke first, and no person has written since.
    pub(super) unanswered: bool,
    #[serde(default)]
    began: Millis,
    /// The message it spoke first with, as soon as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_words: Option<MessageId>,
    /// The newest message of a person since: an answer can come in before what it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heard: Option<MessageId>,
    /// The message after which a lull was looked at: each is looked at once.
    pub(super) lull: Option<MessageId>,
    /// The beginning of the part of the day whose opening was looked at last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) opened: Option<Millis>,
}

impl InitiativeCounts {
    pub(super) fn roll_over_day(&mut self, now: Millis) -> &mut Self {
        if self.day != now.div_euclid(DAY) {
            (self.day, self.wakes, self.openings) = (now.div_euclid(DAY), 0, 0);
        }
        self
    }

    pub(super) fn record_opening(&mut self, now: Millis) {
        self.roll_over_day(now).openings += 1;
        (self.unanswered, self.began, self.first_words, self.heard) = (true, now, None, None);
    }

    /// It said something, at `at`: if it has just spoken first, then with that.
    pub(super) fn record_own_message(&mut self, id: MessageId, at: Millis) {
        if self.unanswered && at >= self.began {
            self.first_words.get_or_insert(id);
            self.update_unanswered();
        }
    }

    /// A person wrote. What is older than what it said first is no answer, however late it comes in.
    pub(super) fn record_person_message(&mut self, id: MessageId, at: Millis) {
        if self.unanswered {
            self.heard = self.heard.max(Some(id));
            self.update_unanswered();
            self.unanswered &= self.first_words.is_some() || at <= self.began + TURN_LASTS;
        }
    }

    fn update_unanswered(&mut self) {
        self.unanswered &= self.first_words.is_none() || self.heard < self.first_words;
    }

    /// It left unsaid what it could have said first.
    pub(super) fn clear_unanswered(&mut self) {
        self.unanswered = false;
    }
}
