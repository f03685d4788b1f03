//! A question that waits for an answer, and what waiting adds to its willingness.

use serde::{Deserialize, Serialize};

use super::pending_message::PendingMessage;
use crate::chat::{AuthorKind, MINUTE, MessageId, Millis, SECOND, UserId};
use crate::willingness::{RoomKind, Signal, WillingnessScore, logistic};

/// From when on waiting counts, when it counts fully, and by how much, in log-odds.
const GROWS_FROM: Millis = 20 * SECOND;
const GROWN_AT: Millis = 4 * MINUTE;
const GROWS_BY: f32 = 1.2;
/// From when on a room is so much of a crowd that what somebody says next is chance.
pub(super) const CROWD: f32 = 0.5;
/// At which ages it is looked at again.
const LOOKS: [Millis; 5] = [30 * SECOND, MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE];

/// A question to the room, or news told to it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenQuestion {
    pub(super) message: MessageId,
    pub(super) author: UserId,
    pub(super) at: Millis,
    /// Its willingness when it was asked, in log-odds.
    logit: f32,
    #[serde(default)]
    pub(super) crowd: f32,
    pub(super) look_at: Millis,
}

impl OpenQuestion {
    /// None if it is no question to the room and no news.
    pub(super) fn from_message(unseen: &PendingMessage, now: Millis) -> Option<Self> {
        let score = &unseen.score;
        let crowd = score.mix.share(RoomKind::Crowd);
        let wants = wants_an_answer(score) && unseen.author.kind == AuthorKind::Person;
        let question = Self {
            message: unseen.id,
            author: unseen.author.id,
            at: unseen.at,
            logit: score.logit - score.restraint,
            crowd,
            look_at: find_next_look(unseen.at, now)?,
        };
        wants.then_some(question)
    }

    pub(super) fn author(&self) -> UserId {
        self.author
    }

    /// Its willingness now: what it was, and what waiting adds.
    pub(super) fn score(&self, now: Millis) -> f32 {
        logistic(self.logit + compute_waiting_gain(now - self.at))
    }
}

/// Whether it asks the room, or among friends tells it news.
pub(super) fn wants_an_answer(score: &WillingnessScore) -> bool {
    let is_crowd = score.mix.share(RoomKind::Crowd) >= CROWD;
    score.address.is_none() && (is_room_question(score) || !is_crowd && is_news(score))
}

fn is_room_question(score: &WillingnessScore) -> bool {
    let seen = |signal: Signal| score.values[signal as usize];
    seen(Signal::Question) > 0.0
        && seen(Signal::OtherAddressed) == 0.0
        && seen(Signal::OpenQuestion) >= 0.2
}

/// Something is wrong with them, or went well, and they told nobody in particular.
pub(super) fn is_news(score: &WillingnessScore) -> bool {
    let seen = |signal: Signal| score.values[signal as usize];
    seen(Signal::Distress).max(seen(Signal::GoodNews)) > 0.0 && seen(Signal::OtherAddressed) == 0.0
}

/// What waiting adds, in log-odds: nothing at first, then more slowly, then no more.
fn compute_waiting_gain(age: Millis) -> f32 {
    let steps = |age: Millis| (age as f32 / GROWS_FROM as f32).ln();
    GROWS_BY * (steps(age.max(GROWS_FROM)) / steps(GROWN_AT)).min(1.0)
}

pub(super) fn find_next_look(asked: Millis, now: Millis) -> Option<Millis> {
    LOOKS.iter().map(|age| asked + age).find(|at| *at > now)
}
