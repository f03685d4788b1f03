//! Visible actions on their way out: what the outbox keeps and a platform carries out. Plain data.

use kith_language::history;
use serde::{Deserialize, Serialize};

use super::chat::{ChannelId, MINUTE, MessageId, Millis, TurnId};
use super::persona::Language;

/// What was journaled longer ago than this and never went out is not said any more: the talk has moved on.
pub const STALE: Millis = 10 * MINUTE;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VisibleAction {
    Send {
        text: String,
        reply_to: Option<MessageId>,
        /// What it carries in the place of words; the text then only tells of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<MessageEnclosure>,
    },
    /// Put a reaction on a message.
    React { message: MessageId, emoji: String },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageEnclosure {
    Poll(Poll),
    /// A sticker or a picture kept as one, by its name.
    Sticker(String),
}

impl MessageEnclosure {
    /// How it stands in the history: as a platform would tell of the same from somebody else.
    pub fn describe(&self, language: Language) -> String {
        match self {
            Self::Poll(poll) => {
                let label = history::poll().in_language(language);
                format!(
                    "[{label}: {} — {}]",
                    poll.question,
                    poll.answers.join(" / ")
                )
            }
            Self::Sticker(name) => {
                format!("[{}: {name}]", history::sticker().in_language(language))
            }
        }
    }

    /// How it is posted where there is nothing but words: a poll so that people can answer with a number.
    pub fn to_plain_text(&self, language: Language) -> String {
        match self {
            Self::Poll(poll) => {
                let answers = poll
                    .answers
                    .iter()
                    .zip(1..)
                    .map(|(answer, number)| format!("\n{number}. {answer}"));
                format!("{}{}", poll.question, answers.collect::<String>())
            }
            Self::Sticker(_) => self.describe(language),
        }
    }
}

/// A question with answers to choose from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Poll {
    pub question: String,
    pub answers: Vec<String>,
    /// For how many hours it can be answered.
    pub hours: u32,
    pub several: bool,
}

impl Poll {
    /// The longest question, in characters.
    pub const QUESTION_CHARACTERS: usize = 300;
    /// The longest answer, in characters.
    pub const ANSWER_CHARACTERS: usize = 55;
    pub const MOST_ANSWERS: usize = 10;
    /// The most hours it can be open: 32 days.
    pub const MOST_HOURS: u32 = 768;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutgoingAction {
    /// Unique over restarts; the platform de-duplicates by it for some minutes, the store for good.
    pub nonce: String,
    /// The turn that asked for it; none for the small reactions of Law 1.
    pub turn: Option<TurnId>,
    /// Its number in the turn.
    pub part: u32,
    pub channel: ChannelId,
    pub action: VisibleAction,
    /// The arrival number of the newest event the turn had seen: after a crash nothing up to it is answered again.
    pub cursor: u64,
    /// When it was journaled.
    pub at: Millis,
    /// The messages it answers: when all of them are gone, it is not said late.
    pub answers: Vec<MessageId>,
}
