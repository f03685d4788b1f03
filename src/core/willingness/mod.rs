//! The willingness: the probability that a good member would speak now, the logistic of a sum of named signals, scored
//! for each message when it arrives: `features.rs` scores, by the sum in
//! `core/weights.rs`. Decides nothing: the channel holds it against the threshold.

use std::collections::VecDeque;

use super::chat::{MessageId, Millis, UserId};
use super::report::{DirectAddress, ScoreTerm};

mod address_matcher;
mod explain;
mod features;
mod reception;

pub use super::curve::logistic;
use super::curve::{HOUR_SECONDS, exponential_decay, scale_logarithmically};
pub use super::signal::{SIGNALS, Signal};
pub use super::weights::{RoomKind, RoomMix, RoomWeights, Weights, weighted_sum};
pub use address_matcher::{AddressMatcher, AddressMatchers, ThemeError, Themes};
pub use explain::{
    DecisionNames, describe_main_reason, describe_shift, describe_threshold, explain_decision,
    format_signed, list_differences, list_reasons, sum_reasons,
};
pub use features::{Acquaintance, ChannelFeatures};
pub use reception::{ReceptionStats, ReceptionSummary};

/// The willingness on one message as it was when the message arrived.
#[derive(Clone, Debug, PartialEq)]
pub struct WillingnessScore {
    pub message: MessageId,
    pub author: UserId,
    pub at: Millis,
    /// Direct address, and of which kind.
    pub address: Option<DirectAddress>,
    /// The willingness, 0 … 1.
    pub probability: f32,
    /// The same as log-odds: bias plus all values times their weights, but for restraint.
    pub logit: f32,
    /// What having spoken a moment ago adds to the threshold, log-odds.
    pub restraint: f32,
    /// The constant addend, log-odds.
    pub bias: f32,
    /// What was seen, by [`Signal`].
    pub values: [f32; SIGNALS],
    pub mix: RoomMix,
}

impl WillingnessScore {
    /// How much the message belongs to a conversation with the companion, 0 … 1: a guess below 0.3 says nothing, one above
    /// 0.7 is taken as certain. A line soon after the companion's belongs to it unless it is for somebody else or the
    /// companion's was; in a crowd it is chance. Bad news told with nobody else there belongs to it for certain.
    pub fn own_conversation_share(&self) -> f32 {
        let signs = [
            Signal::AnswersMe,
            Signal::MyConversation,
            Signal::ContinuesToMe,
        ];
        let seen = |signal: Signal| self.values[signal as usize];
        if seen(Signal::AloneDistress) > 0.0 {
            // With nobody else there it is told to the companion or to nobody.
            return 1.0;
        }
        let elsewhere = seen(Signal::NamesOther).max(seen(Signal::OtherAddressed)) > 0.0
            || seen(Signal::TalkElsewhere) > 0.0;
        let near = if elsewhere {
            0.0
        } else {
            seen(Signal::Talk) * (1.0 - self.mix.share(RoomKind::Crowd))
        };
        let guess = signs.into_iter().map(seen).fold(near, f32::max);
        seen(Signal::Hold) * ((guess - 0.3) / 0.4).clamp(0.0, 1.0)
    }

    /// Whether it goes on in the companion's own conversation: no rate and no quantile counts it.
    pub fn is_own_conversation(&self) -> bool {
        self.own_conversation_share() >= 0.5
    }

    /// Whether it turns to the companion and wants an answer: names it, or in its talk answers, asks or requests right after
    /// it spoke, or goes on where nobody else wrote since.
    pub fn wants_reply(&self) -> bool {
        let seen = |signal: Signal| self.values[signal as usize] > 0.0;
        let wants = [
            Signal::TalkAnswer,
            Signal::TalkQuestion,
            Signal::TalkRequest,
        ];
        let waits =
            seen(Signal::TalkDirect) && (!seen(Signal::TalkFirst) || wants.into_iter().any(seen));
        seen(Signal::Named) || self.is_own_conversation() && waits
    }

    /// The addends of what was seen, in the signals' order; with the bias they sum up to the logit.
    pub fn terms(&self, weights: &Weights) -> Vec<ScoreTerm> {
        let seen = Signal::ALL
            .into_iter()
            .zip(self.values)
            .filter(|(_, value)| *value != 0.0);
        let term = |(signal, value): (Signal, f32)| {
            let weight = weights.of(signal, self.mix) - weights.restraint_of(signal, self.mix);
            let adds = value * weight;
            ScoreTerm {
                name: signal.name().to_owned(),
                value,
                adds,
            }
        };
        seen.map(term).collect()
    }
}

/// Puts an item into a ring of so many at most.
fn push<T>(ring: &mut VecDeque<T>, item: T, most: usize) {
    while ring.len() >= most {
        ring.pop_front();
    }
    ring.push_back(item);
}
