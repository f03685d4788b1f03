//! How the history tells of what is no text: `(image: cat.png)`, `(voice message: 5 s)`. Only the prompt writes so; who
//! repeats it has sent no picture.

use std::sync::LazyLock;

use kith_language::{Language, history};

use super::mark_code_lines;

/// What such a note begins with, in every language. A sticker is sent by its note.
static LABELS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let labels = [
        history::poll(),
        history::button(),
        history::menu(),
        history::embed(),
        history::voice_message(),
        history::image(),
        history::video(),
        history::audio(),
        history::file(),
        history::forwarded(),
    ];
    let words = labels
        .iter()
        .flat_map(|label| Language::ALL.map(|language| label.in_language(language)));
    words
        .map(|word| word.trim_matches(['[', ']']).to_owned())
        .collect()
});

/// A text without the notes that begin or end its lines, or stand alone on them; none where there are none.
pub(super) fn strip_media_notes(text: &str) -> Option<String> {
    let strip = |(line, is_code): (&str, bool)| {
        let mut line = line.to_owned();
        while !is_code && let Some(rest) = strip_note(line.trim()) {
            line = rest;
        }
        line
    };
    let lines: Vec<String> = mark_code_lines(text).map(strip).collect();
    Some(lines.join("\n").trim().to_owned()).filter(|stripped| stripped.len() < text.trim().len())
}

fn strip_note(line: &str) -> Option<String> {
    const OPEN: [char; 4] = ['(', '[', '（', '【'];
    const CLOSE: [char; 4] = [')', ']', '）', '】'];
    let leading = || line.strip_prefix(OPEN)?.split_once(CLOSE);
    let trailing = || line.strip_suffix(CLOSE)?.rsplit_once(OPEN);
    let swapped = || trailing().map(|(rest, inside)| (inside, rest));
    let is_one = |(inside, rest): &(&str, &str)| is_note(inside, rest.trim().is_empty());
    let found = leading()
        .filter(is_one)
        .or_else(|| swapped().filter(is_one));
    Some(found?.1.trim().to_owned())
}

/// Whether a bracket holds a label with what it names, a label alone, or a picture's name and what it shows.
fn is_note(inside: &str, is_all: bool) -> bool {
    let (label, has_name) = match inside.split_once([':', '：']) {
        Some((label, _)) => (label, true),
        None => (inside, false),
    };
    let is_file = || {
        label.rsplit_once('.').is_some_and(|(name, ending)| {
            (2..=4).contains(&ending.len())
                && ending.chars().all(|c| c.is_ascii_alphanumeric())
                && !name.contains(char::is_whitespace)
        })
    };
    (has_name || is_all) && LABELS.iter().any(|word| word == label) || has_name && is_file()
}
