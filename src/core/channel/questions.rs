//! Questions to the room that nobody has answered yet, and among friends bad or good news that nobody took up: the longer
//! one waits, the more it wants an answer, up to a point.
//! Looked at again a few times, without any model; numbers only, saved with the channel's state.

use super::answer_candidate::AnswerCandidate;
use super::channel_state::ChannelState;
use super::demands::DecisionContext;
use super::open_question::{CROWD, OpenQuestion, find_next_look, wants_an_answer};
use super::pending_message::PendingMessage;
use crate::chat::{MINUTE, MessageId, Millis, UserId};
use crate::willingness::RoomKind;

/// How many questions wait in one channel.
const KEPT: usize = 4;
const TOO_LATE: Millis = 10 * MINUTE;
impl ChannelState {
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
            let (threshold, shift) = self.compute_threshold(None, false);
            AnswerCandidate {
                id,
                author,
                score: question.score(now),
                threshold,
                shift,
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

    /// A decision let everything pass: the questions among it wait.
    pub(super) fn keep_questions(&mut self, context: DecisionContext<'_>) {
        if self.policy.is_replay {
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
        let asked = asked.filter(|unseen| !self.is_taken_up(unseen));
        let asked: Vec<OpenQuestion> = asked
            .filter_map(|unseen| OpenQuestion::from_message(unseen, now))
            .collect();
        self.state.questions.extend(asked);
        let surplus = self.state.questions.len().saturating_sub(KEPT);
        self.state.questions.drain(..surplus);
    }

    /// Whether it asks the room, or tells it news, and somebody has answered.
    pub(super) fn is_taken_up(&self, unseen: &PendingMessage) -> bool {
        let crowd = unseen.score.mix.share(RoomKind::Crowd) >= CROWD;
        let sense = &self.state.sense;
        wants_an_answer(&unseen.score) && sense.is_settled(unseen.id, unseen.author.id, crowd)
    }

    pub(super) fn question_due(&self) -> Option<Millis> {
        self.state
            .questions
            .iter()
            .map(|question| question.look_at)
            .min()
    }

    pub(super) fn drop_questions(&mut self, kept: impl Fn(MessageId, UserId) -> bool) {
        self.state
            .questions
            .retain(|question| kept(question.message, question.author));
    }
}
