//! What belongs to one round: a model's answer, what is still to be done of it, and what its end will mean.

use std::collections::VecDeque;

use super::answer::AnswerProgress;
use super::dictated_call::ShownWords;
use super::hold_reason::HoldReason;
use super::model_question::ModelQuestion;
use super::turn_step::TurnStep;
use super::turn_wait::PendingStep;
use crate::chat::Millis;
use crate::protocol::AnswerParser;

/// Whether the end of a round is the beginning of another, from never to always.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NextRoundNeed {
    None,
    /// Something waits for a moderator, and whoever is still owed an answer may be told so.
    WhileOwed,
    /// Something failed in a way the model can mend: that is worth another round while something is left to do.
    UnlessSettled,
    /// It asked for something it wants to know.
    Always,
}

/// One round from the moment its prompt is rendered.
#[derive(Debug)]
pub(super) struct Round {
    pub(super) question: ModelQuestion,
    pub(super) answer: AnswerProgress,
    /// What is still to be done, in the order it was written.
    pub(super) steps: VecDeque<TurnStep>,
    pub(super) wait: Option<PendingStep>,
    pub(super) next_round: NextRoundNeed,
    /// A tool was asked: what people would see is not done before the model knows the result.
    pub(super) has_asked_tool: bool,
    pub(super) shown: ShownWords,
    pub(super) hold_reason: Option<HoldReason>,
    pub(super) silence_reason: Option<String>,
}

impl Round {
    pub(super) fn new(question: ModelQuestion, shown: ShownWords, parser: AnswerParser) -> Self {
        Self {
            question,
            answer: AnswerProgress::Writing {
                parser: Box::new(parser),
                is_hung_up: false,
            },
            steps: VecDeque::new(),
            wait: None,
            next_round: NextRoundNeed::None,
            has_asked_tool: false,
            shown,
            hold_reason: None,
            silence_reason: None,
        }
    }

    pub(super) fn need_next_round(&mut self, need: NextRoundNeed) {
        self.next_round = self.next_round.max(need);
    }

    /// Nothing more of the answer is wanted, and no other round.
    pub(super) fn drop_answer(&mut self) {
        self.answer.drop_rest();
        self.next_round = NextRoundNeed::None;
    }

    /// Drops what is not said yet, and answers with the lines among it. What must not be done twice is still waited for.
    pub(super) fn drop_steps(&mut self) -> Vec<String> {
        if !self.is_uninterruptible() {
            self.wait = None;
        }
        self.steps
            .drain(..)
            .filter_map(TurnStep::into_message_text)
            .collect()
    }

    /// Whether something is on its way to people that cannot be taken back.
    pub(super) fn is_delivering(&self) -> bool {
        self.wait.as_ref().is_some_and(PendingStep::is_delivery)
    }

    pub(super) fn is_typing(&self) -> bool {
        matches!(self.wait, Some(PendingStep::Pause { .. }))
    }

    /// Whether what is being done is waited for, whoever speaks meanwhile: it must not be done twice.
    pub(super) fn is_uninterruptible(&self) -> bool {
        self.wait
            .as_ref()
            .is_some_and(PendingStep::is_uninterruptible)
    }

    /// Whether people may be shown that it writes: it thinks, types, or waits for what it wants to know.
    pub(super) fn is_writing(&self) -> bool {
        let goes_on = matches!(
            self.wait,
            Some(PendingStep::Pause { .. } | PendingStep::Results { .. })
        );
        !self.answer.is_over() || goes_on
    }

    pub(super) fn deadline(&self) -> Option<Millis> {
        self.wait.as_ref().and_then(PendingStep::deadline)
    }

    /// Whether it goes on without a place: the model has answered, and the rest is delivery or a slow wait.
    pub(super) fn is_placeless(&self) -> bool {
        let is_slow = self
            .wait
            .as_ref()
            .is_some_and(PendingStep::has_yielded_place);
        let is_only_delivered = || {
            self.next_round < NextRoundNeed::UnlessSettled
                && !self
                    .steps
                    .iter()
                    .any(|step| matches!(step, TurnStep::Call(_)))
                && !matches!(
                    self.wait,
                    Some(PendingStep::Results { .. } | PendingStep::Moderation { .. })
                )
        };
        self.answer.is_over() && (is_slow || is_only_delivered())
    }
}
