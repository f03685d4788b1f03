//! How often it was begun to answer a message and the process died of it, as far as that can be told: counted when a turn
//! starts, which is on disk before a model is asked, and settled by whatever other end the turn has. So an answer that
//! ends the process, by a tool or by a fault of ours, is tried twice and not at every start for ever. The same holds for
//! what it waited for, reminders among it.

use serde::{Deserialize, Serialize};

use crate::chat::{IntentionId, MessageId, UserId};
use crate::report::{SelfTrigger, TurnTrigger};
use crate::timeline::Timeline;

/// After so many attempts that had no end a message or what was waited for is given up.
const MOST: u8 = 2;

/// What a turn was begun for and not ended. Ids and numbers, saved with the channel's state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AnswerAttempts {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<Attempt>,
    /// What it waited for, and how often that was begun.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    intentions: Vec<(IntentionId, u8)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Attempt {
    message: MessageId,
    author: UserId,
    arrival: u64,
    begun: u8,
    /// It is given up, and that was told.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    told: bool,
}

impl AnswerAttempts {
    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty() && self.intentions.is_empty()
    }

    /// The messages that are given up, and their arrival numbers: nobody was told yet.
    pub(super) fn given_up_messages(&self) -> impl Iterator<Item = (MessageId, u64)> {
        let given_up = self
            .messages
            .iter()
            .filter(|attempt| attempt.begun >= MOST && !attempt.told);
        given_up.map(|attempt| (attempt.message, attempt.arrival))
    }

    pub fn is_intention_given_up(&self, id: IntentionId) -> bool {
        self.intentions
            .iter()
            .any(|(other, begun)| *other == id && *begun >= MOST)
    }

    pub(super) fn forget_person(&mut self, user: UserId) {
        self.messages.retain(|attempt| attempt.author != user);
    }

    pub(super) fn forget_message(&mut self, id: MessageId) {
        self.messages.retain(|attempt| attempt.message != id);
    }

    /// Everything up to this arrival number has been looked at: nothing of it is tried again.
    pub(super) fn drop_seen(&mut self, cursor: u64) {
        self.messages.retain(|attempt| attempt.arrival > cursor);
    }

    pub(super) fn record_turn_start(&mut self, wake: &TurnTrigger, timeline: &Timeline) {
        for id in find_trigger_messages(wake) {
            match self
                .messages
                .iter_mut()
                .find(|attempt| attempt.message == id)
            {
                Some(attempt) => attempt.begun = attempt.begun.saturating_add(1),
                None => {
                    let Some(said) = timeline.find(id) else {
                        continue;
                    };
                    let (author, arrival) = (said.message.author.id, said.message.arrival);
                    self.messages.push(Attempt {
                        message: id,
                        author,
                        arrival,
                        begun: 1,
                        told: false,
                    });
                }
            }
        }
        if let Some(SelfTrigger::Waited { id, .. }) = wake.own {
            match self.intentions.iter_mut().find(|(other, _)| *other == id) {
                Some((_, begun)) => *begun = begun.saturating_add(1),
                None => self.intentions.push((id, 1)),
            }
        }
    }

    /// A turn ended, however: none is in the middle of anything any more.
    pub(super) fn record_turn_end(&mut self) {
        self.messages.retain(|attempt| attempt.told);
        self.intentions.clear();
    }

    /// The process is told to end while a turn runs, which is none of the turn's doing.
    pub(super) fn cancel_turn_start(&mut self, wake: &TurnTrigger) {
        let meant: Vec<MessageId> = find_trigger_messages(wake).collect();
        for attempt in self
            .messages
            .iter_mut()
            .filter(|attempt| meant.contains(&attempt.message))
        {
            attempt.begun = attempt.begun.saturating_sub(1);
        }
        self.messages.retain(|attempt| attempt.begun > 0);
        if let Some(SelfTrigger::Waited { id, .. }) = wake.own {
            for (_, begun) in self.intentions.iter_mut().filter(|(other, _)| *other == id) {
                *begun = begun.saturating_sub(1);
            }
            self.intentions.retain(|(_, begun)| *begun > 0);
        }
    }

    pub(super) fn is_given_up(&self, id: MessageId) -> bool {
        self.messages
            .iter()
            .any(|attempt| attempt.message == id && attempt.begun >= MOST)
    }

    /// Answers whether it is to be told, which is once.
    pub(super) fn mark_reported(&mut self, id: MessageId) -> bool {
        let untold = self
            .messages
            .iter_mut()
            .find(|attempt| attempt.message == id && !attempt.told);
        untold.map(|attempt| attempt.told = true).is_some()
    }
}

/// What a turn that woke like this answers, each once.
fn find_trigger_messages(wake: &TurnTrigger) -> impl Iterator<Item = MessageId> {
    let other = wake.message.filter(|id| !wake.addressed.contains(id));
    wake.addressed.iter().copied().chain(other)
}
