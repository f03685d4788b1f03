//! Words of time in questions and lines, and of whoever asks: what asks when, what says when, what asks about the past, and
//! what says that something changed.

use std::sync::LazyLock;

use kith_language::{PhraseList, WordSet, word_lists, word_table};

use crate::calendar;

word_table! {
    struct TimeWords {
        asks_when: PhraseList,
        times: WordSet,
        time_signs: PhraseList,
        past: WordSet,
        past_signs: PhraseList,
        change: WordSet,
        change_signs: PhraseList,
        asker: WordSet,
        asker_signs: Vec<char>,
    }
}

static TIME_WORDS: LazyLock<TimeWords> =
    LazyLock::new(|| TimeWords::from_lists(word_lists("time_words")));

pub(super) fn asks_when(lower: &str) -> bool {
    TIME_WORDS.asks_when.is_within(lower)
}

pub(super) fn has_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| is_time(word) || is_number(word)) || TIME_WORDS.time_signs.is_within(&lower)
}

pub(super) fn is_time(word: &str) -> bool {
    TIME_WORDS.times.contains(word)
        || calendar::is_name(word)
        || TIME_WORDS.time_signs.contains(word)
}

/// Whether a question asks how something was, and not how it is now.
pub(super) fn asks_about_past(lower: &str) -> bool {
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| TIME_WORDS.past.contains(word)) || TIME_WORDS.past_signs.is_within(lower)
}

pub(super) fn says_change(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| TIME_WORDS.change.contains(word)) || TIME_WORDS.change_signs.is_within(&lower)
}

pub(super) fn is_about_speaker(lower: &str) -> bool {
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| TIME_WORDS.asker.contains(word)) || lower.contains(&TIME_WORDS.asker_signs[..])
}
