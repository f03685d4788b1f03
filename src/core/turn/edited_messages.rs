//! A message the turn answers is changed or taken back while it thinks: what was asked before is not answered.

use super::machine::Turn;
use super::turn_context::TurnContext;
use crate::chat::MessageId;
use crate::effect::Effect;
use crate::quotes::ErasedMessage;

impl Turn {
    /// What a message said is gone, wherever it was said. That alone is no reason to start over: where people correct
    /// themselves all day no turn would come to its end. What the turn will show of itself just repeats nothing of it.
    pub fn record_erasure(&mut self, gone: &ErasedMessage) {
        self.record.record_erasure(gone);
    }

    /// A message is gone and owed no answer: the turn starts over without it, or ends where nothing is left to answer.
    pub fn handle_deleted_message(
        &mut self,
        id: MessageId,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        if self.phase.is_done() || !self.record.obligations.is_about(id) {
            return;
        }
        let obligations = &mut self.record.obligations;
        obligations.remove_message(id, context.timeline);
        let trigger = obligations.trigger();
        let is_pointless = trigger.addressed.is_empty() && trigger.own.is_none();
        if self.has_acted() || self.is_delivering() {
            return;
        }
        if is_pointless {
            self.stop("the message it was about was deleted", effects);
        } else if let Some(kind) = self.restartable_kind() {
            let why = "started over because a message it answers was deleted";
            self.start_over(why, kind, context.now, effects);
        }
    }

    /// A message says something else now: before anything was done the turn starts over with the new words, once.
    pub fn handle_edited_message(
        &mut self,
        id: MessageId,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(kind) = self.restartable_kind() else {
            return;
        };
        let is_answered = self.has_acted() || !self.record.obligations.is_about(id);
        if is_answered || !self.record.retries.edited_message.is_left() {
            return;
        }
        self.record.retries.edited_message.spend();
        let why = "started over because a message it answers was edited";
        self.start_over(why, kind, context.now, effects);
    }
}
