//! What a message has to reach here and now for unasked speech: a fixed probability in the companion's own conversation
//! and for joining in among friends; in a crowd the quantile the talkativeness asks for, moved by what the companion did
//! last and, a little, by chance. The quantile and its floor are in `willingness/score_histogram.rs`, the fixed ones by
//! talkativeness in `talkativeness.rs`.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::answer_candidate::{AnswerCandidate, CandidatePosition, log_odds};
use super::channel_state::ChannelState;
use super::demands::DecisionContext;
use super::pending_message::PendingMessage;
use crate::chat::{ChannelId, MessageId, Millis, SECOND, UserId};
use crate::policy::ReplayThreshold;
use crate::report::ThresholdShift;
use crate::talkativeness::{Talkativeness, blend_thresholds, compute_joining_threshold};
use crate::willingness::logistic;

/// Nothing unasked is wanted.
const NEVER: Talkativeness = Talkativeness::Hourly(0.0);
/// What the threshold rises by right after it spoke, for what is not part of its conversation: answering one person is no
/// reason to grab the next message. Log-odds, and how fast it fades.
const REST: f32 = 2.5;
const RESTS: Millis = 75 * SECOND;
/// What the threshold rises by in a crowd it knows nothing of, and by how many messages it gets to know it: the quantile there
/// is that of other rooms. Among friends the threshold is no quantile, and who is invited may speak from the first line. Log-odds.
const STRANGE: f32 = 1.5;
const GETS_TO_KNOW: f32 = 20.0;
/// What the threshold rises by when it has no energy left.
const TIRED: f32 = 2.0;
/// What it already meant to answer when it came in may fall this far below the threshold until it is decided on.
const MEANT: f32 = 0.5;
/// So near to the threshold chance decides, evenly: the threshold of one message lies up to this far from where it would.
const NEAR: f32 = 0.35;
impl ChannelState {
    /// The threshold for one message, as a probability, and what moved it.
    ///
    /// The companion's own conversation has a fixed one. Joining in has one by talkativeness: among friends a fixed
    /// probability; in a crowd, or where so many an hour are asked for, the quantile of the room's scores, moved by what
    /// the companion did last.
    pub(super) fn compute_threshold(
        &self,
        message: MessageId,
        position: CandidatePosition,
        reached_threshold: bool,
        now: Millis,
    ) -> (f32, ThresholdShift) {
        let (wanted, histogram) = (
            self.policy.talkativeness,
            self.state.sense.score_histogram(),
        );
        let CandidatePosition {
            own_conversation_share,
            crowd,
        } = position;
        let joining = compute_joining_threshold(wanted.level());
        let join_or_go_on =
            |join: f32| blend_thresholds(own_conversation_share, wanted.level(), join);
        let still = |log_odds: f32| (logistic(log_odds), ThresholdShift::default());
        match self.policy.replay_threshold {
            Some(_) if wanted == NEVER => return (1.0, ThresholdShift::default()),
            Some(ReplayThreshold::Chat) => {
                let in_crowd = log_odds(histogram.compute_threshold(wanted.level()));
                return still(join_or_go_on(crowd * in_crowd + (1.0 - crowd) * joining));
            }
            Some(ReplayThreshold::Points) => {
                let in_crowd = log_odds(histogram.compute_halfway_threshold(wanted.level()));
                return still(crowd * in_crowd + (1.0 - crowd) * join_or_go_on(joining));
            }
            None => {}
        }
        let Some(JoinThreshold {
            threshold,
            by_rate,
            moved: room,
        }) = self.compute_joining_threshold(crowd)
        else {
            return (1.0, ThresholdShift::default());
        };
        let since = self.state.sense.spoke_at().map(|at| now - at);
        let rests = since.map_or(0.0, |since| (-(since.max(0) as f32) / RESTS as f32).exp());
        let joins = 1.0 - own_conversation_share;
        let rated = by_rate * joins;
        let moved = ThresholdShift {
            spoke: rated * REST * rests,
            tired: rated * TIRED * (1.0 - self.state.sense.energy(now)),
            meant: if reached_threshold { -MEANT } else { 0.0 },
            chance: rated
                * NEAR
                * compute_chance(self.address_matcher.me, self.channel.id, message),
            strange: joins * room.strange,
            rate: joins * room.rate,
        };
        (logistic(join_or_go_on(threshold) + moved.sum()), moved)
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
        let (threshold, moved) = self.compute_threshold(
            unseen.id,
            CandidatePosition::from_score(&unseen.score),
            unseen.reached_threshold,
            context.now,
        );
        AnswerCandidate {
            id: unseen.id,
            author: unseen.author.id,
            score,
            threshold,
            moved,
            unseen: Some(unseen),
        }
    }

    /// The threshold while nothing but the room moves it, as a probability, and what of the room does.
    pub(super) fn compute_resting_threshold(&self) -> (f32, ThresholdShift) {
        let crowd = self
            .latest_score
            .as_ref()
            .map_or(0.0, |score| CandidatePosition::from_score(score).crowd);
        let Some(JoinThreshold {
            threshold, moved, ..
        }) = self.compute_joining_threshold(crowd)
        else {
            return (1.0, ThresholdShift::default());
        };
        (logistic(threshold + moved.sum()), moved)
    }

    /// What joining in takes in a room that is so much of a crowd; none where nothing unasked is wanted at all.
    fn compute_joining_threshold(&self, crowd: f32) -> Option<JoinThreshold> {
        let wanted = self.policy.talkativeness;
        if wanted == NEVER {
            return None;
        }
        let by_rate = if matches!(wanted, Talkativeness::Hourly(_)) {
            1.0
        } else {
            crowd
        };
        let (histogram, rate) = (self.state.sense.score_histogram(), &self.state.rate);
        let usual = histogram.quantile(wanted.compute_share(rate.pace()));
        let strange = STRANGE * (1.0 - histogram.known_message_count() / GETS_TO_KNOW).max(0.0);
        let rate = histogram.quantile(rate.compute_share(wanted)) - usual;
        Some(JoinThreshold {
            threshold: by_rate * usual
                + (1.0 - by_rate) * compute_joining_threshold(wanted.level()),
            by_rate,
            moved: ThresholdShift {
                strange: by_rate * strange,
                rate: by_rate * rate,
                ..ThresholdShift::default()
            },
        })
    }
}

#[derive(Clone, Copy, Debug)]
struct JoinThreshold {
    /// Where its talkativeness puts the threshold, in log-odds.
    threshold: f32,
    /// How much of that is the quantile of the room's scores, 0 … 1; the rest is the fixed one among friends.
    by_rate: f32,
    /// What the room and the controller move it by.
    moved: ThresholdShift,
}

/// −1 … 1, always the same for one message: looking again is no new chance.
fn compute_chance(me: UserId, channel: ChannelId, message: MessageId) -> f32 {
    let mut key = [0; 32];
    for (place, part) in key.chunks_exact_mut(8).zip([me.0, channel.0, message.0]) {
        place.copy_from_slice(&part.to_le_bytes());
    }
    ChaCha8Rng::from_seed(key).random_range(-1.0..1.0)
}
