//! How often it was begun to answer a message and the process died of it, as far as that can be told: counted when a turn
//! starts, which is on disk before a model is asked, and settled by whatever other end the turn has. So an answer that
//! ends the process, by a tool or by a fault of ours, is tried twice and not at every start for ever.

use serde::{Deserialize, Serialize};

use super::Lane;
use super::unseen::Unseen;
use crate::core::bilingual::bilingual;
use crate::core::chat::{MessageId, Millis, UserId};
use crate::core::effect::Effect;
use crate::core::policy::Mode;
use crate::core::report::Wake;
use crate::core::timeline::Timeline;

/// After so many attempts that had no end a message is given up.
const MOST: u8 = 2;

/// The messages an answer to was begun and not ended. Ids and numbers, saved with the lane.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Attempts(Vec<Attempt>);

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

impl Attempts {
    /// Whether there is nothing to save.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The messages that are given up now, among those after this arrival number: nobody was told yet.
    pub fn given_up_after(&self, seen: u64) -> impl Iterator<Item = MessageId> {
        let given_up = self.0.iter().filter(move |attempt| attempt.arrival > seen && attempt.begun >= MOST);
        given_up.filter(|attempt| !attempt.told).map(|attempt| attempt.message)
    }

    /// Forgets a person.
    pub(super) fn forget(&mut self, user: UserId) {
        self.0.retain(|attempt| attempt.author != user);
    }

    /// Forgets a message.
    pub(super) fn forget_message(&mut self, id: MessageId) {
        self.0.retain(|attempt| attempt.message != id);
    }

    /// Everything up to this arrival number has been looked at: nothing of it is tried again.
    pub(super) fn saw(&mut self, cursor: u64) {
        self.0.retain(|attempt| attempt.arrival > cursor);
    }

    /// A turn begins.
    pub(super) fn begin(&mut self, wake: &Wake, timeline: &Timeline) {
        for id in messages(wake) {
            match self.0.iter_mut().find(|attempt| attempt.message == id) {
                Some(attempt) => attempt.begun = attempt.begun.saturating_add(1),
                None => {
                    let Some(said) = timeline.find(id) else { continue };
                    let (author, arrival) = (said.message.author.id, said.message.arrival);
                    self.0.push(Attempt { message: id, author, arrival, begun: 1, told: false });
                }
            }
        }
    }

    /// A turn ended, however: none is in the middle of anything any more.
    pub(super) fn end(&mut self) {
        self.0.retain(|attempt| attempt.told);
    }

    /// The process is told to end while a turn runs, which is none of the turn's doing.
    pub(super) fn call_off(&mut self, wake: &Wake) {
        let meant: Vec<MessageId> = messages(wake).collect();
        for attempt in self.0.iter_mut().filter(|attempt| meant.contains(&attempt.message)) {
            attempt.begun = attempt.begun.saturating_sub(1);
        }
        self.0.retain(|attempt| attempt.begun > 0);
    }

    fn is_given_up(&self, id: MessageId) -> bool {
        self.0.iter().any(|attempt| attempt.message == id && attempt.begun >= MOST)
    }

    /// Answers whether it is to be told, which is once.
    fn tell(&mut self, id: MessageId) -> bool {
        let untold = self.0.iter_mut().find(|attempt| attempt.message == id && !attempt.told);
        untold.map(|attempt| attempt.told = true).is_some()
    }
}

/// What a turn that woke like this answers, each once.
fn messages(wake: &Wake) -> impl Iterator<Item = MessageId> {
    let other = wake.message.filter(|id| !wake.addressed.contains(id));
    wake.addressed.iter().copied().chain(other)
}

impl Lane {
    /// Takes a message that comes back from the store out of what is to be answered, where answering it ended the process
    /// as often as it is tried. Who spoke to it is told, and so is the model. Answers whether it was taken out.
    pub(super) fn gives_up(&mut self, unseen: &Unseen, now: Millis, effects: &mut Vec<Effect>) -> bool {
        if !self.state.attempts.is_given_up(unseen.id) {
            return false;
        }
        if self.state.attempts.tell(unseen.id) {
            if let Some(said) = self.timeline.find(unseen.id) {
                let line = said.short;
                let told = bilingual!(
                    "twice the program ended while you were answering {line}; it was given up",
                    "你回答 {line} 时程序两次中断，已经放弃"
                );
                self.late.push(told.read_in(self.policy.persona.language).into());
            }
            if self.policy.mode == Mode::On && self.obliges(unseen, now) {
                let emoji = self.policy.small_reactions.failure.clone();
                self.small_reaction(unseen.id, unseen.author.id, emoji, now, effects);
            }
        }
        true
    }

    /// The process is told to end: what it was about to answer counts as not begun.
    pub fn call_off(&mut self) {
        if let Some(turn) = &self.turn {
            self.state.attempts.call_off(turn.wake());
        }
    }
}
