//! What somebody said, as a small model is told it right before it answers: "Anna says to you: "how was it?"". Asked what
//! the companion says to line 12, such a model goes on with that line or repeats it; told who spoke to it and what they
//! said, it answers (docs/MODELS.md has the figures).

use super::PromptSources;
use super::display_names::{DisplayNames, strip_name_prefix};
use super::escape;
use crate::chat::{Millis, SECOND};
use crate::timeline::TimelineMessage;
use crate::truncate::truncate_line;

/// The most characters that are quoted.
const LONGEST: usize = 240;
/// So many lines of the same person right behind it belong to it, each so soon after the last; later ones are for others.
const LINES_BEHIND: usize = 3;
const PAUSE: Millis = 6 * SECOND;
/// What stands between a name and what is said to its bearer.
const BETWEEN: &[char] = &[' ', ',', '，', '、', ':', '：', '~', '～', '@'];

/// What was said and right behind it, without the companion's name; empty for a picture alone.
pub(super) fn render_spoken_text(
    said: &TimelineMessage,
    view: &PromptSources<'_>,
    names: &DisplayNames,
) -> String {
    let author = said.message.author.id;
    let lines = view
        .timeline
        .messages()
        .skip_while(|other| other.message.id < said.message.id);
    let mut before = said.message.at;
    let is_of_piece = |other: &&TimelineMessage| {
        let paused = other.message.at - std::mem::replace(&mut before, other.message.at);
        other.message.author.id == author && paused <= PAUSE
    };
    let piece = lines.take_while(is_of_piece).take(1 + LINES_BEHIND);
    let mut text = String::new();
    for line in piece.filter(|line| !line.message.text.is_empty()) {
        if !text.is_empty() {
            text.push(' ');
        }
        escape::escape_line(&mut text, &line.message.text, &|id| {
            names.find_mentioned_name(id)
        });
    }
    let text = strip_companion_name(
        &text,
        view.policy
            .names
            .iter()
            .map(String::as_str)
            .chain([names.own_name()]),
    );
    // Nothing that is quoted ends the quotation.
    truncate_line(&text.replace(['"', '“', '”'], "'"), LONGEST)
}

/// A text without the companion's name at either end: "how was it juno?" is "how was it?". One of nothing else stays.
pub fn strip_companion_name<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> String {
    names.fold(text.to_owned(), strip_name)
}

fn strip_name(text: String, name: &str) -> String {
    let is_same = |a: char, b: char| a.to_lowercase().eq(b.to_lowercase());
    let opened = strip_name_prefix(text.trim_start_matches('@'), name, is_same)
        .map(|rest| rest.trim_start_matches(BETWEEN));
    if let Some(rest) = opened.filter(|rest| rest.contains(char::is_alphanumeric)) {
        return rest.to_owned();
    }
    let body = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let end = &text[body.len()..];
    let closed = body
        .char_indices()
        .rev()
        .map(|(at, _)| at)
        .nth(name.chars().count().saturating_sub(1))
        .and_then(|at| {
            let is_apart = !name.is_ascii() || body[..at].ends_with(BETWEEN);
            strip_name_prefix(&body[at..], name, is_same)
                .filter(|rest| rest.is_empty() && is_apart)
                .map(|_| body[..at].trim_end_matches(BETWEEN))
        });
    match closed.filter(|rest| rest.contains(char::is_alphanumeric)) {
        Some(rest) => format!("{rest}{end}"),
        None => text,
    }
}
