//! What a message has to reach here and now for unasked speech: a probability by talkativeness, raised by how much the
//! companion has said for the company it keeps and by what of that nobody took up (`willingness/features/company.rs`).

use super::answer_candidate::AnswerCandidate;
use super::channel_state::ChannelState;
use super::demands::DecisionContext;
use super::pending_message::PendingMessage;
use crate::report::ThresholdShift;
use crate::talkativeness::{blend_thresholds, compute_joining_threshold};
use crate::willingness::{WillingnessScore, logistic};

/// What it already meant to answer when it came in may fall this far below the threshold until it is decided on.
const MEANT: f32 = 0.5;
/// What is told of the remarks that nobody took up where they silence it, in log-odds.
const SILENCED: f32 = 4.0;

impl ChannelState {
    /// The threshold for a message of this score, as a probability, and what moved it; without a score that for beginning by
    /// itself. What belongs to a conversation with the companion is raised by nothing but that it spoke a moment ago.
    pub(super) fn compute_threshold(
        &self,
        score: Option<&WillingnessScore>,
        reached_threshold: bool,
    ) -> (f32, ThresholdShift) {
        let (wanted, sense) = (self.policy.talkativeness, &self.state.sense);
        if wanted.is_never() {
            return (1.0, ThresholdShift::default());
        }
        let level = wanted.level();
        let own_conversation_share = score.map_or(0.0, WillingnessScore::own_conversation_share);
        let joins = 1.0 - own_conversation_share;
        let (allowance, unheeded) = (sense.allowance_cost(wanted), sense.unheeded_cost(level));
        let shift = ThresholdShift {
            restraint: score.map_or(0.0, |score| score.restraint),
            allowance: joins * allowance,
            unheeded: joins * unheeded.unwrap_or(SILENCED),
            unheeded_remarks: sense.unheeded_remarks(),
            meant: if reached_threshold {
                -MEANT * own_conversation_share
            } else {
                0.0
            },
        };
        if unheeded.is_none() && joins > 0.5 {
            return (1.0, shift);
        }
        let base = blend_thresholds(
            own_conversation_share,
            level,
            compute_joining_threshold(level),
        );
        (logistic(base + shift.sum()), shift)
    }

    /// A message with its score, decayed to now, and its threshold.
    pub(super) fn build_candidate<'a>(
        &self,
        unseen: &'a PendingMessage,
        context: DecisionContext<'_>,
    ) -> AnswerCandidate<'a> {
        let score = self
            .state
            .sense
            .decay_score(&unseen.score, context.now, context.weights);
        let (threshold, shift) =
            self.compute_threshold(Some(&unseen.score), unseen.reached_threshold);
        AnswerCandidate {
            id: unseen.id,
            author: unseen.author.id,
            score,
            threshold,
            shift,
            unseen: Some(unseen),
        }
    }
}
