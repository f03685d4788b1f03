//! The tests of `surrogates.rs`, of what nobody outside its crate can see.

use proptest::prelude::*;

use super::*;

/// What becomes of a text whose JSON comes in these pieces.
fn read(pieces: &[&str]) -> String {
    let mut joiner = SurrogateJoiner::default();
    let mut out = String::new();
    let read = pieces
        .iter()
        .map(|piece| parse_json(&format!("\"{piece}\"")).unwrap_or_default());
    let read = read.map(|value| AnswerPiece::Text(value.as_str().unwrap_or("?").to_owned()));
    for piece in read.chain([AnswerPiece::Done]) {
        for piece in joiner.join_pieces(vec![piece]) {
            if let AnswerPiece::Text(text) = piece {
                out.push_str(&text);
            }
        }
    }
    out
}

#[test]
fn halves_become_their_character_or_are_told_apart_as_lost() {
    for (pieces, wanted) in [
        (&[r"ha \ud83d\ude02!"][..], "ha 😂!"),
        (&[r"ha \ud83d", r"\ude02!"], "ha 😂!"),
        (&[r"\ud83d", r"\ude02\ud83d", r"\ude02"], "😂😂"),
        (&[r"\ud83d"], "\u{fffd}"),
        (&[r"a\ud83d", "b"], "a\u{fffd}b"),
        (&[r"\ude02\ud83d!"], "\u{fffd}\u{fffd}!"),
        (&[r"\ud83d\ud83d", r"\ude02"], "\u{fffd}😂"),
        (&[r"\\ud83d \\\ud83d"], "\\ud83d \\\u{fffd}"),
        (
            &[r"\ud800\udbfc", r"\udc00 \udbfc\udc00"],
            "\u{fffd}\u{10f000} \u{10f000}",
        ),
        (
            &["\u{10f000}\u{10f7ff} \u{10ffff}"],
            "\u{10f000}\u{10f7ff} \u{10ffff}",
        ),
    ] {
        assert_eq!(read(pieces), wanted, "{pieces:?}");
    }
    assert!(parse_json(r#""\ud83d"#).is_err() && parse_json(r#""\uzzzz""#).is_err());
}

proptest! {
    #[test]
    fn what_json_takes_is_read_as_json(text: String) {
        let json = serde_json::to_string(&text).unwrap_or_default();
        prop_assert_eq!(parse_json(&json).ok(), Some(Value::String(text)));
    }

    #[test]
    fn a_text_of_halves_is_read_alike_however_it_is_cut(
        units in prop::collection::vec(prop_oneof![0xD800u16..=0xDFFF, 0xDBFBu16..=0xDC01, 0x41u16..=0x45], 0..12),
        cut in 0usize..12,
    ) {
        let escaped: Vec<String> = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
        let (left, right) = escaped.split_at(cut.min(escaped.len()));
        prop_assert_eq!(read(&[&left.concat(), &right.concat()]), String::from_utf16_lossy(&units));
    }
}
