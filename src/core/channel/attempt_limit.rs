//! What was begun to be answered too often (`attempt_counts.rs` says how often), with the process ending each time, is
//! given up: who asked is told, and so is the model.

use super::channel_state::ChannelState;
use super::pending_message::PendingMessage;
use crate::chat::Millis;
use crate::context::ContextNote;
use crate::effect::Effect;
use crate::intent::{IntentEnd, ScheduledIntent};
use crate::persona::Language;
use crate::policy::ChannelMode;
use crate::timeline::TimelineMessage;
use kith_language::failures;

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

    /// Gives up what it waited for where coming back to it ended the process too often; who asked and the model are told.
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
