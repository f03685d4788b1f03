//! `data/weights.json`: the numbers of the gate, each under the name the code knows it by. A name too many or too few is
//! an error, so that file and code cannot drift apart.
//!
//! A signal has one weight for each kind of room, because the same thing means different things there: among five friends
//! a line right after the companion's is for it, on a help channel of fifty it is chance. A room is a mixture of the kinds
//! ([`RoomMix`]), and a weight is the mean of the kinds' weights by that mixture.

use serde_json::{Map, Value};

use super::link_clue::{CLUES, LinkClue};
use super::signal::{SIGNALS, Signal};

/// The kinds of room weights are learnt in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoomKind {
    Friends,
    /// Many people, most of whom do not know each other.
    Crowd,
    /// Three people who take turns, each as talkative as the others, the companion among them.
    Turns,
}

impl RoomKind {
    /// All of them, in the order of a mixture's shares.
    pub const ALL: [RoomKind; 3] = [RoomKind::Friends, RoomKind::Crowd, RoomKind::Turns];

    /// Its name in `data/weights.json`.
    pub fn name(self) -> &'static str {
        match self {
            RoomKind::Friends => "friends",
            RoomKind::Crowd => "crowd",
            RoomKind::Turns => "turns",
        }
    }
}

/// How much a room is of each kind; the shares sum up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomMix([f32; 3]);

impl RoomMix {
    /// A room that is `turns` (0 … 1) of three people taking turns, and of the rest `crowd` (0 … 1) a crowd.
    pub fn new(crowd: f32, turns: f32) -> RoomMix {
        RoomMix([(1.0 - turns) * (1.0 - crowd), (1.0 - turns) * crowd, turns])
    }

    pub fn share(self, kind: RoomKind) -> f32 {
        self.0[kind as usize]
    }
}

/// What the signals weigh in one kind of room.
#[derive(Clone, Debug, PartialEq)]
pub struct RoomWeights {
    /// The constant addend, log-odds.
    pub bias: f32,
    /// What each signal weighs, log-odds for a value of 1.
    pub signals: [f32; SIGNALS],
}

/// The numbers of the gate.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    rooms: [RoomWeights; 3],
    /// What each clue weighs when guessing which line a message answers.
    clues: [f32; CLUES],
    /// The log-odds of a message that opens a conversation, before its clues.
    pub opening: f32,
}

impl Weights {
    pub fn load_embedded() -> Weights {
        // The file is part of the program and src/core/tests/willingness.rs reads it: the alternative is never taken.
        Weights::parse(include_str!("../../data/weights.json")).unwrap_or(Weights {
            rooms: RoomKind::ALL.map(|_| RoomWeights {
                bias: -2.0,
                signals: [0.0; SIGNALS],
            }),
            clues: [0.0; CLUES],
            opening: 0.0,
        })
    }

    /// Reads a weights file.
    ///
    /// # Errors
    /// One sentence that names the part and the name in it that is missing, unknown (with the nearest known one) or no
    /// number.
    pub fn parse(json: &str) -> Result<Weights, String> {
        let value: Value =
            serde_json::from_str(json).map_err(|error| format!("weights: not JSON: {error}"))?;
        let part = |name: &str| {
            value
                .get(name)
                .and_then(Value::as_object)
                .ok_or_else(|| format!("weights: the object \"{name}\" is missing"))
        };
        let (willingness, links) = (part("willingness")?, part("links")?);
        check_names(
            "willingness",
            willingness,
            &RoomKind::ALL.map(RoomKind::name),
        )?;
        let clue_names = LinkClue::ALL.map(LinkClue::name);
        let known: Vec<&str> = clue_names.iter().copied().chain(["opening"]).collect();
        check_names("links", links, &known)?;
        let mut weights = Weights {
            rooms: [
                parse_room(willingness, RoomKind::Friends)?,
                parse_room(willingness, RoomKind::Crowd)?,
                parse_room(willingness, RoomKind::Turns)?,
            ],
            clues: [0.0; CLUES],
            opening: parse_number("links", links, "opening")?,
        };
        for (place, name) in weights.clues.iter_mut().zip(clue_names) {
            *place = parse_number("links", links, name)?;
        }
        Ok(weights)
    }

    /// What a signal weighs in a room, log-odds for a value of 1.
    pub fn of(&self, signal: Signal, mix: RoomMix) -> f32 {
        RoomKind::ALL
            .into_iter()
            .map(|kind| mix.share(kind) * self.room(kind).signals[signal as usize])
            .sum()
    }

