//! What a channel already holds changes: messages are edited, deleted or missing, a person is forgotten, the context
//! starts anew, the stored tail is back.

use std::sync::Arc;

use super::channel_state::ChannelState;
use super::liveliness::ChannelLiveliness;
use crate::burst_window::BurstWindow;
use crate::chat::{AuthorKind, Message, MessageId, Millis, UserId};
use crate::effect::Effect;
use crate::policy::ChannelMode;
use crate::quotes::{ErasedMessage, QuoteRedactor};
use kith_language::failures;

impl ChannelState {
    /// Shows a message from before it listened; on it nothing is decided.
    pub fn add_earlier_message(&mut self, message: Message) {
        if self.policy.mode != ChannelMode::Off {
            self.timeline.say(message);
        }
    }

    /// An edit obliges to nothing. Answers whether the words changed: platforms also tell of a link's new preview.
    pub fn apply_edit(&mut self, id: MessageId, text: Arc<str>) -> bool {
        let is_new = self
            .timeline
            .find(id)
            .is_some_and(|said| said.message.text != text);
        if self.timeline.edit(id, text) {
            self.drop_questions(|message, _| message != id);
            self.state.sense.forget_message(id);
            self.changed = true;
        }
        is_new
    }

    /// One message was deleted, alone. If it is its own, somebody who looks after the channel did not want it there;
    /// many at once tell nothing about a single one.
    pub fn record_lone_deletion(&mut self, id: MessageId, now: Millis) {
        let author = self.timeline.find(id).map(|said| &said.message.author);
        if author
            .is_some_and(|by| by.kind == AuthorKind::Companion || by.id == self.address_matcher.me)
        {
            self.state.sense.welcome.record_deletion(now);
        }
    }

    /// A message was taken back: it obliges to nothing any more.
    pub fn apply_deletion(&mut self, id: MessageId) {
        self.timeline.delete(id);
        self.state.sense.forget_message(id);
        self.state.attempts.forget_message(id);
        self.changed = true;
        self.drop_questions(|message, _| message != id);
        self.unseen.retain(|unseen| unseen.id != id);
        self.being_answered
            .forget_matching(|message, _| message == id);
        self.withdraw_message(id);
    }

    pub fn mark_gap(&mut self, before: MessageId) {
        self.timeline.mark_gap(before);
        self.state.gaps = self.timeline.gaps().collect();
        self.changed = true;
    }

    /// The stored tail was heard again: puts back what hangs on its lines, and lets go of what ends the process.
    pub fn finish_restore(&mut self, now: Millis, effects: &mut Vec<Effect>) {
        self.give_up_intentions(now, effects);
        self.put_gaps_back();
        self.plan_opening(now);
        let failed = self.state.failed_tools.join(", ");
        if !failed.is_empty() {
            let note = failures::actions_failed_before(failed);
            let language = self.policy.persona.language;
            self.late_notes.push(note.in_language(language).into());
        }
    }

    fn put_gaps_back(&mut self) {
        for before in std::mem::take(&mut self.state.gaps) {
            self.timeline.mark_gap(before);
        }
        self.state.gaps = self.timeline.gaps().collect();
    }

    /// The context starts after a message: nothing up to it is shown to a model, and nothing of it is answered, any more.
    pub fn begin_context_after(&mut self, id: MessageId) {
        self.timeline.begin_after(id);
        self.state.begins_after = self.state.begins_after.max(Some(id));
        self.drop_questions(|message, _| message > id);
        self.liveliness = ChannelLiveliness::default();
        self.state.gaps = self.timeline.gaps().collect();
        self.unsent.clear();
        self.late_notes.clear();
        self.state.failed_tools.clear();
        self.changed = true;
    }

    /// A message is gone: the running turn shows nothing of it.
    pub fn record_erasure(&mut self, gone: &ErasedMessage) {
        if let Some(turn) = &mut self.turn {
            turn.record_erasure(gone);
        }
    }

    /// Whether something waits for the next prompt that may repeat what somebody said.
    pub fn has_leftovers(&self) -> bool {
        !self.unsent.is_empty() || !self.late_notes.is_empty()
    }

    /// Nothing that waits for the next prompt repeats a message that is gone. A line that it was kept from saying goes whole.
    pub fn remove_quotes(&mut self, quotes: &QuoteRedactor) {
        self.unsent.retain(|line| quotes.redact(line).is_none());
        self.late_notes
            .iter_mut()
            .for_each(|note| note.remove_quotes(quotes));
    }

    /// Answers with their messages in view. What the companion meant to say next goes too: it may be about them.
    pub fn forget_person(&mut self, user: UserId) -> Vec<MessageId> {
        let gone = self.timeline.forget(user);
        let before = self.state.clone();
        self.state.forget_person(user);
        self.window.forget(user);
        self.liveliness.forget_person(user);
        self.unseen.retain(|unseen| unseen.author.id != user);
        self.being_answered
            .forget_matching(|_, author| author == user);
        self.small_reactions.retain(|(whom, _), _| *whom != user);
        self.latest_score = self
            .latest_score
            .take()
            .filter(|score| score.author != user);
        self.unsent.clear();
        self.late_notes.clear();
        if self.burst.is_some_and(|burst| burst.speaker() == user) {
            let now = self.burst.map_or(0, |burst| burst.last_message_at());
            self.burst = self
                .unseen
                .back()
                .map(|last| BurstWindow::new(last.author.id, now, false));
        }
        // Of thousands of channels they were in few.
        self.changed |= self.state != before;
        gone
    }
}
