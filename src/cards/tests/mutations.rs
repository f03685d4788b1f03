//! What a fuzzer does, without one: parts of cards in the place of other parts, lost, doubled and broken.

use kith_testkit::card_files::{
    make_archive, make_chinese_v2, make_packed_text, make_png, make_text, make_v1, make_v2,
    make_v3, make_world,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

use crate::hostile::{strange_value, survive};

/// The places of all values within one, as JSON pointers; its own comes first.
fn list_places(value: &Value) -> Vec<String> {
    let mut places = vec![String::new()];
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.replace('~', "~0").replace('/', "~1"), value))
            .collect(),
        Value::Array(values) => (0..)
            .map(|index: usize| index.to_string())
            .zip(values)
            .collect(),
        _ => Vec::new(),
    };
    for (name, value) in inner {
        places.extend(
            list_places(value)
                .into_iter()
                .map(|place| format!("/{name}{place}")),
        );
    }
    places
}

/// Puts a part of a card, or else a value of nobody's, in the place of another part.
fn replace_part(card: &mut Value, (to, from): (Index, Index), other: Option<Value>) {
    let places = list_places(card);
    let part = match other {
        Some(other) => other,
        None => card
            .pointer(&places[from.index(places.len())])
            .cloned()
            .unwrap_or_default(),
    };
    if let Some(there) = card.pointer_mut(&places[to.index(places.len())]) {
        *there = part;
    }
}

/// A change of bytes: where, from where, of how many, and to what.
type ByteChange = (u8, Index, Index, usize, u8);

fn change_bytes(bytes: &mut Vec<u8>, (kind, at, from, length, byte): ByteChange) {
    if bytes.is_empty() {
        return;
    }
    let size = bytes.len();
    let (at, from) = (at.index(size), from.index(size));
    let end = |start: usize| (start + length).min(size);
    match kind {
        0 => bytes[at] = byte,
        1 => drop(bytes.drain(at..end(at))),
        2 => {
            let piece = bytes[from..end(from)].to_vec();
            bytes.splice(at..at, piece);
        }
        _ => bytes.truncate(at),
    }
}

fn byte_change() -> impl Strategy<Value = ByteChange> {
    // Most are small: of a card that ends early little is left to be read.
    let kind = select(vec![0, 0, 0, 0, 1, 1, 2, 2, 3]);
    let any_place = any::<Index>();
    (kind, any_place, any::<Index>(), 1_usize..200, any::<u8>())
}

fn wrap(wrapping: u8, text: &[u8]) -> Vec<u8> {
    let card = String::from_utf8_lossy(text);
    match wrapping {
        0 => text.to_vec(),
        1 => make_png(&[(b"tEXt", make_text("chara", &card))]),
        2 => make_png(&[(b"zTXt", make_packed_text("ccv3", &card))]),
        _ => make_archive(&[("card.json", text), ("assets/icon/main.png", b"\x89PNG")]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "takes minutes; fuzz/README.md says what came of it"]
    fn a_hundred_thousand_mutated_cards_are_survived(
        which in 0_usize..5,
        parts in prop::collection::vec(
            ((any::<Index>(), any::<Index>()), prop::option::of(strange_value())),
            0..6,
        ),
        inside in prop::collection::vec(byte_change(), 0..3),
        wrapping in 0_u8..4,
        outside in prop::collection::vec(byte_change(), 0..3),
    ) {
        let cards = [make_v1(), make_v2(), make_v3(), make_chinese_v2(), make_world()];
        let mut card = cards[which].clone();
        for (places, other) in parts {
            replace_part(&mut card, places, other);
        }
        let mut text = card.to_string().into_bytes();
        inside.into_iter().for_each(|change| change_bytes(&mut text, change));
        let mut bytes = wrap(wrapping, &text);
        outside.into_iter().for_each(|change| change_bytes(&mut bytes, change));
        survive(&bytes);
    }
}
