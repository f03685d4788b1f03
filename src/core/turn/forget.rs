//! A person of a running turn wants to be forgotten.

use serde_json::Map;

use super::failure_texts::FailureTexts;
use super::{RoundKind, Turn, TurnContext};
use crate::call::{ToolCall, ToolResult};
use crate::chat::{MessageId, UserId};
use crate::context::WorkingItem;
use crate::effect::Effect;
use crate::report::RoundReport;

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
        if self.outcome.is_some() {
            return;
        }
        if self.wake.author == Some(user) {
            (self.wake.author, self.wake.message) = (None, None);
        }
        self.wake.addressed.retain(|id| !gone.contains(id));
        self.unanswered.retain(|id| !gone.contains(id));
        let reason = "somebody in it wanted to be forgotten";
        if self.acted
            || self.is_delivering()
            || (self.unanswered.is_empty() && self.wake.message.is_none())
        {
            self.stop(reason, effects);
        } else {
            self.start_over(reason, RoundKind::Normal, context.now, effects);
        }
        self.forget_call_details();
        self.unsent.clear();
        self.next_prompt_notes.clear();
        self.notes = vec![reason.to_owned()];
        self.rounds.iter_mut().for_each(RoundReport::forget);
    }

    /// Of what was done the names of those tools stay that must not run again.
    fn forget_call_details(&mut self) {
        let tools = self.policy.tools.clone();
        let texts = FailureTexts::from_language(self.policy.persona.language);
        self.working.retain_mut(|item| {
            let WorkingItem::Called { call, result } = item else {
                return false;
            };
            let repeats = |name: &str| {
                tools
                    .iter()
                    .any(|tool| tool.name == name && tool.annotations.may_be_repeated())
            };
            let name = std::mem::take(&mut call.name);
            let stays = !repeats(&name) && (!result.is_error || result.content == texts.stopped);
            (*call, *result) = (
                ToolCall {
                    name,
                    params: Map::new(),
                },
                ToolResult::ok(texts.done),
            );
            stays
        });
    }
}
