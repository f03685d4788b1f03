//! What is told of a turn, while it runs and when it is over.

use super::Turn;
use crate::chat::{MessageId, Millis};
use crate::report::{TurnOutcome, TurnReport};

/// What is left of a turn that is over.
#[derive(Debug)]
pub struct FinishedTurn {
    pub report: TurnReport,
    /// The lines it was kept from saying.
    pub unsent: Vec<String>,
    /// What could not be delivered, for the next prompt.
    pub next_prompt_notes: Vec<String>,
    /// The direct addresses it failed to answer.
    pub unanswered: Vec<MessageId>,
    /// The direct addresses that the next turn answers, for somebody spoke into this one.
    pub postponed: Vec<MessageId>,
    /// The arrival number of the newest message it was shown.
    pub cursor: u64,
}

impl Turn {
    /// The report of a turn that still runs.
    pub fn build_interim_report(&self, now: Millis) -> TurnReport {
        TurnReport {
            turn: self.id,
            channel: self.channel,
            started: self.started,
            ended: now,
            wake: self.wake.clone(),
            rounds: self.rounds.clone(),
            outcome: TurnOutcome::Silent("it is still running".into()),
            notes: self.notes.clone(),
            cost: None,
        }
    }

    /// What is left of a turn that is over.
    pub fn finish(mut self, now: Millis) -> FinishedTurn {
        self.report_limits();
        let failed = !matches!(
            self.outcome,
            Some(TurnOutcome::Acted | TurnOutcome::Silent(_))
        );
        let report = TurnReport {
            turn: self.id,
            channel: self.channel,
            started: self.started,
            ended: now,
            wake: self.wake,
            rounds: self.rounds,
            outcome: self
                .outcome
                .unwrap_or_else(|| TurnOutcome::Failed("the turn was abandoned".into())),
            notes: self.notes,
            cost: None,
        };
        let unanswered = if failed {
            report.wake.addressed.clone()
        } else {
            self.unanswered
        };
        FinishedTurn {
            report,
            unsent: self.unsent,
            next_prompt_notes: self.next_prompt_notes,
            unanswered,
            postponed: self.postponed,
            cursor: self.cursor,
        }
    }
}
