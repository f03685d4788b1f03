//! What the end of a round means (Laws 1, 4, 7): another round, a repair, the wrap-up, or the end of the turn.

use serde_json::{Map, Value};

use super::guards::{GuardedText, HoldReason};
use super::steps::TurnStep;
use super::{RoundKind, Turn, TurnContext};
use crate::call::{ToolCall, ToolKind};
use crate::context::WorkingItem;
use crate::effect::Effect;
use crate::message_split::{MESSAGE_CHARACTERS, trim_to_sentence};
use crate::policy::OutputProtocol;
use crate::report::{CallReport, RoundReport, TurnOutcome};

impl Turn {
    pub(super) fn conclude_round(&mut self, context: &TurnContext<'_>, effects: &mut Vec<Effect>) {
        let owes = !self.unanswered.is_empty();
        // Something people see was done: a side action that failed is no reason to speak again. Beside a chosen silence
        // it may be mended, for nothing was said that could be said twice.
        let is_settled = !owes && self.acted;
        let goes_on = self.wants_result || self.failed && !is_settled;
        if let Some(failure) = self.round_report().failure.clone() {
            // What was done is never done again: another model goes on from there, if anything is left to do.
            let nothing_done = self.round_report().calls.is_empty();
            if !failure.budget && self.has_fallback_model && (nothing_done || goes_on || owes) {
                return self.ask_next_model(&failure.message, context, effects);
            }
            return self.end_after_failure(failure.message);
        }
        let may_tell = self.awaits_approval && owes;
        if (goes_on || may_tell) && !self.round_report().cut && self.kind != RoundKind::WrapUp {
            self.show_unread_answer();
            return self.ask_model(self.next_kind(), context.now, effects);
        }
        if self.round_report().cut && self.acted {
            // Who spoke into it is answered by the next turn, which knows what was left unsaid.
            self.unanswered.clear();
        }
        if !self.unanswered.is_empty() {
            self.end_without_action(context, effects);
        } else if self.acted {
            self.outcome = Some(self.delivery_outcome());
        } else if let Some(reason) = self.silence_reason.take() {
            self.outcome = Some(TurnOutcome::Silent(reason));
        } else {
            self.end_without_action(context, effects);
        }
    }

    /// What kind the next round is: the last one after as many as there may be, or after two in which every call was
    /// refused. A model that did not mend it when it was told what was wrong does not mend it the third time either.
    fn next_kind(&self) -> RoundKind {
        let is_refused = |done: &CallReport| {
            done.kind != Some(ToolKind::Tool)
                && done.result.as_ref().is_some_and(|result| result.is_error)
        };
        let is_fruitless =
            |round: &RoundReport| !round.calls.is_empty() && round.calls.iter().all(is_refused);
        let is_stuck = self.rounds.len() >= 2 && self.rounds.iter().rev().take(2).all(is_fruitless);
        if self.round < self.policy.rounds && !is_stuck {
            RoundKind::Normal
        } else {
            RoundKind::WrapUp
        }
    }

    /// Puts the question to the next model, with what was done so far and without a word of the answer that failed.
    fn ask_next_model(&mut self, why: &str, context: &TurnContext<'_>, effects: &mut Vec<Effect>) {
        self.notes.push(format!("another model was asked: {why}"));
        let since = self
            .working
            .split_off(self.working_len_before.min(self.working.len()));
        let done = |item: &WorkingItem| {
            !matches!(
                item,
                WorkingItem::Thoughts(_) | WorkingItem::NoAction(_) | WorkingItem::Unread { .. }
            )
        };
        self.working.extend(since.into_iter().filter(done));
        let kind = match (self.kind, self.round_report().is_retried()) {
            (RoundKind::WrapUp, _) => RoundKind::WrapUp,
            (_, true) => RoundKind::Normal,
            (_, false) => self.next_kind(),
        };
        effects.push(Effect::NextModel { turn: self.id });
        self.ask_model(kind, context.now, effects);
    }

    /// Something that never arrived was not said.
    fn delivery_outcome(&self) -> TurnOutcome {
        if self.delivered {
            TurnOutcome::Acted
        } else {
            TurnOutcome::Failed(
                self.notes
                    .last()
                    .cloned()
                    .unwrap_or_else(|| "nothing could be delivered".into()),
            )
        }
    }

