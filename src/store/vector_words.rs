//! The full-text index: vectors of the store's own words, each folded to small letters without accents, as SQLite's index
//! folds them. PostgreSQL's dictionaries are not asked: two servers with other ones would find other messages.

use std::collections::BTreeMap;
use std::fmt::Write;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text_query::{QueryTerm, TextQuery};

/// The last place in a text that a vector can tell.
const LAST_PLACE: u16 = 16_383;
const MOST_PLACES: usize = 255;
/// A word is looked for by so many of its first characters: a longer one is no word.
const WORD_CHARACTERS: usize = 200;

pub(crate) fn split_words(text: &str) -> Vec<String> {
    let folded: String = text
        .nfd()
        .filter(|c| !is_combining_mark(*c))
        .nfc()
        .flat_map(char::to_lowercase)
        .collect();
    let words = folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words
        .map(|word| word.chars().take(WORD_CHARACTERS).collect())
        .collect()
}

pub(crate) fn format_vector(text: &str) -> String {
    let mut vector = String::new();
    for (word, places) in find_places(text) {
        let places: Vec<String> = places.iter().map(u16::to_string).collect();
        let _ = write!(vector, "'{word}':{} ", places.join(","));
    }
    vector
}

/// The same as the server takes it in its binary form: how many words, then each with how many places it has, and these.
///
/// See `tsvectorrecv` in PostgreSQL's `src/backend/utils/adt/tsvector.c`.
pub(crate) fn encode_vector(text: &str) -> Vec<u8> {
    let words = find_places(text);
    let mut vector = Vec::with_capacity(text.len() * 2);
    vector.extend_from_slice(&(words.len() as u32).to_be_bytes());
    for (word, places) in words {
        vector.extend_from_slice(word.as_bytes());
        vector.push(0);
        vector.extend_from_slice(&(places.len() as u16).to_be_bytes());
        for place in places {
            vector.extend_from_slice(&place.to_be_bytes());
        }
    }
    vector
}

/// The words of a text, each once, with the places it stands at.
fn find_places(text: &str) -> BTreeMap<String, Vec<u16>> {
    let mut places: BTreeMap<String, Vec<u16>> = BTreeMap::new();
    for (place, word) in (1..=LAST_PLACE).zip(split_words(text)) {
        let places = places.entry(word).or_default();
        if places.len() < MOST_PLACES {
            places.push(place);
        }
    }
    places
}

/// A query as the text of one; empty, which finds nothing, where it has no words.
pub(crate) fn format_query(query: &TextQuery) -> String {
    let terms = query.terms.iter().filter_map(format_term);
    let terms: Vec<String> = terms.collect();
    terms.join(if query.is_any { " | " } else { " & " })
}

/// A query for what at least two of these find; none of fewer. In halves, so that it grows hardly faster than their number.
pub(crate) fn format_sharing_query(queries: &[&str]) -> Option<String> {
    let any = |queries: &[&str]| format!("({})", queries.join(" | "));
    let (first, second) = queries.split_at(queries.len() / 2);
    if first.is_empty() {
        return None;
    }
    let within = [first, second].into_iter().filter_map(format_sharing_query);
    let across = format!("{} & {}", any(first), any(second));
    Some(within.chain([across]).collect::<Vec<_>>().join(" | "))
}

fn format_term(term: &QueryTerm) -> Option<String> {
    let mut words: Vec<String> = split_words(&term.text)
        .into_iter()
        .map(|word| format!("'{word}'"))
        .collect();
    if term.is_start
        && let Some(last) = words.last_mut()
    {
        last.push_str(":*");
    }
    (!words.is_empty()).then(|| format!("({})", words.join(" <-> ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(text: &str, is_start: bool) -> QueryTerm {
        QueryTerm {
            text: text.into(),
            is_start,
        }
    }

    #[test]
    fn a_text_becomes_its_words_with_their_places() {
        assert_eq!(
            format_vector("Café, o'clock: CAFE"),
            "'cafe':1,4 'clock':3 'o':2 "
        );
        assert_eq!(format_vector("?!"), "");
    }

    #[test]
    fn a_query_looks_for_any_word_or_for_all_and_for_words_in_a_row() {
        let query = |terms: Vec<QueryTerm>, is_any| {
            format_query(&TextQuery {
                terms,
                is_any,
                channels: Vec::new(),
            })
        };
        let two = || vec![term("red", false), term("co'at", true)];
        assert_eq!(query(two(), true), "('red') | ('co' <-> 'at':*)");
        assert_eq!(query(two(), false), "('red') & ('co' <-> 'at':*)");
        assert_eq!(query(vec![term("\"", false)], true), "");
    }

    #[test]
    fn what_holds_two_of_several_is_asked_for_in_halves() {
        assert_eq!(format_sharing_query(&[]), None);
        assert_eq!(format_sharing_query(&["('a')"]), None);
        let asked = format_sharing_query(&["('a')", "('b')", "('c')"]);
        let expected = "(('b')) & (('c')) | (('a')) & (('b') | ('c'))";
        assert_eq!(asked.as_deref(), Some(expected));
    }
}
