//! The words of a text as recall compares them: folded to small letters without accents, English by their stems, Chinese,
//! Japanese and Korean by pairs of characters.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use frostem::{Algorithm, Stemmer};
use kith_language::{WordList, word_lists};

use crate::{calendar, word};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Words that say nothing of what is looked for.
static FUNCTION_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| read_function_words(word_lists("function_words")));

fn read_function_words<'a>(lists: impl Iterator<Item = &'a WordList>) -> HashSet<&'static str> {
    lists
        .flat_map(WordList::entries)
        .flat_map(str::split_whitespace)
        .collect()
}

/// Characters that are words of grammar where words are not separated: a pair that holds one says little.
static FUNCTION_CHARACTERS: LazyLock<HashSet<char>> = LazyLock::new(|| {
    let entries = word_lists("function_characters").flat_map(WordList::entries);
    entries.flat_map(str::chars).collect()
});

static TOPICS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let entries = word_lists("topics").flat_map(WordList::entries);
    entries.flat_map(extract_terms).collect()
});

/// Forms of words that no rule makes, by the form.
static IRREGULAR_FORMS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let entries = word_lists("irregular_forms").flat_map(WordList::entries);
    entries.filter_map(|entry| entry.split_once('=')).collect()
});

/// The pairs of characters that everyday words of a script without spaces consist of.
static ORDINARY_PAIRS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let entries = word_lists("ordinary").flat_map(WordList::entries);
    let unspaced = entries.filter(|entry| entry.starts_with(is_cjk));
    unspaced.flat_map(extract_terms).collect()
});

/// How much less than another word one tells that everybody uses, …
const ORDINARY: f64 = 0.5;
/// … that is short or a form of a verb, …
const VAGUE: f64 = 0.7;
/// … that is a day, a month or a number, …
const DATE: f64 = 0.5;
/// … or that is a piece of grammar beside a character, or one character alone.
const GRAMMAR: f64 = 0.4;
/// Words of alphabetic writing shorter than this are short.
const SHORTEST: usize = 4;

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::new(Algorithm::English));

/// Whether a character belongs to a script that is written without spaces, or with suffixes: Han, kana and hangul.
pub fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}'
        | '\u{30FC}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFD}')
}

/// The terms of a text in their order, those that say nothing left out.
pub fn extract_terms(text: &str) -> Vec<String> {
    collect_terms(text, |word| !FUNCTION_WORDS.contains(word))
}

/// The terms of a text, also those that say nothing.
pub(super) fn extract_all_terms(text: &str) -> Vec<String> {
    collect_terms(text, |_| true)
}

/// The terms of a question: of one that holds nothing else, also those that say nothing.
pub fn extract_question_terms(text: &str) -> Vec<String> {
    let terms = extract_terms(text);
    if terms.is_empty() {
        extract_all_terms(text)
    } else {
        terms
    }
}

/// The characters of a question that stand in no word of it that anybody ever said: a pair that `is_said` does not know, or
/// that holds a word of grammar, is no word (要戒 and 戒什 of 要戒什么), but each of its characters may be one (戒).
pub fn extract_single_characters(text: &str, is_said: impl Fn(&str) -> bool) -> Vec<String> {
    let folded = fold_text(text);
    let mut singles: Vec<String> = Vec::new();
    for run in split_runs(&folded).filter(|run| run.starts_with(is_cjk)) {
        let chars: Vec<char> = run.chars().collect();
        let is_word = |pair: &[char]| {
            let pair: String = pair.iter().collect();
            let has_grammar = pair.contains(|c: char| FUNCTION_CHARACTERS.contains(&c));
            FUNCTION_WORDS.contains(pair.as_str()) || !has_grammar && is_said(&pair)
        };
        let mut covered = vec![chars.len() == 1; chars.len()];
        for (place, pair) in chars.windows(2).enumerate() {
            if is_word(pair) {
                covered[place..place + 2].fill(true);
            }
        }
        let uncovered = chars.iter().zip(covered).filter(|(_, covered)| !covered);
        for (c, _) in uncovered.filter(|(c, _)| !FUNCTION_CHARACTERS.contains(c)) {
            let single = c.to_string();
            if !singles.contains(&single) {
                singles.push(single);
            }
        }
    }
    singles
}