    fn end_after_failure(&mut self, message: String) {
        self.outcome = Some(if self.delivered {
            self.notes.push(format!(
                "the model failed after something was sent: {message}"
            ));
            TurnOutcome::Acted
        } else {
            TurnOutcome::Failed(message)
        });
    }

    /// Law 7: text without an action gets one repair round after direct address; the second time plain text that
    /// holds no protocol residue is what it wanted to say. Beside native calls text is a private thought, as the prompt
    /// says, and is never posted.
    fn end_without_action(&mut self, context: &TurnContext<'_>, effects: &mut Vec<Effect>) {
        if let Some(held) = self.hold_reason {
            return self.end_after_hold(held, context, effects);
        }
        let (plain, residue, readable) = match &self.answer {
            Some(answer) => (
                answer.plain_text.trim().to_owned(),
                answer.residue,
                answer.readable,
            ),
            None => (String::new(), false, false),
        };
        let is_all = self
            .answer
            .as_ref()
            .is_some_and(|answer| answer.calls_seen == 0);
        if is_all && !plain.is_empty() && self.is_silence(&plain, context) {
            self.choose_silence(&plain);
            self.outcome = self.silence_reason.take().map(TurnOutcome::Silent);
            return;
        }
        let addressed = !self.unanswered.is_empty();
        let may_ask_again = !self.repaired && self.kind != RoundKind::WrapUp;
        let may_speak_plainly =
            !plain.is_empty() && !residue && self.policy.protocol != OutputProtocol::Native;
        // Whom nobody spoke to may think and keep silent, but then says so in the protocol.
        let only_thought = self.has_only_thoughts() && (addressed || !readable);
        let unread = self.is_unread() || only_thought;
        let last_try = !may_ask_again || (!addressed && !unread);
        if (!readable || only_thought) && !may_speak_plainly && last_try && self.has_fallback_model
        {
            let why = if only_thought {
                "it only thought"
            } else {
                "the answer could not be read"
            };
            return self.ask_next_model(why, context, effects);
        }
        if self.policy.plain_text_is_speech && may_speak_plainly {
            return self.send_plain_text(plain, context, effects);
        }
        if !addressed && unread && may_ask_again {
            return self.ask_for_repair(context, effects);
        }
        if !addressed {
            if !plain.is_empty() {
                self.notes
                    .push("wrote text without an action; kept as thoughts".into());
            }
            let waits = |done: &CallReport| {
                done.call.name == "wait_for" && done.result.as_ref().is_some_and(|r| !r.is_error)
            };
            let reason = match readable {
                _ if self.round_report().calls.iter().any(waits) => "it chose to wait",
                true if !self.is_unread() => "it asked for nothing",
                _ if !plain.is_empty() && !residue => "it wrote text without an action",
                _ => "its answer could not be read",
            };
            self.outcome = Some(TurnOutcome::Silent(reason.into()));
            return;
        }
        if !may_ask_again && may_speak_plainly {
            return self.send_plain_text(plain, context, effects);
        }
        if may_ask_again {
            return self.ask_for_repair(context, effects);
        }
        let reason = self.explain_inaction();
        self.end_without_result(&reason);
    }

    /// One more round for who is owed an answer, after every message was held back; what was wrong with them stands in
    /// working memory. After it the turn ends with that as its reason.
    fn end_after_hold(
        &mut self,
        held: HoldReason,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        if self.is_answer_due() && !self.was_asked_again && self.kind != RoundKind::WrapUp {
            return self.ask_model(self.next_kind(), context.now, effects);
        }
        if held == HoldReason::SilenceWhenAddressed {
            self.outcome = Some(TurnOutcome::Silent(held.reason().into()));
            return;
        }
        if self.is_answer_due() && self.has_fallback_model {
            return self.ask_next_model(held.reason(), context, effects);
        }
        self.end_without_result(held.reason());
    }

