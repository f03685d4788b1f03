//! What the end of a round means (Laws 1, 4): another round, the wrap-up round, another model, or the end
//! of the turn.

use super::answer::AnswerProgress;
use super::executor::RoundExecutor;
use super::hold_reason::HoldReason;
use super::model_question::RoundKind;
use super::phase::TurnPhase;
use super::round::NextRoundNeed;
use crate::call::ToolKind;
use crate::context::WorkingItem;
use crate::effect::Effect;
use crate::report::{CallReport, RoundReport, TurnOutcome};

impl RoundExecutor<'_> {
    /// The answer is over with nothing left to do. Answers with the next phase; none where there is more after all.
    pub(super) fn conclude_round(&mut self) -> Option<TurnPhase> {
        let owes = self.record.obligations.is_owed();
        let has_acted = self.record.speech.has_acted();
        let goes_on = match self.round.next_round {
            NextRoundNeed::None => false,
            NextRoundNeed::WhileOwed => owes,
            // Something people see was done: a side action that failed is no reason to speak again. Beside a chosen
            // silence it may be mended, for nothing was said that could be said twice.
            NextRoundNeed::UnlessSettled => owes || !has_acted,
            NextRoundNeed::Always => true,
        };
        let report = self.record.history.current();
        if let AnswerProgress::Failed(failure) = &self.round.answer {
            let failure = failure.clone();
            // What was done is never done again: another model goes on from there, if anything is left to do.
            let is_work_left = report.calls.is_empty() || goes_on || owes;
            let may_ask = self.round.question.has_fallback_model && !failure.budget;
            return Some(if may_ask && is_work_left {
                self.ask_next_model(&failure.message)
            } else {
                self.end_after_failure(failure.message)
            });
        }
        let is_cut = report.cut;
        if goes_on && !is_cut && self.round.question.kind != RoundKind::WrapUp {
            self.show_unread_answer();
            return Some(self.ask_model(self.next_kind()));
        }
        if is_cut && has_acted {
            // Who spoke into it is answered by the next turn, which knows what was left unsaid.
            self.record.obligations.settle();
        }
        if self.record.obligations.is_owed() {
            return self.end_without_action();
        }
        if has_acted {
            let is_small = self.policy().context.is_small();
            let sent = &self.record.speech.sent_texts;
            let obligations = &mut self.record.obligations;
            obligations.postpone_left_out(sent, is_small, self.context.timeline);
            return Some(TurnPhase::Done(self.delivery_outcome()));
        }
        match self.round.silence_reason.take() {
            Some(reason) => Some(TurnPhase::silent(reason)),
            None => self.end_without_action(),
        }
    }

    /// What kind the next round is: the last one after as many as there may be, or after two in which every call was
    /// refused. A model that did not mend it when it was told what was wrong does not mend it the third time either.
    pub(super) fn next_kind(&self) -> RoundKind {
        let is_refused = |done: &CallReport| done.kind != Some(ToolKind::Tool) && done.is_failed();
        let is_fruitless =
            |round: &RoundReport| !round.calls.is_empty() && round.calls.iter().all(is_refused);
        let history = &self.record.history;
        let mut latest = history.newest_first().take(2);
        let is_stuck = !history.earlier().is_empty() && latest.all(is_fruitless);
        if history.counted_rounds() < self.policy().rounds && !is_stuck {
            RoundKind::Normal
        } else {
            RoundKind::WrapUp
        }
    }

    /// Puts the question to the next model, with what was done so far and without a word of the answer that failed.
    pub(super) fn ask_next_model(&mut self, why: &str) -> TurnPhase {
        self.add_note(format!("another model was asked: {why}"));
        self.record.memory.drop_failed_answers();
        let is_retried = self.record.history.current().is_retried();
        let kind = match (self.round.question.kind, is_retried) {
            (RoundKind::WrapUp, _) => RoundKind::WrapUp,
            (_, true) => RoundKind::Normal,
            (_, false) => self.next_kind(),
        };
        self.effects.push(Effect::NextModel {
            turn: self.record.identity.id,
        });
        self.ask_model(kind)
    }

    /// Something that never arrived was not said.
    fn delivery_outcome(&self) -> TurnOutcome {
        if self.record.speech.has_arrived() {
            return TurnOutcome::Acted;
        }
        let last_note = self.record.history.notes.last().cloned();
        TurnOutcome::Failed(last_note.unwrap_or_else(|| "nothing could be delivered".into()))
    }

    fn end_after_failure(&mut self, message: String) -> TurnPhase {
        TurnPhase::Done(if self.record.speech.has_arrived() {
            self.add_note(format!(
                "the model failed after something was sent: {message}"
            ));
            TurnOutcome::Acted
        } else {
            TurnOutcome::Failed(message)
        })
    }

    /// One more round for who is owed an answer, after every message was held back; what was wrong with them stands in
    /// working memory. After it the turn ends with that as its reason.
    pub(super) fn end_after_hold(&mut self, held: HoldReason) -> TurnPhase {
        let is_due = self.record.is_answer_due();
        let may_ask = self.record.retries.other_words.is_left();
        if is_due && may_ask && self.round.question.kind != RoundKind::WrapUp {
            return self.ask_model(self.next_kind());
        }
        if held == HoldReason::SilenceWhenAddressed {
            return TurnPhase::silent(held.reason());
        }
        if is_due && self.round.question.has_fallback_model {
            return self.ask_next_model(held.reason());
        }
        self.end_without_result(&format!("its answer was refused: {}", held.reason()))
    }

    /// The turn is over although nothing came of this round.
    pub(super) fn end_without_result(&mut self, reason: &str) -> TurnPhase {
        let owes = self.record.obligations.is_owed();
        TurnPhase::Done(if self.record.speech.has_arrived() {
            if owes {
                self.add_note(format!("left somebody unanswered: {reason}"));
            }
            TurnOutcome::Acted
        } else if owes {
            TurnOutcome::Failed(reason.to_owned())
        } else {
            TurnOutcome::Silent(reason.to_owned())
        })
    }

    pub(super) fn show_unread_answer(&mut self) {
        let Some(answer) = self.round.answer.complete() else {
            return;
        };
        if answer.problems.is_empty() {
            return;
        }
        let language = self.record.language();
        let problems: Vec<String> = answer
            .problems
            .iter()
            .map(|problem| problem.in_language(language))
            .collect();
        let problems = problems.join("; ");
        let text = self.record.history.current().raw.clone();
        self.remember(WorkingItem::Unread { text, problems });
    }
}