/// A term, and how much it tells of what is talked about.
#[derive(Clone, Debug, PartialEq)]
pub struct TellingTerm {
    pub term: String,
    /// 0 to 1, before it is known how rare the term is.
    pub weight: f64,
}

/// The terms of a text that may tell what it is about, each once.
pub fn extract_telling_terms(text: &str) -> Vec<TellingTerm> {
    let mut telling: Vec<TellingTerm> = Vec::new();
    for (word, term) in collect_words(text, |word| !FUNCTION_WORDS.contains(word)) {
        let weight = match () {
            () if word.starts_with(is_cjk) => weigh_pair(&word),
            () if calendar::is_name(&word) || word.starts_with(|c: char| c.is_ascii_digit()) => {
                DATE
            }
            () if TOPICS.contains(&term) => 1.0,
            () if word::is_ordinary(&word) || word::is_ordinary(&term) => ORDINARY,
            () if word.chars().count() < SHORTEST || is_vague(&word) => VAGUE,
            () => 1.0,
        };
        if !telling.iter().any(|known| known.term == term) {
            telling.push(TellingTerm { term, weight });
        }
    }
    telling
}

/// Whether a word is a form of a verb, an adverb or a cry: drawn-out letters.
fn is_vague(word: &str) -> bool {
    let mut letters = word.chars().collect::<Vec<char>>();
    let is_drawn_out = letters
        .windows(3)
        .any(|three| three[0] == three[1] && three[1] == three[2]);
    letters.reverse();
    is_drawn_out
        || matches!(
            letters[..],
            ['d', 'e', ..] | ['g', 'n', 'i', ..] | ['y', 'l', ..]
        )
}

fn weigh_pair(pair: &str) -> f64 {
    let is_grammar = |c: char| FUNCTION_CHARACTERS.contains(&c);
    match () {
        () if pair.chars().nth(1).is_none() || pair.contains(is_grammar) => GRAMMAR,
        () if calendar::has_date_sign(pair) => DATE,
        () if TOPICS.contains(pair) => 1.0,
        () if ORDINARY_PAIRS.contains(pair) => ORDINARY,
        () => 1.0,
    }
}

fn collect_terms(text: &str, counts: impl Fn(&str) -> bool) -> Vec<String> {
    let mut terms = Vec::new();
    visit_words(text, counts, |_, term| terms.push(term.into_owned()));
    terms
}

fn collect_words(text: &str, counts: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let mut words = Vec::new();
    visit_words(text, counts, |word, term| {
        words.push((word.to_owned(), term.into_owned()));
    });
    words
}

/// Shows the terms of a text one by one, those that say nothing left out.
pub(super) fn visit_terms(text: &str, mut visit: impl FnMut(&str)) {
    let counts = |word: &str| !FUNCTION_WORDS.contains(word);
    visit_words(text, counts, |_, term| visit(&term));
}

/// Shows the words that count one by one, each with its term.
fn visit_words(
    text: &str,
    counts: impl Fn(&str) -> bool,
    mut visit: impl FnMut(&str, Cow<'_, str>),
) {
    for run in split_runs(&fold_text(text)) {
        if !run.starts_with(is_cjk) {
            let word = strip_apostrophes(run);
            if !word.is_empty() && counts(&word) {
                // The index holds these as they stand.
                let says_nothing = FUNCTION_WORDS.contains(&*word);
                let term = if says_nothing {
                    Cow::Borrowed(&*word)
                } else {
                    stem_word(&word)
                };
                visit(&word, term);
            }
            continue;
        }
        let starts = run.char_indices().map(|(start, _)| start);
        let bounds: Vec<usize> = starts.chain([run.len()]).collect();
        if bounds.len() == 2 {
            visit(run, Cow::Borrowed(run));
        }
        for bounds in bounds.windows(3) {
            let pair = &run[bounds[0]..bounds[2]];
            if counts(pair) {
                visit(pair, Cow::Borrowed(pair));
            }
        }
    }
}

/// The stems of a text's words that are not words of it as they stand.
pub fn extract_stems(text: &str) -> Vec<String> {
    let folded = fold_text(text);
    let mut stems = Vec::new();
    for word in split_runs(&folded).filter(|run| !run.starts_with(is_cjk)) {
        let word = strip_apostrophes(word);
        let stem = stem_word(&word);
        if stem != word
            && !FUNCTION_WORDS.contains(&*word)
            && !stems.iter().any(|known| *known == stem)
        {
            stems.push(stem.into_owned());
        }
    }
    stems
}

/// A word without what its apostrophes stand for: "tom's" is "tom", "don't" is "dont".
fn strip_apostrophes(word: &str) -> Cow<'_, str> {
    let word = word.trim_matches('\'');
    if word.contains('\'') {
        Cow::Owned(word.replace("'s", "").replace('\'', ""))
    } else {
        Cow::Borrowed(word)
    }
}

