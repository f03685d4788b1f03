//! Times of day, dates and notes in brackets, as the history and the prompt write them.

use crate::calendar::{has_date_sign, is_date_name};
use crate::context::prompt_words;
use crate::persona::Language;

/// The longest time mark or other note in brackets, in characters.
pub(super) const LONGEST_NOTE: usize = 40;
const BRACKETS: &[(char, char)] = &[('[', ']'), ('(', ')'), ('【', '】'), ('（', '）')];
/// The most words of a moment: "Mon 23 November 2026, 14:55".
const MOMENT_WORDS: usize = 5;

/// What follows a time of day at the beginning: `14:05`, `14:05:30`, `2:05 pm`.
pub(super) fn strip_clock(text: &str) -> Option<&str> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let text = text.trim_start();
    let hour = digits(text);
    let minute = text[hour..]
        .strip_prefix([':', '：'])
        .filter(|rest| digits(rest) == 2)?;
    let rest = &minute[2..];
    let second = rest
        .strip_prefix(':')
        .filter(|rest| digits(rest) == 2)
        .map(|rest| &rest[2..])
        .unwrap_or(rest);
    let after = second.trim_start();
    let meridiem = ["am", "pm", "AM", "PM"]
        .iter()
        .find_map(|word| after.strip_prefix(word))
        .unwrap_or(second);
    (1..=2).contains(&hour).then_some(meridiem)
}

/// Whether a line is nothing but a time in brackets, or a heading with a date: the marks between lines of the history.
pub(super) fn is_bracketed_stamp(line: &str) -> bool {
    if let Some((note, rest)) = split_leading_bracket(line) {
        return rest.trim().is_empty() && has_clock_time(note);
    }
    line.starts_with('#') && has_clock_time(line) && has_date(line)
}

/// Whether a line tells date and time of day as the prompt does, and nothing else.
pub(super) fn is_moment_line(line: &str) -> bool {
    let strip_time_words = |language| {
        let (before, after) = prompt_words(language).time.split_once("{}")?;
        line.strip_prefix(before)?.strip_suffix(after)
    };
    let is_moment = |text: &str| {
        has_clock_time(text) && has_date(text) && text.split_whitespace().count() <= MOMENT_WORDS
    };
    Language::ALL
        .into_iter()
        .filter_map(strip_time_words)
        .any(is_moment)
}

fn has_date(line: &str) -> bool {
    let is_date = |word: &str| {
        is_date_name(
            &word
                .trim_matches(|c: char| !c.is_alphanumeric())
                .to_lowercase(),
        )
    };
    line.split_whitespace().any(is_date) || has_date_sign(line)
}

/// Whether a text holds a time of day: digits, a colon, two digits.
pub(super) fn has_clock_time(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    chars.windows(4).any(|four| {
        let digit = |at: usize| four[at].is_ascii_digit();
        digit(0) && matches!(four[1], ':' | '：') && digit(2) && digit(3)
    })
}

/// What stands in brackets at the beginning, and what follows.
pub(super) fn split_leading_bracket(text: &str) -> Option<(&str, &str)> {
    let (open, close) = BRACKETS.iter().find(|(open, _)| text.starts_with(*open))?;
    let inside = &text[open.len_utf8()..];
    let end = inside
        .char_indices()
        .take(LONGEST_NOTE)
        .find(|(_, c)| c == close)
        .map(|(at, _)| at)?;
    Some((&inside[..end], &inside[end + close.len_utf8()..]))
}
