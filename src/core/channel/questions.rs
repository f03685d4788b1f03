//! Questions to the room that nobody has answered yet, and among friends bad or good news that nobody took up: the longer
//! one waits, the more it wants an answer, up to a point.
//! Looked at again a few times, without any model; numbers only, saved with the channel's state.

use serde::{Deserialize, Serialize};

use super::pending::PendingMessage;
use super::threshold::{AnswerCandidate, CandidatePosition};
use super::{ChannelState, DecisionContext};
use crate::chat::{AuthorKind, MINUTE, MessageId, Millis, SECOND, UserId};
use crate::willingness::{Signal, WillingnessScore, logistic};

/// How many questions wait in one channel.
const KEPT: usize = 4;
/// From when on waiting counts, when it counts fully, and by how much, in log-odds.
const GROWS_FROM: Millis = 20 * SECOND;
const GROWN_AT: Millis = 4 * MINUTE;
const GROWS_BY: f32 = 1.2;
/// From when on an answer would come too late.
const TOO_LATE: Millis = 10 * MINUTE;
/// From when on a room is so much of a crowd that what somebody says next is chance.
const CROWD: f32 = 0.5;
/// At which ages it is looked at again.
const LOOKS: [Millis; 5] = [30 * SECOND, MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE];

/// A question to the room, or news told to it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenQuestion {
    message: MessageId,
    author: UserId,
    at: Millis,
    /// Its willingness when it was asked, in log-odds.
    logit: f32,
    /// How much the room was a crowd.
    #[serde(default)]
    crowd: f32,
    /// When it is looked at again.
    look_at: Millis,
}

impl OpenQuestion {
    /// None if it is no question to the room and no news.
    pub(super) fn from_message(unseen: &PendingMessage, now: Millis) -> Option<Self> {
        let score = &unseen.score;
        let crowd = CandidatePosition::from_score(score).crowd;
        let wants = is_room_question(score) || crowd < CROWD && is_news(score);
        let wants = wants && unseen.author.kind == AuthorKind::Person && score.address.is_none();
        let question = Self {
            message: unseen.id,
            author: unseen.author.id,
            at: unseen.at,
            logit: score.logit,
            crowd,
            look_at: find_next_look(unseen.at, now)?,
        };
        wants.then_some(question)
    }

    /// Who asked.
    pub(super) fn author(&self) -> UserId {
        self.author
    }

    fn position(&self) -> CandidatePosition {
        CandidatePosition {
            own_conversation_share: 0.0,
            crowd: self.crowd,
        }
    }

    /// Its willingness now: what it was, and what waiting adds.
    fn score(&self, now: Millis) -> f32 {
        logistic(self.logit + compute_waiting_gain(now - self.at))
    }
}

impl ChannelState {
    /// The waiting questions that may be answered, as they are now.
    pub(super) fn question_candidates(
        &self,
        now: Millis,
    ) -> impl Iterator<Item = AnswerCandidate<'_>> {
        self.state.questions.iter().map(move |question| {
            let OpenQuestion {
                message: id,
                author,
                ..
            } = *question;
            let (threshold, moved) = self.compute_threshold(id, question.position(), false, now);
            AnswerCandidate {
                id,
                author,
                score: question.score(now),
                threshold,
                moved,
                unseen: None,
            }
        })
    }

    /// Lets go of the questions that are settled and of those that are too old.
    pub(super) fn drop_settled_questions(&mut self, now: Millis) {
        let sense = &self.state.sense;
        let waits = |question: &OpenQuestion| {
            let crowd = question.crowd >= CROWD;
            now - question.at < TOO_LATE
                && !sense.is_settled(question.message, question.author, crowd)
        };
        self.state.questions.retain(waits);
    }

    /// A beat let everything pass: the questions among it wait.
    pub(super) fn keep_questions(&mut self, context: DecisionContext<'_>) {
        if self.policy.replay_threshold.is_some() {
            return;
        }
        let now = context.now;
        self.state
            .questions
            .retain_mut(|question| match find_next_look(question.at, now) {
                Some(look_at) => {
                    question.look_at = look_at;
                    true
                }
                None => false,
            });
        let due = self.unseen.iter().filter(|unseen| !unseen.is_waiting(now));
        let asked = due.filter(|unseen| self.find_message_refusal(unseen, now).is_none());
        let settled = |unseen: &&PendingMessage| {
            let crowd = CandidatePosition::from_score(&unseen.score).crowd >= CROWD;
            self.state
                .sense
                .is_settled(unseen.id, unseen.author.id, crowd)
        };
        let asked = asked.filter(|unseen| !settled(unseen));
        let asked: Vec<OpenQuestion> = asked
            .filter_map(|unseen| OpenQuestion::from_message(unseen, now))
            .collect();
        self.state.questions.extend(asked);
        let surplus = self.state.questions.len().saturating_sub(KEPT);
        self.state.questions.drain(..surplus);
    }

    /// When a waiting question is looked at again.
    pub(super) fn question_due(&self) -> Option<Millis> {
        self.state
            .questions
            .iter()
            .map(|question| question.look_at)
            .min()
    }

    /// Lets go of the questions that are not `kept`.
    pub(super) fn drop_questions(&mut self, kept: impl Fn(MessageId, UserId) -> bool) {
        self.state
            .questions
            .retain(|question| kept(question.message, question.author));
    }
}

fn is_room_question(score: &WillingnessScore) -> bool {
    let seen = |signal: Signal| score.values[signal as usize];
    seen(Signal::Question) > 0.0
        && seen(Signal::OtherAddressed) == 0.0
        && seen(Signal::OpenQuestion) >= 0.2
}

/// Something is wrong with them, or went well, and they told nobody in particular.
fn is_news(score: &WillingnessScore) -> bool {
    let seen = |signal: Signal| score.values[signal as usize];
    seen(Signal::Distress).max(seen(Signal::GoodNews)) > 0.0 && seen(Signal::OtherAddressed) == 0.0
}

/// What waiting adds, in log-odds: nothing at first, then more slowly, then no more.
fn compute_waiting_gain(age: Millis) -> f32 {
    let steps = |age: Millis| (age as f32 / GROWS_FROM as f32).ln();
    GROWS_BY * (steps(age.max(GROWS_FROM)) / steps(GROWN_AT)).min(1.0)
}

fn find_next_look(asked: Millis, now: Millis) -> Option<Millis> {
    LOOKS.iter().map(|age| asked + age).find(|at| *at > now)
}
