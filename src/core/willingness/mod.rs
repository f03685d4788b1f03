//! The willingness: the probability that a good member would speak now, the logistic of a sum of named signals, scored
//! for each message when it arrives. Decides nothing: the lane holds it against the bar.

use super::chat::{MessageId, Millis, UserId};
use super::report::{Address, Term};

mod bar;
mod explain;
mod listener;
mod sense;
mod signals;
mod weights;
pub mod words;

pub use bar::{Bar, share};
pub use explain::explain;
pub use listener::{Listener, Listeners, Themes};
pub use sense::Sense;
pub use signals::{SIGNALS, Signal};
pub use weights::{Prior, Weights};

/// The willingness on one message as it was when the message arrived.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Which message.
    pub message: MessageId,
    /// Who wrote it.
    pub author: UserId,
    /// When.
    pub at: Millis,
    /// Direct address, and of which kind.
    pub address: Option<Address>,
    /// The willingness, 0 … 1.
    pub probability: f32,
    /// The same as log-odds: bias plus all values times their weights.
    pub logit: f32,
    /// The constant addend, log-odds.
    pub bias: f32,
    /// What was seen, by [`Signal`].
    pub values: [f32; SIGNALS],
}

impl Score {
    /// The addends that are not 0, in the signals' order; with the bias they sum up to the logit.
    pub fn terms(&self, weights: &Weights) -> Vec<Term> {
        let seen = Signal::ALL.into_iter().zip(self.values).filter(|(_, value)| *value != 0.0);
        let term = |(signal, value): (Signal, f32)| {
            let adds = value * weights.of(signal);
            Term { name: signal.name().to_owned(), value, adds }
        };
        seen.map(term).collect()
    }
}

/// The probability of log-odds.
pub fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
