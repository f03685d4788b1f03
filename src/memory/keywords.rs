//! Which words of a few messages tell what they are about: those that are not everyday words. A rough cut, in
//! microseconds; the search ranks by rarity.

use kith_core::recall::{extract_terms, split_by_kind};
use kith_core::word::{is_ordinary, is_unspaced};

/// The most words a search for a prompt looks for, newest first.
const MOST_WORDS: usize = 12;
/// Words of alphabetic writing shorter than this say little.
const SHORTEST: usize = 4;

/// The telling words of messages, in their order, but none of `names`. Chinese, Japanese and Korean give pairs of
/// characters.
pub(super) fn extract_keywords(newest: &[&str], names: &[&str]) -> Vec<String> {
    let names: Vec<String> = names.iter().flat_map(|name| split_words(name)).collect();
    let mut words = Vec::new();
    for text in newest {
        for word in split_words(text) {
            if words.len() < MOST_WORDS && !words.contains(&word) && !names.contains(&word) {
                words.push(word);
            }
        }
    }
    words
}

/// How many words a text holds, in any of their forms, of which these are the terms.
pub(super) fn count_shared(words: &[Vec<String>], text: &str) -> usize {
    let held = extract_terms(text);
    words
        .iter()
        .filter(|word| word.iter().any(|term| held.contains(term)))
        .count()
}

fn split_words(text: &str) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase();
    let runs: Vec<String> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .map(str::to_owned)
        .collect();
    runs.into_iter().flat_map(extract_distinctive_words)
}

/// The telling words of a run of letters; a run may change its writing in the middle (`看dune吗`).
fn extract_distinctive_words(run: String) -> Vec<String> {
    let mut words = Vec::new();
    for piece in split_by_kind(&run, is_unspaced) {
        let chars: Vec<char> = piece.chars().filter(|c| *c != '\'').collect();
        if piece.starts_with(is_unspaced) {
            let pairs = chars.windows(2).map(|pair| pair.iter().collect::<String>());
            words.extend(pairs.filter(|pair| !is_ordinary(pair)));
        } else if chars.len() >= SHORTEST {
            let word: String = chars.into_iter().collect();
            if !is_ordinary(&word) {
                words.push(word);
            }
        }
    }
    words
}
