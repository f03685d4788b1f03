//! How often it was begun to answer a message and the process died of it, as far as that can be told: counted when a turn
//! starts, which is on disk before a model is asked, and settled by whatever other end the turn has. So an answer that
//! ends the process, by a tool or by a fault of ours, is tried twice and not at every start for ever. The same holds for
//! what it waited for, reminders among it.

use kith_language::failures;
use serde::{Deserialize, Serialize};

use super::ChannelState;
use super::pending::PendingMessage;
use crate::chat::{IntentionId, MessageId, Millis, UserId};
use crate::context::ContextNote;
use crate::effect::Effect;
use crate::intent::{IntentEnd, ScheduledIntent};
use crate::persona::Language;
use crate::policy::ChannelMode;
use crate::report::{SelfTrigger, TurnTrigger};
use crate::timeline::{Timeline, TimelineMessage};

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
    /// Whether there is nothing to save.
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

    /// Whether what was waited for is given up.
    pub fn is_intention_given_up(&self, id: IntentionId) -> bool {
        self.intentions
            .iter()
            .any(|(other, begun)| *other == id && *begun >= MOST)
    }

    /// Forgets a person.
    pub(super) fn forget_person(&mut self, user: UserId) {
        self.messages.retain(|attempt| attempt.author != user);
    }

    /// Forgets a message.
    pub(super) fn forget_message(&mut self, id: MessageId) {
        self.messages.retain(|attempt| attempt.message != id);
    }

    /// Everything up to this arrival number has been looked at: nothing of it is tried again.
    pub(super) fn drop_seen(&mut self, cursor: u64) {
        self.messages.retain(|attempt| attempt.arrival > cursor);
    }

    /// A turn begins.
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

    fn is_given_up(&self, id: MessageId) -> bool {
        self.messages
            .iter()
            .any(|attempt| attempt.message == id && attempt.begun >= MOST)
    }

    /// Answers whether it is to be told, which is once.
    fn mark_reported(&mut self, id: MessageId) -> bool {
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

/// What the model is told of something it waited for that was given up. What it was about only the store holds.
fn build_given_up_note(intention: &ScheduledIntent, language: Language) -> ContextNote {
    let whom = intention.reminder.and_then(|reminder| reminder.whom);
    let name = ContextNote::NAME;
    match (intention.reminder, whom) {
        (Some(_), Some(user)) => {
            let told = failures::reminder_given_up(name);
            ContextNote::with_user(user, &intention.name, told.in_language(language))
        }
        (Some(_), None) => failures::reminder_for_all_given_up()
            .in_language(language)
            .into(),
        (None, _) => failures::wait_given_up().in_language(language).into(),
    }
}

impl ChannelState {
    /// Takes a message that comes back from the store out of what is to be answered, where answering it ended the process
    /// as often as it is tried. Who spoke to it is told, and so is the model. Answers whether it was taken out.
    pub(super) fn give_up_message(
        &mut self,
        unseen: &PendingMessage,
        now: Millis,
        effects: &mut Vec<Effect>,
    ) -> bool {
        if !self.state.attempts.is_given_up(unseen.id) {
            return false;
        }
        if self.state.attempts.mark_reported(unseen.id) {
            if let Some(said) = self.timeline.find(unseen.id) {
                let line = said.short_id;
                let told = failures::answer_given_up(line);
                self.late_notes
                    .push(told.in_language(self.policy.persona.language).into());
            }
            if self.policy.mode == ChannelMode::On && self.is_obliging(unseen, now) {
                let emoji = self.policy.small_reactions.failure.clone();
                self.send_small_reaction(unseen.id, unseen.author.id, emoji, now, effects);
            }
        }
        true
    }

    /// Lets go of what it waited for where coming back to it ended the process as often as it is tried. Who asked for a
    /// reminder is told, at the line they asked with, and so is the model.
    pub(super) fn give_up_intentions(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        let (given_up, open): (Vec<ScheduledIntent>, Vec<ScheduledIntent>) =
            std::mem::take(&mut self.pending.intentions)
                .into_iter()
                .partition(|intention| self.state.attempts.is_intention_given_up(intention.id));
        self.pending.intentions = open;
        for intention in given_up {
            effects.push(Effect::EndIntent {
                channel: self.channel.id,
                id: intention.id,
                end: IntentEnd::GivenUp,
            });
            self.late_notes.push(build_given_up_note(
                &intention,
                self.policy.persona.language,
            ));
            let asked_by = intention.reminder.and_then(|reminder| reminder.asked_by);
            let is_theirs = |said: &&TimelineMessage| {
                Some(said.message.author.id) == asked_by && said.message.arrival <= intention.after
            };
            let asked = self
                .timeline
                .messages()
                .rev()
                .find(is_theirs)
                .map(|said| (said.message.id, said.message.author.id));
            if let Some((id, author)) = asked.filter(|_| self.policy.mode == ChannelMode::On) {
                let emoji = self.policy.small_reactions.failure.clone();
                self.send_small_reaction(id, author, emoji, now, effects);
            }
        }
    }

    /// The process is told to end: what it was about to answer counts as not begun.
    pub fn cancel_attempts(&mut self) {
        if let Some(turn) = &self.turn {
            self.state.attempts.cancel_turn_start(turn.wake());
        }
    }
}
