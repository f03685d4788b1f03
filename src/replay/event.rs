//! What a replay tells while it runs.

use kith_core::report::MessageDecision;

pub enum ReplayEvent<'a> {
    MessageHeard {
        own: bool,
    },
    MessageDecided(FinalDecision<'a>),
    /// A turn started and a model would have been asked.
    ModelAsked {
        /// The prompt's size in estimated tokens.
        tokens: u32,
    },
    /// A turn was run to its end; what woke it and what came of it.
    TurnFinished {
        transcript: String,
    },
}

pub struct FinalDecision<'a> {
    pub id: &'a str,
    pub decision: &'a MessageDecision,
    /// The score when the message came in, before anybody knew whether its author would write on.
    pub at_arrival: f32,
    /// The prompt that would have been sent, where it would speak and prompts are wanted.
    pub prompt: Option<String>,
}

pub type ReplaySink<'a> = dyn FnMut(ReplayEvent<'_>) -> anyhow::Result<()> + 'a;
