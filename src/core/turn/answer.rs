//! What the model answers to the question of a round: how far it is, and what was read of it.

use crate::protocol::{AnswerParser, ParsedAnswer};
use crate::report::ModelFailure;

#[derive(Debug)]
pub(super) enum AnswerProgress {
    Writing {
        parser: Box<AnswerParser>,
        /// The driver was told to hang up, for the answer was complete or went in circles: only its end is still to come.
        is_hung_up: bool,
    },
    Complete(ParsedAnswer),
    /// The model call failed; what it asked for until then is done.
    Failed(ModelFailure),
    Dropped,
}

impl AnswerProgress {
    pub(super) fn is_over(&self) -> bool {
        !matches!(self, Self::Writing { .. })
    }

    /// Nothing more of it is wanted. What ended before stays as it is.
    pub(super) fn drop_rest(&mut self) {
        if !self.is_over() {
            *self = Self::Dropped;
        }
    }

    pub(super) fn complete(&self) -> Option<&ParsedAnswer> {
        match self {
            Self::Complete(answer) => Some(answer),
            _ => None,
        }
    }

    /// Whether part of the answer was meant as a call and could not be read.
    pub(super) fn is_unread(&self) -> bool {
        self.complete()
            .is_some_and(|answer| !answer.problems.is_empty())
    }

    pub(super) fn has_only_thoughts(&self) -> bool {
        self.complete().is_some_and(|answer| {
            answer.calls_seen == 0
                && answer.plain_text.trim().is_empty()
                && !answer.thoughts.is_empty()
        })
    }
}