    /// The constant addend in a room, log-odds.
    pub fn bias(&self, mix: RoomMix) -> f32 {
        RoomKind::ALL
            .into_iter()
            .map(|kind| mix.share(kind) * self.room(kind).bias)
            .sum()
    }

    /// The log-odds of these values in a room.
    pub fn logit(&self, values: &[f32; SIGNALS], mix: RoomMix) -> f32 {
        let kinds = RoomKind::ALL
            .into_iter()
            .filter(|kind| mix.share(*kind) > 0.0);
        kinds
            .map(|kind| {
                mix.share(kind)
                    * (self.room(kind).bias + weighted_sum(values, &self.room(kind).signals))
            })
            .sum()
    }

    /// What having spoken a moment ago adds to the threshold, log-odds.
    pub fn restraint(&self, values: &[f32; SIGNALS], mix: RoomMix) -> f32 {
        let of = |signal: Signal| values[signal as usize] * self.restraint_of(signal, mix);
        -Signal::RESTRAINTS.into_iter().map(of).sum::<f32>()
    }

    /// What of a signal's weight is restraint: no part of the score, but of the threshold. In a crowd, where few know each
    /// other, who has just spoken is none the likelier to speak next.
    pub fn restraint_of(&self, signal: Signal, mix: RoomMix) -> f32 {
        let is_held = Signal::RESTRAINTS.contains(&signal);
        let kinds = RoomKind::ALL.into_iter();
        let of = |kind: RoomKind| mix.share(kind) * self.room(kind).signals[signal as usize];
        kinds
            .filter(|kind| is_held && *kind != RoomKind::Crowd)
            .map(of)
            .sum()
    }

    pub fn room(&self, kind: RoomKind) -> &RoomWeights {
        &self.rooms[kind as usize]
    }

    /// What the clues weigh, in their order.
    pub fn clues(&self) -> &[f32; CLUES] {
        &self.clues
    }
}

/// Values times their weights, added up in lanes: one chain of additions would take most of a guess's time.
#[inline]
pub fn weighted_sum<const N: usize>(values: &[f32; N], weights: &[f32; N]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0f32; LANES];
    let (parts, of_parts) = (values.chunks_exact(LANES), weights.chunks_exact(LANES));
    let rest = parts
        .remainder()
        .iter()
        .zip(of_parts.remainder())
        .map(|(value, weight)| value * weight)
        .sum::<f32>();
    for (values, weights) in parts.zip(of_parts) {
        for lane in 0..LANES {
            sums[lane] += values[lane] * weights[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

fn parse_room(willingness: &Map<String, Value>, kind: RoomKind) -> Result<RoomWeights, String> {
    let part = format!("willingness.{}", kind.name());
    let object = willingness.get(kind.name()).and_then(Value::as_object);
    let object = object.ok_or_else(|| format!("weights: the object \"{part}\" is missing"))?;
    let names = Signal::ALL.map(Signal::name);
    let known: Vec<&str> = names.iter().copied().chain(["bias"]).collect();
    check_names(&part, object, &known)?;
    let mut weights = RoomWeights {
        bias: parse_number(&part, object, "bias")?,
        signals: [0.0; SIGNALS],
    };
    for (place, name) in weights.signals.iter_mut().zip(names) {
        *place = parse_number(&part, object, name)?;
    }
    Ok(weights)
}

fn check_names(part: &str, object: &Map<String, Value>, known: &[&str]) -> Result<(), String> {
    for name in object.keys() {
        if !known.contains(&name.as_str()) {
            let nearest = known
                .iter()
                .min_by_key(|other| levenshtein_distance(name, other))
                .copied()
                .unwrap_or_default();
            return Err(format!(
                "weights: {part}.{name} is not known; did you mean \"{nearest}\"?"
            ));
        }
    }
    Ok(())
}

fn parse_number(part: &str, object: &Map<String, Value>, name: &str) -> Result<f32, String> {
    let value = object
        .get(name)
        .ok_or_else(|| format!("weights: {part}.{name} is missing"))?;
    let number = value
        .as_f64()
        .ok_or_else(|| format!("weights: {part}.{name} is {value}, not a number"))?;
    Ok(number as f32)
}

/// Levenshtein distance in bytes; names are ASCII.
fn levenshtein_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or(usize::MAX - 1);
            let cost = (diagonal + usize::from(x != y))
                .min(left + 1)
                .min(above + 1);
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
