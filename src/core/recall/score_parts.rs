//! Why a line ranks where it does: the parts its score is made of.

use serde::Serialize;

/// The parts of a line's score: what words and neighbours add, and its factors. A factor of 1 changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreParts {
    /// For the words of the question it holds itself.
    pub words: f64,
    /// For the words that the lines around it hold, and what it answers or what answers it.
    pub neighbours: f64,
    /// Factor for how much of the question was said in its talk.
    pub talk: f64,
    /// Factor for a talk in which the companion took part.
    pub companion: f64,
    pub time: f64,
    pub speaker: f64,
    /// Factor for a line that says when, where that is asked.
    pub says_when: f64,
    pub asks: f64,
    /// Factor for a line of a few words.
    pub brevity: f64,
}

impl ScoreParts {
    /// What all factors make of the sum of what was added.
    pub fn multiply(&self, sum: f64) -> f64 {
        let factors = [
            self.talk,
            self.companion,
            self.time,
            self.speaker,
            self.says_when,
            self.asks,
            self.brevity,
        ];
        factors.iter().fold(sum, |score, factor| score * factor)
    }
}
