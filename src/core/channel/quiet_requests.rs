//! A member asked for quiet: nothing unasked for a while, answered by one reaction and by no model.

use super::channel_state::ChannelState;
use super::demands::DecisionContext;
use crate::chat::{Author, AuthorKind, MINUTE, Message, MessageId, Millis};
use crate::effect::Effect;
use crate::policy::ChannelMode;
use crate::quiet_request::{QuietRequestKind, request};
use crate::style::ends_in_question;
use crate::willingness::{Signal, WillingnessScore};

/// So long ago at most it has spoken where words that name nobody can be meant for it.
const JUST_SPOKE: Millis = 2 * MINUTE;
/// From which share of the guess on its own lines such words are taken to answer one.
const ANSWERS_ME: f32 = 0.5;

impl ChannelState {
    /// Whether it is a plain request for quiet. A request to talk again ends it, and is an ordinary message then.
    pub(super) fn check_quiet_request(
        &mut self,
        message: &Message,
        score: &WillingnessScore,
    ) -> bool {
        if message.author.kind != AuthorKind::Person || !self.may_be_meant(message, score) {
            return false;
        }
        let asked = || {
            let own = self.timeline.own().next();
            own.is_some_and(|said| ends_in_question(&said.message.text))
        };
        let request = request(&message.text, &self.address_matcher.names);
        let Some(request) = request.filter(|request| !(request.may_answer && asked())) else {
            return false;
        };
        match request.kind {
            QuietRequestKind::Quiet => {
                let answers = score.values[Signal::AnswersMe as usize] >= ANSWERS_ME;
                score.address.is_some() || request.named || request.bot || answers
            }
            QuietRequestKind::Speak => {
                self.state.quiet.end(message.at);
                false
            }
        }
    }

    /// Whether a message can be about the companion's manners at all; costs nothing where it cannot.
    fn may_be_meant(&self, message: &Message, score: &WillingnessScore) -> bool {
        let spoke = || {
            self.state
                .sense
                .spoke_at()
                .is_some_and(|at| message.at - at <= JUST_SPOKE)
        };
        let seen = |signal: Signal| score.values[signal as usize] > 0.0;
        score.address.is_some()
            || seen(Signal::Named)
            || !seen(Signal::OtherAddressed) && (self.state.quiet.until > message.at || spoke())
    }

    /// Keeps quiet from `at` on, and shows once that it was understood: at `message`, asked for by `by`.
    pub(super) fn keep_quiet(
        &mut self,
        message: MessageId,
        by: &Author,
        at: Millis,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        if self.policy.mode != ChannelMode::On || !self.state.quiet.begin(at, context.now) {
            return;
        }
        self.state.sense.welcome.record_quiet_request(at);
        self.changed = true;
        if self.find_channel_refusal(true, context).is_none() {
            let emoji = self.policy.small_reactions.quiet.clone();
            self.send_small_reaction(message, by.id, emoji, context.now, effects);
        }
    }
}
