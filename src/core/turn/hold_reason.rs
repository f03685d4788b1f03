//! Why a message is kept back, as the model and people are told.

use crate::message_guard::GuardReason;
use kith_language::{LocalizedMessage, refusals};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HoldReason {
    Empty,
    Repeats,
    SaidInTurn,
    Assistant,
    Copies,
    CallsItself,
    Refusal,
    Deliberates,
    LikelySilence,
    AnotherSpeaker,
    PromptText,
    DeniesAi,
    SilenceWhenAddressed,
}

impl HoldReason {
    /// For the model, which may try again.
    pub(super) fn to_message(self) -> LocalizedMessage {
        match self {
            Self::Empty => refusals::empty(),
            Self::Repeats => refusals::repeats(),
            Self::SaidInTurn => refusals::said_in_turn(),
            Self::Assistant => refusals::assistant(),
            Self::Copies => refusals::copies(),
            Self::CallsItself => refusals::calls_itself(),
            Self::Refusal => refusals::refusal(),
            Self::Deliberates => refusals::deliberates(),
            Self::LikelySilence => refusals::silence(),
            Self::AnotherSpeaker => refusals::another_speaker(),
            Self::PromptText => refusals::prompt_text(),
            Self::DeniesAi => refusals::denies_ai(),
            Self::SilenceWhenAddressed => refusals::silence_when_addressed(),
        }
    }

    /// For people, as the reason why a turn said nothing.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Empty => "it wrote nothing",
            Self::Repeats => "it only repeated itself",
            Self::SaidInTurn => "it only said the same again",
            Self::Assistant => "it only talked like an assistant",
            Self::Copies => "it only copied what somebody else had said",
            Self::CallsItself => "it called itself by its own name",
            Self::Refusal => "it only refused as an assistant would",
            Self::Deliberates => "it only talked about what to say",
            Self::LikelySilence => "it wrote that no answer is needed",
            Self::AnotherSpeaker => "it only wrote lines of others",
            Self::PromptText => "it only copied its instructions",
            Self::DeniesAi => "it denied that it is an AI",
            Self::SilenceWhenAddressed => "it kept silent though somebody spoke to it",
        }
    }

    /// Whether it is said after all where somebody is owed an answer and the model, asked once, knows no other words.
    pub(super) fn is_better_than_nothing(self) -> bool {
        matches!(self, Self::Repeats | Self::Assistant | Self::Copies)
    }
}

impl From<GuardReason> for HoldReason {
    fn from(reason: GuardReason) -> Self {
        match reason {
            GuardReason::AnotherSpeaker => Self::AnotherSpeaker,
            GuardReason::PromptText => Self::PromptText,
            GuardReason::Thoughts => Self::Deliberates,
            GuardReason::Empty => Self::Empty,
        }
    }
}
