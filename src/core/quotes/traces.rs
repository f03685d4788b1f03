//! What a text must hold that quotes another, for a quick look beforehand: to tell for certain takes far longer.

use super::passages::{START, is_quote};
use super::words::extract_distinctive_words;

/// What at least one of stands in whatever quotes a text.
pub struct QuoteTraces {
    /// The telling words, folded.
    words: Vec<String>,
    /// The first letters and digits; none where the text is too short to be quoted as a whole.
    start: Option<String>,
}

/// A text that may quote others, as it is looked through.
pub struct QuotingText {
    folded: String,
    letters: String,
}

impl QuoteTraces {
    /// Those of this text.
    pub fn new(text: &str) -> Self {
        Self {
            words: extract_distinctive_words(text)
                .map(|word| fold(&word))
                .collect(),
            start: is_quote(text).then(|| keep_letters(text).take(START).collect()),
        }
    }

    /// Whether the other text may quote this one, by [`super::QuotedWords`] or by [`super::ErasedPassages`]; if not, neither
    /// finds anything.
    pub fn may_be_in(&self, other: &QuotingText) -> bool {
        let mut words = self.words.iter();
        words.any(|word| other.folded.contains(word))
            || self
                .start
                .as_ref()
                .is_some_and(|start| other.letters.contains(start))
    }
}

impl QuotingText {
    /// This text.
    pub fn new(text: &str) -> Self {
        Self {
            folded: fold(text),
            letters: keep_letters(text).collect(),
        }
    }
}

fn keep_letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric())
}

/// What is the same but for its case is the same afterwards: also a long s, or the sign of the Kelvin.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            folded.push(c.to_ascii_lowercase());
        } else {
            let upper = c.to_lowercase().flat_map(char::to_uppercase);
            folded.extend(upper.flat_map(char::to_lowercase));
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{ErasedPassages, QuotedWords};
    use super::*;

    fn quotes(text: &str, other: &str) -> bool {
        let mut passages = ErasedPassages::default();
        passages.add(text);
        let words = QuotedWords::new(extract_distinctive_words(text).collect());
        passages.redact(other).is_some() || words.redact(other).is_some()
    }

    fn may_quote(text: &str, other: &str) -> bool {
        QuoteTraces::new(text).may_be_in(&QuotingText::new(other))
    }

    #[test]
    fn what_shares_neither_a_telling_word_nor_the_beginning_is_passed_over() {
        let text = "we said so and so, and then it was late xylophone";
        assert!(!may_quote(text, "and so it was late"));
        assert!(may_quote(text, "a XYLOPHONE?"));
        assert!(may_quote(text, "\"we said\" is what they said"));
    }

    proptest! {
        #[test]
        fn whatever_quotes_a_text_is_looked_at(
            words in prop::collection::vec("[a-zA-ZäßſKÅςθϑ0-9木琴演奏家]{1,12}", 1..8),
            others in prop::collection::vec("[a-zA-ZäẞſKåÅσΣϴ0-9木琴演奏]{1,8}", 0..4),
            from in 0..8_usize,
            count in 1..8_usize,
            is_upper in any::<bool>(),
        ) {
            let text = words.join(" ");
            let part = words[from.min(words.len() - 1)..].iter().take(count).cloned();
            let part: Vec<String> = others.into_iter().chain(part).collect();
            let part = part.join(" ");
            let part = if is_upper { part.to_uppercase() } else { part };
            prop_assert!(may_quote(&text, &part) || !quotes(&text, &part));
        }
    }
}
