//! Lines that a character could write in a chat, taken from the dialogues and greetings of a card: its own words only,
//! without narration, each as short as a message.

use std::collections::BTreeSet;

use crate::card_text::CardTexts;

/// The most lines that are kept: enough to hear a voice, and they stand in every prompt.
const MOST_LINES: usize = 12;
/// The longest line that is kept, in characters.
const LINE_CHARACTERS: usize = 200;
/// The longest name before a colon, in characters.
const SPEAKER_CHARACTERS: usize = 32;

/// What begins a new dialogue.
const DIALOGUE_START: &str = "<start>";

pub(crate) struct ExampleLines<'a> {
    texts: &'a mut CardTexts,
    names: [&'a str; 2],
    kept: Vec<String>,
    seen: BTreeSet<String>,
    /// How many lines of dialogues were left out.
    pub(crate) left_out: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ExampleSpeaker {
    Character,
    Other,
}

impl<'a> ExampleLines<'a> {
    pub(crate) fn new(texts: &'a mut CardTexts, names: [&'a str; 2]) -> Self {
        Self {
            texts,
            names,
            kept: Vec::new(),
            seen: BTreeSet::new(),
            left_out: 0,
        }
    }

    /// Reads dialogues in which each line belongs to whoever was named last.
    pub(crate) fn read_dialogue(&mut self, dialogue: &str) {
        let mut speaker = ExampleSpeaker::Other;
        for line in dialogue.lines().map(str::trim) {
            if line.to_ascii_lowercase().starts_with(DIALOGUE_START) {
                speaker = ExampleSpeaker::Other;
                continue;
            }
            let words = match self.split_speaker(line) {
                Some((named, words)) => {
                    speaker = named;
                    words
                }
                None => line,
            };
            if words.is_empty() {
                continue;
            }
            let is_kept = speaker == ExampleSpeaker::Character && self.keep(words);
            self.left_out += u64::from(!is_kept);
        }
    }

    /// Reads a greeting, which is narration with spoken words in it; only what stands in quotation marks is spoken.
    pub(crate) fn read_greeting(&mut self, greeting: &str) {
        for line in greeting.lines() {
            for spoken in find_quoted(line) {
                self.keep(spoken);
            }
        }
    }

    pub(crate) fn into_lines(self) -> Vec<String> {
        self.kept
    }

    fn keep(&mut self, words: &str) -> bool {
        let words = strip_narration(words);
        let line = self.texts.clean_line(&words);
        let line = strip_quotation_marks(&line).trim();
        let is_short = line.chars().count() <= LINE_CHARACTERS;
        let says_something = line.chars().any(char::is_alphanumeric);
        if self.kept.len() == MOST_LINES || !is_short || !says_something {
            return false;
        }
        if self.seen.insert(line.to_owned()) {
            self.kept.push(line.to_owned());
        }
        true
    }

    /// Who is named before a colon at the start of a line, and what they say.
    fn split_speaker<'t>(&self, line: &'t str) -> Option<(ExampleSpeaker, &'t str)> {
        let at = line.find([':', '：'])?;
        // The colon in a placeholder belongs to it.
        let name = line[..at].trim();
        let rest = line[at..].trim_start_matches([':', '：']).trim();
        let lower = name.to_lowercase();
        if ["{{char}}", "{{bot}}", "<bot>", "<char>"].contains(&lower.as_str())
            || self
                .names
                .iter()
                .any(|own| own.trim() == name && !name.is_empty())
        {
            return Some((ExampleSpeaker::Character, rest));
        }
        let is_placeholder = lower.starts_with("{{") && lower.ends_with("}}") || lower == "<user>";
        let is_short =
            name.chars().count() <= SPEAKER_CHARACTERS && name.split_whitespace().count() <= 3;
        let is_name = name.chars().next().is_some_and(|first| {
            first.is_uppercase() || first.is_alphabetic() && !first.is_lowercase()
        });
        let is_other = is_placeholder || is_short && is_name && !name.contains(['"', '*', '“']);
        is_other.then_some((ExampleSpeaker::Other, rest))
    }
}

/// A line without what stands between asterisks: what is done and not said.
fn strip_narration(line: &str) -> String {
    line.replace("**", "")
        .split('*')
        .step_by(2)
        .collect::<Vec<_>>()
        .join(" ")
}

/// What stands between quotation marks in a line.
fn find_quoted(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['"', '“', '「']) {
        let close = match rest[at..].chars().next() {
            Some('“') => '”',
            Some('「') => '」',
            _ => '"',
        };
        let inside = &rest[at..];
        let begin = inside.chars().next().map_or(0, char::len_utf8);
        let Some(end) = inside[begin..].find(close) else {
            break;
        };
        found.push(&inside[begin..begin + end]);
        rest = &inside[begin + end + close.len_utf8()..];
    }
    found
}

/// A line that is one quotation, without its marks.
fn strip_quotation_marks(line: &str) -> &str {
    for (open, close) in [('"', '"'), ('“', '”'), ('「', '」')] {
        let inside = line
            .strip_prefix(open)
            .and_then(|line| line.strip_suffix(close));
        if let Some(inside) = inside.filter(|inside| !inside.contains([open, close])) {
            return inside;
        }
    }
    line
}
