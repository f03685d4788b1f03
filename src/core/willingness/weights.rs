//! `data/weights.json`: the numbers of the gate, each under the name the code knows it by. A name too many or too few is
//! an error, so that file and code cannot drift apart.

use serde_json::{Map, Value};

use super::signals::{SIGNALS, Signal};
use crate::core::links::{CLUES, Clue};

/// The numbers of the gate.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The constant addend, log-odds.
    pub bias: f32,
    /// What each signal weighs, log-odds for a value of 1.
    signals: [f32; SIGNALS],
    /// What each clue weighs when guessing which line a message answers.
    clues: [f32; CLUES],
    /// The log-odds of a message that opens a conversation, before its clues.
    pub opening: f32,
    /// What the bar expects of scores before it has heard any.
    pub prior: Prior,
}

/// Where scores lie in a channel nobody has listened to: a logistic distribution of log-odds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// Its middle, log-odds.
    pub middle: f32,
    /// Its scale, log-odds.
    pub spread: f32,
}

impl Weights {
    /// The weights this build was made with.
    pub fn embedded() -> Weights {
        // The file is part of the program and tests/willingness.rs reads it: the alternative is never taken.
        Weights::parse(include_str!("../../../data/weights.json")).unwrap_or(Weights {
            bias: -2.0,
            signals: [0.0; SIGNALS],
            clues: [0.0; CLUES],
            opening: 0.0,
            prior: Prior { middle: -2.0, spread: 1.0 },
        })
    }

    /// Reads a weights file.
    ///
    /// # Errors
    /// One sentence that names the part and the name in it that is missing, unknown (with the nearest known one) or no
    /// number.
    pub fn parse(json: &str) -> Result<Weights, String> {
        let value: Value = serde_json::from_str(json).map_err(|error| format!("weights: not JSON: {error}"))?;
        let part = |name: &str| {
            value
                .get(name)
                .and_then(Value::as_object)
                .ok_or_else(|| format!("weights: the object \"{name}\" is missing"))
        };
        let (willingness, links, bar) = (part("willingness")?, part("links")?, part("bar")?);
        let names = Signal::ALL.map(Signal::name);
        let known: Vec<&str> = names.iter().copied().chain(["bias"]).collect();
        check_names("willingness", willingness, &known)?;
        let clue_names = Clue::ALL.map(Clue::name);
        let known: Vec<&str> = clue_names.iter().copied().chain(["opening"]).collect();
        check_names("links", links, &known)?;
        check_names("bar", bar, &["middle", "spread"])?;
        let mut weights = Weights {
            bias: number("willingness", willingness, "bias")?,
            signals: [0.0; SIGNALS],
            clues: [0.0; CLUES],
            opening: number("links", links, "opening")?,
            prior: Prior { middle: number("bar", bar, "middle")?, spread: number("bar", bar, "spread")?.max(0.05) },
        };
        for (place, name) in weights.signals.iter_mut().zip(names) {
            *place = number("willingness", willingness, name)?;
        }
        for (place, name) in weights.clues.iter_mut().zip(clue_names) {
            *place = number("links", links, name)?;
        }
        Ok(weights)
    }

    /// A number that other weights do not have (FNV-1a, 64 bits): scores of different weights cannot be compared.
    pub fn fingerprint(&self) -> u64 {
        let one = [self.bias, self.opening, self.prior.middle, self.prior.spread];
        let numbers = one.iter().chain(&self.signals).chain(&self.clues);
        let bytes = numbers.flat_map(|number| number.to_bits().to_le_bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// What a signal weighs.
    pub fn of(&self, signal: Signal) -> f32 {
        self.signals.get(signal as usize).copied().unwrap_or(0.0)
    }

    /// What the signals weigh, in their order.
    pub fn signals(&self) -> &[f32; SIGNALS] {
        &self.signals
    }

    /// What the clues weigh, in their order.
    pub fn clues(&self) -> &[f32; CLUES] {
        &self.clues
    }
}

/// Values times their weights, added up in lanes: one chain of additions would take most of a guess's time.
#[inline]
pub fn weighted<const N: usize>(values: &[f32; N], weights: &[f32; N]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0f32; LANES];
    let (parts, of_parts) = (values.chunks_exact(LANES), weights.chunks_exact(LANES));
    let rest = parts.remainder().iter().zip(of_parts.remainder()).map(|(value, weight)| value * weight).sum::<f32>();
    for (values, weights) in parts.zip(of_parts) {
        for lane in 0..LANES {
            sums[lane] += values[lane] * weights[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

fn check_names(part: &str, object: &Map<String, Value>, known: &[&str]) -> Result<(), String> {
    for name in object.keys() {
        if !known.contains(&name.as_str()) {
            let nearest = known.iter().min_by_key(|other| distance(name, other)).copied().unwrap_or_default();
            return Err(format!("weights: {part}.{name} is not known; did you mean \"{nearest}\"?"));
        }
    }
    Ok(())
}

fn number(part: &str, object: &Map<String, Value>, name: &str) -> Result<f32, String> {
    let value = object.get(name).ok_or_else(|| format!("weights: {part}.{name} is missing"))?;
    let number = value.as_f64().ok_or_else(|| format!("weights: {part}.{name} is {value}, not a number"))?;
    Ok(number as f32)
}

/// Levenshtein distance in bytes; names are ASCII.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or(usize::MAX - 1);
            let cost = (diagonal + usize::from(x != y)).min(left + 1).min(above + 1);
            if let Some(place) = row.get_mut(j) {
                *place = left;
            }
            (diagonal, left) = (above, cost);
        }
        if let Some(place) = row.last_mut() {
            *place = left;
        }
    }
    row.last().copied().unwrap_or(a.len())
}
