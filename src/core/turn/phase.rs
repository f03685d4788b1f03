//! The phases of a turn, and what moves it from one to the next.
//!
//! - **Rendering**: the driver puts the prompt together. What arrives meanwhile is still in it. When the prompt is
//!   rendered, or the model call fails before, the round is *running*.
//! - **Running**: the model answers, and what it asks for is done while it writes ([`AnswerProgress`] says how far the
//!   answer is). One step at a time; in between the round waits for calls, for a moderator, for the time it takes to
//!   type a message, or for a delivery ([`PendingStep`]). When the answer is over and nothing is left to do, the end of the
//!   round is judged: another question is *rendering*, or the turn is *done*. Somebody who speaks into it, an edit, a
//!   deletion or a person who is forgotten may take it back to *rendering* before.
//! - **Done**: its outcome is known, and its report is ready.
//!
//! [`AnswerProgress`]: super::answer::AnswerProgress
//! [`PendingStep`]: super::turn_wait::PendingStep

use super::model_question::{ModelQuestion, RoundKind};
use super::round::Round;
use crate::report::TurnOutcome;

#[derive(Debug)]
pub(super) enum TurnPhase {
    /// The prompt of a question is being put together.
    Rendering(ModelQuestion),
    /// The model answers, and its calls are executed.
    Running(Box<Round>),
    Done(TurnOutcome),
}

impl TurnPhase {
    pub(super) fn silent(reason: impl Into<String>) -> Self {
        Self::Done(TurnOutcome::Silent(reason.into()))
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self, Self::Done(_))
    }

    /// What kind of question is put; none when it is over.
    pub(super) fn kind(&self) -> Option<RoundKind> {
        match self {
            Self::Rendering(question) => Some(question.kind),
            Self::Running(round) => Some(round.question.kind),
            Self::Done(_) => None,
        }
    }

    /// The current question; none when it is over.
    pub(super) fn question_mut(&mut self) -> Option<&mut ModelQuestion> {
        match self {
            Self::Rendering(question) => Some(question),
            Self::Running(round) => Some(&mut round.question),
            Self::Done(_) => None,
        }
    }
}
