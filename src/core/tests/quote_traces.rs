//! Whatever quotes a text is looked at, and what has nothing of it is not.

use kith_core::quotes::{
    ERASED, ErasedPassage, ErasedPassages, QuoteFilter, QuotedWords, TextSignature,
    extract_distinctive_words,
};
use proptest::prelude::*;

fn quotes(text: &str, other: &str) -> bool {
    let mut passages = ErasedPassages::default();
    passages.add(text);
    let words = QuotedWords::new(extract_distinctive_words(text).collect());
    passages.redact(other).is_some() || words.redact(other).is_some()
}

fn is_whole(text: &str, other: &str) -> bool {
    ErasedPassage::new(text).is_some_and(|passage| passage.redact(other).is_some())
}

fn may_quote(text: &str, other: &str) -> bool {
    QuoteFilter::new(text).may_be_in(&TextSignature::new(400, [other]))
}

#[test]
fn what_shares_neither_a_telling_word_nor_the_beginning_is_passed_over() {
    let text = "we said so and so, and then it was late xylophone";
    assert!(!may_quote(text, "and so it was late"));
    assert!(may_quote(text, "a XYLOPHONE?"));
    let shown = "we saidso\\nand so &amp; <and>then it was\nlate xylophone";
    assert!(QuoteFilter::new(text).may_be_whole_in(&TextSignature::new(400, [shown])));
}

#[test]
fn what_a_prompt_shows_of_a_text_is_found_whatever_it_writes_for_the_links() {
    let link =
        "https://discord.com/channels/700000000000000001/700000000000000002/700000000000000003";
    let text = format!("{link} we meet behind the mill {link} at six");
    let shown = "12 Anna: (line 7) we meet behind the mill #message at six";
    assert!(QuoteFilter::new(&text).may_be_whole_in(&TextSignature::new(400, [shown])));
    let passage = ErasedPassage::new(&text).expect("it says something");
    assert!(passage.may_be_in(shown));
    let left = passage.redact(shown).expect("it is there");
    assert!(
        left.starts_with("12 Anna: (line 7) [erased")
            && !left.contains("mill")
            && !left.contains("six")
    );
}

#[test]
fn what_a_prompt_shows_of_a_text_is_found_whichever_numbers_stand_behind_names() {
    for (text, shown) in [
        (
            "ask @Anna whether the mill is sold by 7",
            "12 Ben: ask @Anna 2 whether the mill is sold by 7",
        ),
        (
            "@Anna Lee lost the key",
            "12 Ben: @Anna Lee #1005 lost the key",
        ),
        ("@阿明问磨坊卖了没有", "12 Ben: @阿明 2问磨坊卖了没有"),
    ] {
        assert!(QuoteFilter::new(text).may_be_whole_in(&TextSignature::new(400, [shown])));
        let passage = ErasedPassage::new(text).expect("it says something");
        assert!(passage.may_be_in(shown), "{text}");
        let left = passage.redact(shown).expect("it is there");
        assert!(
            left.starts_with("12 Ben: ") && left.ends_with(ERASED),
            "{left}"
        );
        assert_eq!(passage.redact("12 Ben: Anna 2 and 阿明 2 say hello"), None);
    }
}

#[test]
fn a_short_text_is_found_without_the_signs_around_it() {
    for (text, shown) in [
        ("hi 👀", "12 Anna: hi"),
        ("哈哈！", "12 Anna: 哈哈"),
        ("oh, no!", "13 Anna: oh no"),
    ] {
        assert!(
            is_whole(text, shown)
                && QuoteFilter::new(text).may_be_whole_in(&TextSignature::new(400, [shown]))
        );
        assert!(
            !QuoteFilter::new(text).may_be_whole_in(&TextSignature::new(400, ["13 Anna: well"]))
        );
    }
}

proptest! {
    #[test]
    fn whatever_quotes_a_text_is_looked_at(
        words in prop::collection::vec("[@a-zA-ZäßſKÅςθϑ0-9木琴演奏家👀]{1,12}", 1..8),
        others in prop::collection::vec("[a-zA-ZäẞſKåÅσΣϴ0-9木琴演奏]{1,8}", 0..4),
        from in 0..8_usize,
        count in 1..8_usize,
        is_upper in any::<bool>(),
    ) {
        let text = words.join(" ");
        let part = words[from.min(words.len() - 1)..].iter().take(count).cloned();
        let part: Vec<String> = others.into_iter().chain(part).collect();
        let part = part.join("\\n");
        let part = if is_upper { part.to_uppercase() } else { part };
        prop_assert!(may_quote(&text, &part) || !quotes(&text, &part));
        let may_be_whole = QuoteFilter::new(&text).may_be_whole_in(&TextSignature::new(400, [&*part]));
        prop_assert!(may_be_whole || !is_whole(&text, &part));
    }
}
