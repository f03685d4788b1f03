//! Law 7: what becomes of an answer without an action. Text gets one repair round after direct address; the second time
//! plain text that holds no protocol residue is what it wanted to say. Beside native calls text is a private thought, as
//! the prompt says, and is never posted.

use super::executor::RoundExecutor;
use super::held_messages::describe_silence;
use super::message_check::GuardedText;
use super::model_question::RoundKind;
use super::phase::TurnPhase;
use super::turn_step::TurnStep;
use crate::call::ToolCall;
use crate::context::WorkingItem;
use crate::message_split::{MESSAGE_CHARACTERS, trim_to_sentence};
use crate::policy::OutputProtocol;
use crate::protocol::ParsedAnswer;
use crate::report::CallReport;

impl RoundExecutor<'_> {
    /// The round did nothing that ends the turn. Answers with the next phase; none where its text is sent.
    pub(super) fn end_without_action(&mut self) -> Option<TurnPhase> {
        if let Some(held) = self.round.hold_reason {
            return Some(self.end_after_hold(held));
        }
        let answer = self.round.answer.complete().cloned().unwrap_or_default();
        let plain = answer.plain_text.trim();
        if answer.calls_seen == 0 && !plain.is_empty() && self.is_silence(plain) {
            return Some(self.end_in_silence(plain));
        }
        let policy = self.policy();
        let is_speakable =
            !plain.is_empty() && !answer.residue && policy.protocol != OutputProtocol::Native;
        let is_owed = self.record.obligations.is_owed();
        // Whom nobody spoke to may think and keep silent, but then says so in the protocol.
        let only_thought = self.round.answer.has_only_thoughts() && (is_owed || !answer.readable);
        let may_repair = self.record.retries.repair.is_left()
            && self.round.question.kind != RoundKind::WrapUp
            && (is_owed || only_thought || self.round.answer.is_unread());
        if is_speakable && (policy.plain_text_is_speech || is_owed && !may_repair) {
            return self.send_plain_text(plain);
        }
        if may_repair {
            return Some(self.ask_for_repair());
        }
        let says_nothing = !is_speakable && (only_thought || !answer.readable);
        if says_nothing && self.round.question.has_fallback_model {
            return Some(self.ask_next_model(if only_thought {
                "it only thought"
            } else {
                "the answer could not be read"
            }));
        }
        Some(if is_owed {
            let reason = self.explain_inaction();
            self.end_without_result(&reason)
        } else {
            self.end_unasked(&answer)
        })
    }

    /// Nobody is owed anything, and nothing was done.
    fn end_unasked(&mut self, answer: &ParsedAnswer) -> TurnPhase {
        let wrote_text = !answer.plain_text.trim().is_empty();
        if wrote_text {
            self.add_note("wrote text without an action; kept as thoughts");
        }
        let waits = |done: &CallReport| {
            done.call.name == "wait_for" && done.result.as_ref().is_some_and(|r| !r.is_error)
        };
        let calls = &self.record.history.current().calls;
        TurnPhase::silent(match answer.readable {
            _ if calls.iter().any(waits) => "it chose to wait",
            true if answer.problems.is_empty() => "it asked for nothing",
            _ if wrote_text && !answer.residue => "it wrote text without an action",
            _ => "its answer could not be read",
        })
    }

    /// The turn ends without a word, as the model said.
    fn end_in_silence(&mut self, reason: &str) -> TurnPhase {
        self.record.obligations.settle();
        TurnPhase::silent(describe_silence(reason))
    }

    /// Why nothing came of the last round, for people.
    fn explain_inaction(&self) -> String {
        let policy = self.policy();
        let is_last = self.round.question.kind == RoundKind::WrapUp
            && self.record.history.counted_rounds() >= policy.rounds;
        let answer = &self.round.answer;
        let wrote_text = answer
            .complete()
            .is_some_and(|answer| !answer.plain_text.trim().is_empty());
        let is_native = policy.protocol == OutputProtocol::Native;
        let mut calls = self.record.history.current().calls.iter().rev();
        match calls
            .find(|done| done.is_failed())
            .map(|done| &done.call.name)
        {
            Some(name) if is_last => {
                format!("its rounds were used up, and in the last one it called {name} once more")
            }
            Some(name) => format!("{name} could not be done, and it did nothing else"),
            None if answer.is_unread() => "its answer could not be read, twice".into(),
            None if answer.has_only_thoughts() => "it only thought, twice".into(),
            None if wrote_text && is_native => "it wrote text and called no tool, twice".into(),
            None if is_last => "its rounds were used up, and it did nothing in the last one".into(),
            None => "the model answered without an action, twice".into(),
        }
    }

    /// The repair round: the model sees its own answer, and what is wrong with it.
    fn ask_for_repair(&mut self) -> TurnPhase {
        self.record.retries.repair.spend();
        if self.round.answer.is_unread() {
            self.show_unread_answer();
        } else {
            let raw = self.record.history.current().raw.clone();
            self.remember(WorkingItem::NoAction(raw));
        }
        self.ask_model(RoundKind::Repair)
    }

    /// Text without an action is said. Answers with the next phase where it is not said after all.
    fn send_plain_text(&mut self, plain: &str) -> Option<TurnPhase> {
        let usage = self.record.history.current().usage;
        let plain = if usage.is_some_and(|usage| usage.truncated) {
            trim_to_sentence(plain)
        } else {
            plain
        };
        let plain = self.context.names.restore_real_names(plain);
        let plain: String = plain.chars().take(MESSAGE_CHARACTERS).collect();
        let call = ToolCall::new_message(&plain);
        let parts = match self.guard_plain_text(&plain) {
            GuardedText::Say(parts) => self.record.counts.limit_messages(parts),
            GuardedText::Silence => return Some(self.end_in_silence(&plain)),
            GuardedText::Hold(held) => {
                self.hold_back_message(call, held);
                return Some(self.end_after_hold(held));
            }
        };
        if parts.is_empty() {
            return Some(self.end_without_result("it had done too much in this turn to say more"));
        }
        self.add_note("plain text was sent as a message");
        let report = self.record_visible_call(call);
        let steps = parts.into_iter().map(|text| TurnStep::Say {
            text,
            reply_to: None,
            report,
        });
        self.round.steps.extend(steps);
        None
    }
}
