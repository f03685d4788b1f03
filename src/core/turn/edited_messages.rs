//! A message the turn answers is changed or taken back while it thinks: what was asked before is not answered.

use super::{Turn, TurnContext};
use crate::chat::MessageId;
use crate::effect::Effect;

impl Turn {
    /// A message is gone. Nobody is owed an answer to it; where nothing else is left to answer the turn ends, else it
    /// starts over without it.
    pub fn handle_deleted_message(
        &mut self,
        id: MessageId,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        if self.outcome.is_some() || !self.is_about(id) {
            return;
        }
        self.unanswered.retain(|owed| *owed != id);
        self.wake.addressed.retain(|addressed| *addressed != id);
        if self.wake.message == Some(id) {
            self.wake.message = self.wake.addressed.last().copied();
            let said = self
                .wake
                .message
                .and_then(|left| context.timeline.find(left));
            self.wake.author = said.map(|said| said.message.author.id);
        }
        if self.acted || self.is_delivering() {
            return;
        }
        if self.wake.addressed.is_empty() && self.wake.own.is_none() {
            self.stop("the message it was about was deleted", effects);
        } else if self.rendered && !self.is_uninterruptible() {
            self.start_over(
                "started over because a message it answers was deleted",
                self.kind,
                context.now,
                effects,
            );
        }
    }

    /// A message says something else now: before anything was done the turn starts over with the new words, once.
    pub fn handle_edited_message(
        &mut self,
        id: MessageId,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let is_answered = self.acted || !self.is_about(id);
        if self.outcome.is_some()
            || is_answered
            || !self.rendered
            || self.restarted_for_edit
            || self.is_uninterruptible()
        {
            return;
        }
        self.restarted_for_edit = true;
        self.start_over(
            "started over because a message it answers was edited",
            self.kind,
            context.now,
            effects,
        );
    }

    /// Whether a message woke it or is answered by it.
    fn is_about(&self, id: MessageId) -> bool {
        self.wake.message == Some(id) || self.wake.addressed.contains(&id)
    }
}
