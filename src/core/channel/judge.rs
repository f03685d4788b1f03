//! When the judge is asked, a model that says whether a friend would speak now: where the score alone leaves that in doubt.
//! `daemon/judge.rs` asks it, `agent/judge.rs` has the question.

use super::answer_candidate::AnswerCandidate;
use super::channel_state::ChannelState;

/// So near to the threshold, in log-odds, a model is asked: among friends from .12 to .51 at the threshold of .28.
const DOUBT: f32 = 1.0;

impl ChannelState {
    /// Whether there is a judge, and the score alone should not decide.
    pub(super) fn should_ask_judge(&self, candidate: &AnswerCandidate<'_>) -> bool {
        self.policy.is_judged && !self.policy.is_replay && candidate.margin().abs() < DOUBT
    }
}
