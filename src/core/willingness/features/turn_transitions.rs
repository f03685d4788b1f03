//! How the companion's turns came about, as shares that forget: whether it is one who steps in where others ask.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnTransition {
    /// It spoke to somebody who had not called it and whom it had not talked with.
    StepsIn,
    /// It spoke to nobody in particular.
    Starts,
    /// It went on talking with somebody.
    GoesOn,
}

/// Counts of turns; each turn leaves this much of the earlier ones.
const LEAVES: f32 = 0.9;

/// How its turns came about, older ones counting less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TurnTransitions {
    stepped_in: f32,
    started: f32,
    all: f32,
}

impl TurnTransitions {
    pub fn count_turn(&mut self, step: TurnTransition) {
        let one = |of: TurnTransition| f32::from(u8::from(of == step));
        self.stepped_in = self.stepped_in * LEAVES + one(TurnTransition::StepsIn);
        self.started = self.started * LEAVES + one(TurnTransition::Starts);
        self.all = self.all * LEAVES + 1.0;
    }

    /// The share of turns in which it stepped in, smoothed towards none.
    pub fn step_in_share(&self) -> f32 {
        self.stepped_in / (self.all + 1.0)
    }

    /// The share of turns in which it spoke to nobody in particular, smoothed towards none.
    pub fn start_share(&self) -> f32 {
        self.started / (self.all + 1.0)
    }
}
