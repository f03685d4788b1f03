//! What of a channel's state outlives the process, and how the companion feels about the channel. Plain data: ids and numbers, no text.

use serde::{Deserialize, Serialize};

use super::attempt_counts::AnswerAttempts;
use super::bots::BotAnswers;
use super::deferred_address::DeferredAddress;
use super::initiative_counts::InitiativeCounts;
use super::open_question::OpenQuestion;
use super::quiet_period::QuietPeriod;
use crate::chat::{MessageId, UserId};
use crate::willingness::ChannelFeatures;

/// What of a channel outlives the process; texts and messages come back from the store.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedChannelState {
    /// Up to this arrival number a turn or a decision has looked at everything.
    pub seen: u64,
    /// Up to this arrival number the sense has heard everything.
    pub heard: u64,
    /// The willingness's memory of the channel.
    pub sense: ChannelFeatures,
    /// Up to this message nothing is shown to a model any more: the context was started afresh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begins_after: Option<MessageId>,
    /// The messages before which something is missing: a store knows what there is, not what there is not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<MessageId>,
    #[serde(default)]
    pub quiet: QuietPeriod,
    #[serde(default)]
    pub bots: BotAnswers,
    #[serde(default)]
    pub initiative: InitiativeCounts,
    #[serde(default, skip_serializing_if = "AnswerAttempts::is_empty")]
    pub attempts: AnswerAttempts,
    /// Whom it owes an answer although their messages count as seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub put_off: Vec<DeferredAddress>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<OpenQuestion>,
    /// The tools whose calls failed since the last prompt, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_tools: Vec<String>,
}

impl SavedChannelState {
    /// Whether a message may still want an answer: nobody has looked at it, or the turn that did put it off.
    pub fn is_open(&self, message: MessageId, arrival: u64) -> bool {
        arrival > self.seen || self.is_put_off(message)
    }

    pub fn is_put_off(&self, message: MessageId) -> bool {
        self.put_off
            .iter()
            .any(|put_off| put_off.message == message)
    }

    /// The messages that are given up now: nobody was told yet.
    pub fn given_up_messages(&self) -> impl Iterator<Item = MessageId> {
        self.attempts
            .given_up_messages()
            .filter(|(message, arrival)| self.is_open(*message, *arrival))
            .map(|(message, _)| message)
    }

    pub fn forget_person(&mut self, user: UserId) {
        self.sense.forget_person(user);
        self.bots.forget_bot(user);
        self.attempts.forget_person(user);
        self.put_off.retain(|put_off| put_off.author != user);
        self.questions.retain(|question| question.author() != user);
    }
}