    /// The turn is over although nothing came of this round.
    fn end_without_result(&mut self, reason: &str) {
        let owes = !self.unanswered.is_empty();
        self.outcome = Some(if self.delivered {
            if owes {
                self.notes
                    .push(format!("left somebody unanswered: {reason}"));
            }
            TurnOutcome::Acted
        } else if owes {
            TurnOutcome::Failed(reason.to_owned())
        } else {
            TurnOutcome::Silent(reason.to_owned())
        });
    }

    /// Why nothing came of the last round, for people.
    fn explain_inaction(&mut self) -> String {
        let is_last = self.kind == RoundKind::WrapUp && self.round >= self.policy.rounds;
        let (wrote_text, only_thought, unread) = match &self.answer {
            Some(answer) => (
                !answer.plain_text.trim().is_empty(),
                self.has_only_thoughts(),
                self.is_unread(),
            ),
            None => (false, false, false),
        };
        let native = self.policy.protocol == OutputProtocol::Native;
        let failed = self
            .round_report()
            .calls
            .iter()
            .rev()
            .find(|done| done.result.as_ref().is_some_and(|r| r.is_error));
        let failed = failed.map(|done| done.call.name.clone());
        match failed {
            Some(name) if is_last => {
                format!("its rounds were used up, and in the last one it called {name} once more")
            }
            Some(name) => format!("{name} could not be done, and it did nothing else"),
            None if unread => "its answer could not be read, twice".into(),
            None if only_thought => "it only thought, twice".into(),
            None if wrote_text && native => "it wrote text and called no tool, twice".into(),
            None if is_last => "its rounds were used up, and it did nothing in the last one".into(),
            None => "the model answered without an action, twice".into(),
        }
    }

    /// The repair round: the model sees its own answer, and what is wrong with it.
    fn ask_for_repair(&mut self, context: &TurnContext<'_>, effects: &mut Vec<Effect>) {
        self.repaired = true;
        if self.is_unread() {
            self.show_unread_answer();
        } else {
            let raw = self.round_report().raw.clone();
            self.working.push(WorkingItem::NoAction(raw));
        }
        self.ask_model(RoundKind::Repair, context.now, effects);
    }

    /// Whether part of the answer was meant as a call and could not be read.
    fn is_unread(&self) -> bool {
        self.answer
            .as_ref()
            .is_some_and(|answer| !answer.problems.is_empty())
    }

    /// Whether the answer was nothing but thoughts.
    fn has_only_thoughts(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| {
            answer.calls_seen == 0
                && answer.plain_text.trim().is_empty()
                && !answer.thoughts.is_empty()
        })
    }

    fn show_unread_answer(&mut self) {
        let Some(answer) = self
            .answer
            .as_ref()
            .filter(|answer| !answer.problems.is_empty())
        else {
            return;
        };
        let problems = answer.problems.join("; ");
        let text = self.round_report().raw.clone();
        self.working.push(WorkingItem::Unread { text, problems });
    }

    fn send_plain_text(
        &mut self,
        plain: String,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        let broke_off = self
            .round_report()
            .usage
            .is_some_and(|usage| usage.truncated);
        let plain = if broke_off {
            trim_to_sentence(&plain)
        } else {
            &plain
        };
        let plain: String = context
            .names
            .restore_real_names(plain)
            .chars()
            .take(MESSAGE_CHARACTERS)
            .collect();
        let call = ToolCall {
            name: "send_message".into(),
            params: Map::from_iter([("text".to_owned(), Value::String(plain.clone()))]),
        };
        let parts = match self.guard_plain_text(&plain, context) {
            GuardedText::Say(parts) => self.limit_messages(parts),
            GuardedText::Silence => {
                self.choose_silence(&plain);
                self.outcome = self.silence_reason.take().map(TurnOutcome::Silent);
                return;
            }
            GuardedText::Hold(held) => {
                self.hold_back_message(call, held, context, effects);
                return self.end_after_hold(held, context, effects);
            }
        };
        self.notes.push("plain text was sent as a message".into());
        let report = self.record_call(call, Some(ToolKind::Visible), None, context.now);
        self.queue
            .extend(parts.into_iter().map(|text| TurnStep::Say {
                text,
                reply_to: None,
                report,
            }));
        self.run_steps(context, effects);
    }
}
