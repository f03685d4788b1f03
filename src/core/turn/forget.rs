//! A person of a running turn wants to be forgotten.

use super::machine::Turn;
use super::model_question::RoundKind;
use super::turn_context::TurnContext;
use crate::chat::{MessageId, UserId};
use crate::effect::Effect;

impl Turn {
    /// A person wants to be forgotten, and `gone` were their messages. Not a word of what was thought so far stays, for it
    /// may be about them; who else is owed an answer gets it from a prompt without them.
    pub fn forget(
        &mut self,
        user: UserId,
        gone: &[MessageId],
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        if self.phase.is_done() {
            return;
        }
        let obligations = &mut self.record.obligations;
        obligations.forget_person(user, gone);
        let is_pointless = !obligations.is_owed() && obligations.trigger().message.is_none();
        let reason = "somebody in it wanted to be forgotten";
        if self.has_acted() || self.is_delivering() || is_pointless {
            self.stop(reason, effects);
        } else {
            self.start_over(reason, RoundKind::Normal, context.now, effects);
        }
        let record = &mut self.record;
        let language = record.language();
        let tools = &record.identity.policy.tools;
        record.memory.forget_details(tools, language);
        record.speech.forget();
        record.history.forget(reason);
    }
}
