//! What of a lane outlives the process, and how it feels about its channel. Plain data: ids and numbers, no text.

use serde::{Deserialize, Serialize};

use super::attempts::Attempts;
use super::bots::BotAnswers;
use super::initiative::Initiative;
use super::questions::Question;
use super::quiet::Quiet;
use super::rate::Rate;
use crate::core::chat::{MessageId, Millis, TurnId, UserId};
use crate::core::report::Moved;
use crate::core::willingness::{Reception, Sense, Weights};

/// What of a lane outlives the process; texts and messages come back from the store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LaneState {
    /// Up to this arrival number a turn or a beat has looked at everything.
    pub seen: u64,
    /// Up to this arrival number the sense has heard everything.
    pub heard: u64,
    /// The willingness's memory of the channel.
    pub sense: Sense,
    /// Up to this message nothing is shown to a model any more: the context was started afresh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begins_after: Option<MessageId>,
    /// The messages before which something is missing: a store knows what there is, not what there is not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<MessageId>,
    /// The quiet that was asked for.
    #[serde(default)]
    pub quiet: Quiet,
    /// The answers to other bots.
    #[serde(default)]
    pub bots: BotAnswers,
    /// How often it woke by itself.
    #[serde(default)]
    pub initiative: Initiative,
    /// The room's pace, and how the rate of unasked speech is corrected.
    #[serde(default)]
    pub rate: Rate,
    /// What it began to answer and did not end.
    #[serde(default, skip_serializing_if = "Attempts::is_empty")]
    pub attempts: Attempts,
    /// Questions to the room that wait for an answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
}

impl LaneState {
    /// The state of a channel nothing is known of.
    pub fn new(weights: &Weights) -> Self {
        Self {
            seen: 0,
            heard: 0,
            sense: Sense::new(weights),
            begins_after: None,
            gaps: Vec::new(),
            quiet: Quiet::default(),
            bots: BotAnswers::default(),
            initiative: Initiative::default(),
            rate: Rate::default(),
            attempts: Attempts::default(),
            questions: Vec::new(),
        }
    }

    /// Forgets everything about a person.
    pub fn forget(&mut self, user: UserId) {
        self.sense.forget_person(user);
        self.bots.forget(user);
        self.attempts.forget(user);
        self.questions.retain(|question| question.author() != user);
    }
}

/// How the companion feels about a channel right now.
#[derive(Clone, Debug, Serialize)]
pub struct Mood {
    /// The willingness of the newest message, decayed to now, 0 … 1; none before the first.
    pub score: Option<f32>,
    /// What it has to reach unasked.
    pub bar: f32,
    /// What moves that.
    pub moved: Moved,
    /// Energy after earlier speech, 0 … 1.
    pub energy: f32,
    /// When the next beat looks.
    pub next_beat: Option<Millis>,
    /// How many messages no beat or turn has looked at.
    pub unseen: usize,
    /// The running turn.
    pub turn: Option<TurnId>,
    /// Until when it says nothing unasked because a member asked for quiet.
    pub quiet_until: Option<Millis>,
    /// How long ago it spoke.
    pub silent_for: Option<Millis>,
    /// How what it says is received.
    pub reception: Reception,
}
