//! What a turn waits for, what may break into that, and when it gives its place to others meanwhile.

use super::failure_texts::FailureTexts;
use super::{Turn, TurnProgress, steps::TurnStep};
use crate::call::ToolResult;
use crate::chat::{Millis, SECOND};

/// A turn whose tools take longer than this, or the delivery of what it says, gives its place to another channel's until
/// they answer.
const PLACE_KEPT: Millis = 10 * SECOND;

/// A call that runs: its number, and its place in the round's report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunningCall {
    pub(super) call: u32,
    pub(super) report: usize,
    /// Cut, it cannot be asked for again without being done twice.
    pub(super) changes: bool,
    /// What of its parameters was not used, for the model.
    pub(super) ignored: String,
}

/// What the turn waits for before the next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TurnWait {
    /// The results of calls, since when: of one, or of several that only read and run at the same time.
    Results {
        running: Vec<RunningCall>,
        done: Vec<usize>,
        may_join: bool,
        since: Millis,
    },
    /// What becomes of a deed about a member.
    Moderation { call: u32, report: usize },
    /// The pause before a message.
    Pause { until: Millis },
    /// The platform's word that a message or reaction is out, asked for then.
    Delivery {
        part: u32,
        report: usize,
        since: Millis,
    },
}

impl TurnWait {
    /// Whether something is being done that must not be done again.
    fn has_changing_call(&self) -> bool {
        matches!(self, Self::Results { running, .. } if running.iter().any(|one| one.changes))
    }
}

impl Turn {
    /// When it wants to be looked at again.
    pub fn deadline(&self) -> Option<Millis> {
        let wait = match &self.waiting {
            Some(TurnWait::Pause { until }) => Some(*until),
            Some(TurnWait::Results { since, .. } | TurnWait::Delivery { since, .. })
                if !self.has_yielded_place =>
            {
                Some(since + PLACE_KEPT)
            }
            _ => None,
        };
        [wait, self.next_typing].into_iter().flatten().min()
    }

    /// Whether it holds a place, does without one, or is over.
    pub fn progress(&self) -> TurnProgress {
        let delivers = || {
            !self.wants_result
                && !self.failed
                && self
                    .queue
                    .iter()
                    .all(|step| matches!(step, TurnStep::Say { .. } | TurnStep::React { .. }))
                && !matches!(
                    self.waiting,
                    Some(TurnWait::Results { .. } | TurnWait::Moderation { .. })
                )
        };
        if self.outcome.is_some() {
            TurnProgress::Done
        } else if self.ended && (self.has_yielded_place || delivers()) {
            TurnProgress::Placeless
        } else {
            TurnProgress::Thinking
        }
    }

    /// Gives the place away where tools or the platform take long.
    pub(super) fn yield_place_if_slow(&mut self, now: Millis) {
        let since = match self.waiting {
            Some(TurnWait::Results { since, .. } | TurnWait::Delivery { since, .. }) => Some(since),
            _ => None,
        };
        self.has_yielded_place = since.is_some_and(|since| since + PLACE_KEPT <= now);
    }

    /// Calls that are not waited for any more. The next prompt tells of them, for what they did until then stands.
    pub(super) fn abandon_calls(&mut self) {
        let stopped = FailureTexts::from_language(self.policy.persona.language).stopped;
        match self.waiting.take() {
            Some(TurnWait::Results {
                running, mut done, ..
            }) => {
                for RunningCall { report, .. } in running {
                    if let Some(cut) = self.round_report().calls.get_mut(report) {
                        cut.result = Some(ToolResult::error(stopped));
                        done.push(report);
                    }
                }
                self.remember_calls(done);
            }
            other => self.waiting = other,
        }
    }

    /// Whether something is on its way to people that cannot be taken back.
    pub(super) fn is_delivering(&self) -> bool {
        matches!(
            self.waiting,
            Some(TurnWait::Delivery { .. } | TurnWait::Moderation { .. })
        )
    }

    /// Whether what is being done is waited for, whoever speaks meanwhile: it must not be done twice.
    pub(super) fn is_uninterruptible(&self) -> bool {
        self.is_delivering()
            || self
                .waiting
                .as_ref()
                .is_some_and(TurnWait::has_changing_call)
    }
}