/// An English word's stem by Snowball's algorithm; a word of another alphabet stays as it is.
fn stem_word(word: &str) -> Cow<'_, str> {
    let word = IRREGULAR_FORMS.get(word).copied().unwrap_or(word);
    if word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return STEMMER.stem(word);
    }
    Cow::Borrowed(word)
}

/// Small letters without accents, with one kind of apostrophe.
fn fold_text(text: &str) -> String {
    let small = text.to_lowercase().replace('\u{2019}', "'");
    if small.is_ascii() {
        return small;
    }
    let plain = small
        .nfd()
        .filter(|c| !is_combining_mark(*c) || ('\u{3099}'..='\u{309A}').contains(c));
    plain.nfc().collect()
}

/// Runs of letters and digits, cut where the kind of script changes.
fn split_runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .flat_map(|run| split_by_kind(run, is_cjk))
}

/// A text cut wherever characters that are of a kind begin and end.
pub fn split_by_kind(text: &str, is_of: fn(char) -> bool) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let kind = is_of(rest.chars().next()?);
        let end = rest.find(|c| is_of(c) != kind).unwrap_or(rest.len());
        let (piece, tail) = rest.split_at(end);
        rest = tail;
        Some(piece)
    })
}

/// A line of fewer words has hardly any meaning of its own: its vector says how it is put, not what about.
const FEWEST_TERMS: usize = 2;

pub fn has_meaning(text: &str) -> bool {
    extract_terms(text).len() >= FEWEST_TERMS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_by_what_they_have_in_common() {
        assert_eq!(extract_terms("When are your exams?"), extract_terms("exam"));
        assert_eq!(
            extract_terms("Allergic to PEANUTS!"),
            extract_terms("allergic peanut")
        );
        assert_eq!(extract_terms("Tom’s café"), extract_terms("tom cafe"));
        assert_eq!(extract_terms("看dune吗"), ["看", "dune", "吗"]);
        assert_eq!(
            extract_terms("你什么时候搬去成都"),
            ["你什", "候搬", "搬去", "去成", "成都"]
        );
        assert!(extract_terms("what was it that they did?").is_empty());
        assert_eq!(extract_question_terms("it's what?"), ["it", "what"]);
    }

    #[test]
    fn a_language_that_is_only_word_lists_has_words_that_say_nothing() {
        let toy = read_function_words(crate::test_languages::toy_lists("function_words"));
        let terms = collect_terms("Tu hoverta zi zala", |word| !toy.contains(word));
        assert_eq!(terms, ["hoverta", "zala"]);
    }

    #[test]
    fn stems_are_what_the_words_themselves_are_not() {
        assert_eq!(extract_stems("two exams, one exam"), ["exam"]);
        assert!(extract_stems("the exam 考试").is_empty());
    }

    #[test]
    fn a_line_of_one_word_has_no_meaning_of_its_own() {
        for (text, wanted) in [
            ("lol", false),
            ("", false),
            ("👍", false),
            ("ramen bar opened", true),
        ] {
            assert_eq!(has_meaning(text), wanted, "{text}");
        }
        assert!(has_meaning("下周末去看展览"));
    }
}
