//! What was learnt, as numbers and as the text of `data/weights.json`.

use anyhow::anyhow;
use serde_json::{Map, Value, json};

use super::{prior, reply_choice};
use kith_core::links::LinkClue;
use kith_core::willingness::{RoomKind, Signal, Weights};

/// Weights carry so many decimals: more would be noise.
const DECIMALS: i32 = 3;

#[derive(Clone, Debug, PartialEq)]
pub struct FittedModel {
    /// By kind of room: the constant, then the signals'.
    pub willingness: [Vec<f64>; 3],
    /// The clues', then the opening's.
    pub links: Vec<f64>,
}

impl FittedModel {
    pub fn from_priors() -> FittedModel {
        let (room, links) = (prior::willingness_prior().to, prior::link_prior().to);
        FittedModel {
            willingness: RoomKind::ALL.map(|_| room.clone()),
            links,
        }
    }

    /// As a weights file, which says where the numbers come from.
    pub fn to_json(&self, source: &str) -> String {
        let number = |value: f64| {
            let scale = 10f64.powi(DECIMALS);
            // Adding 0 makes a minus zero plain.
            json!((value * scale).round() / scale + 0.0)
        };
        let named = |first: (&str, f64), names: &[&str], values: &[f64]| {
            let rest = names.iter().copied().zip(values.iter().copied());
            std::iter::once(first)
                .chain(rest)
                .map(|(name, value)| (name.to_owned(), number(value)))
                .collect()
        };
        let (opening, clues) = self
            .links
            .split_last()
            .map_or((0.0, &[][..]), |(last, rest)| (*last, rest));
        let room = |kind: RoomKind| -> (String, Value) {
            let weights = &self.willingness[kind as usize];
            let (constant, signals) = weights
                .split_first()
                .map_or((0.0, &[][..]), |(first, rest)| (*first, rest));
            let named: Map<String, Value> =
                named(("bias", constant), &Signal::ALL.map(Signal::name), signals);
            (kind.name().to_owned(), Value::Object(named))
        };
        let willingness: Map<String, Value> = RoomKind::ALL.into_iter().map(room).collect();
        let links: Map<String, Value> = named(
            ("opening", opening),
            &LinkClue::ALL.map(LinkClue::name),
            clues,
        );
        let file = json!({"source": source, "willingness": willingness, "links": links});
        // Numbers and names always have a JSON form.
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }

    /// As the core takes them, with the file's decimals.
    ///
    /// # Errors
    /// Something learnt is no number.
    pub fn to_weights(&self) -> anyhow::Result<Weights> {
        debug_assert_eq!(
            (self.willingness[0].len(), self.links.len()),
            (prior::SIZE, reply_choice::SIZE)
        );
        Weights::parse(&self.to_json(""))
            .map_err(|error| anyhow!("what was learnt is no weights file: {error}"))
    }
}
