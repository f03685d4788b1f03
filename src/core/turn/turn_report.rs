//! What is told of a turn, while it runs and when it is over.

use super::machine::Turn;
use super::phase::TurnPhase;
use crate::chat::{MessageId, Millis};
use crate::persona::Language;
use crate::report::{CallReport, TurnOutcome, TurnReport};
use crate::truncate::truncate_line;
use kith_language::{failures, refusals};

/// The most characters of a call, and of why it failed, that the next prompt is told.
const QUOTED: usize = 200;

#[derive(Debug)]
pub struct FinishedTurn {
    pub report: TurnReport,
    /// The lines it was kept from saying.
    pub unsent: Vec<String>,
    /// What could not be delivered, for the next prompt.
    pub next_prompt_notes: Vec<String>,
    pub unanswered: Vec<MessageId>,
    /// The direct addresses that the next turn answers, for somebody spoke into this one.
    pub postponed: Vec<MessageId>,
    /// The arrival number of the newest message it was shown.
    pub cursor: u64,
}

impl Turn {
    pub fn build_interim_report(&self, now: Millis) -> TurnReport {
        self.build_report(TurnOutcome::Silent("it is still running".into()), now)
    }

    pub fn finish(mut self, now: Millis) -> FinishedTurn {
        self.report_limits();
        let outcome = match &self.phase {
            TurnPhase::Done(outcome) => outcome.clone(),
            TurnPhase::Rendering(_) | TurnPhase::Running(_) => {
                TurnOutcome::Failed("the turn was abandoned".into())
            }
        };
        let obligations = &self.record.obligations;
        let unanswered = match outcome {
            TurnOutcome::Failed(_) => obligations.trigger().addressed.clone(),
            TurnOutcome::Acted | TurnOutcome::Silent(_) => obligations.unanswered().to_vec(),
        };
        let report = self.build_report(outcome, now);
        let language = self.record.language();
        let failed = report.list_untold_failures();
        let told = failed.map(|done| describe_failed_call(done, language));
        self.record.speech.next_prompt_notes.extend(told);
        self.record.remove_quotes();
        FinishedTurn {
            report,
            unsent: self.record.speech.unsent,
            next_prompt_notes: self.record.speech.next_prompt_notes,
            unanswered,
            postponed: self.record.obligations.postponed().to_vec(),
            cursor: self.record.cursor,
        }
    }

    fn build_report(&self, outcome: TurnOutcome, now: Millis) -> TurnReport {
        let record = &self.record;
        TurnReport {
            turn: record.identity.id,
            channel: record.identity.channel,
            started: record.identity.started,
            ended: now,
            wake: record.obligations.trigger().clone(),
            rounds: record.history.rounds(),
            outcome,
            notes: record.history.notes.clone(),
            cost: None,
        }
    }

    /// Tells the report and the next prompt what was refused because there was enough.
    fn report_limits(&mut self) {
        let record = &mut self.record;
        let refused = record.counts.refused();
        if refused == 0 {
            return;
        }
        let note = refusals::refused_beyond(refused).in_language(record.language());
        record.speech.next_prompt_notes.push(note);
        record.history.add_note(format!(
            "{refused} more actions or messages were not done: too many for one turn"
        ));
    }
}

/// What the next prompt is told of a call that failed (Law 4).
fn describe_failed_call(done: &CallReport, language: Language) -> String {
    let CallReport { call, result, .. } = done;
    let what = truncate_line(&format!("{} {}", call.name, call.list_params()), QUOTED);
    let why = result
        .as_ref()
        .map(|result| truncate_line(&result.content, QUOTED));
    failures::action_failed(what, why.unwrap_or_default()).in_language(language)
}
