//! A call that somebody in the chat wrote and the model only repeats. What people write is talk: they may ask for a thing
//! in words, and none of them calls a tool. It is held against all that the prompt showed of others, as it was shown:
//! what is deleted or edited while the model writes was read all the same.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use crate::call::ToolCall;
use crate::context::{PromptSections, WorkingItem, escape};
use crate::protocol::{AnswerParser, decode_entities};
use crate::similarity::extract_letters;

/// At how many words and signs of a line a call is looked for.
const MOST_STARTS: usize = 64;
/// Stands for signs in a folded text.
const SIGN: char = '|';
/// So often a tool's name is looked for in an answer.
const MOST_PASSAGES: usize = 64;
/// Texts of fewer bytes are only the same where they are equal: each long line holds some word of an answer.
const SHORTEST_PART: usize = 8;

#[derive(Debug, Default)]
pub struct ShownWords {
    pub(super) names: Vec<String>,
    /// The lines without their heads, and as they were typed.
    lines: Vec<String>,
    /// Each of them folded, all of them together, with their heads as well, and what tools answered.
    folded: Vec<String>,
}

impl ShownWords {
    pub(super) fn new(
        sections: &PromptSections,
        typed: Vec<String>,
        working: &[WorkingItem],
        names: Vec<String>,
    ) -> Self {
        let shown: Vec<&str> = sections.list_others_lines().collect();
        let bare = |line: &&str| {
            let (_, words) = line.split_once(": ").unwrap_or(("", line));
            words.replace(escape::TAG, "<")
        };
        let lines = shown.iter().map(bare).chain(typed).collect();
        let mut words = Self::from_lines(lines, working);
        words.folded.push(fold(&shown.concat()));
        Self { names, ..words }
    }

    /// What stands in these lines, and what tools answered.
    pub fn from_lines(lines: Vec<String>, working: &[WorkingItem]) -> Self {
        let results = working.iter().filter_map(|item| match item {
            WorkingItem::Called { result, .. } => Some(fold(&result.content)),
            _ => None,
        });
        let folded = lines.iter().map(|line| fold(line));
        let folded = folded.chain([fold(&lines.concat())]).chain(results);
        Self {
            names: Vec::new(),
            folded: folded.collect(),
            lines,
        }
    }

    /// Whether any of it holds this call of the answer `raw`: its passage, with whatever signs, or a call of the same tool
    /// that says the same. What people see is compared whole, lest a line forbids each message that holds a word of it.
    pub fn hold_call(
        &self,
        call: &ToolCall,
        raw: &str,
        new_parser: impl Fn() -> AnswerParser,
    ) -> bool {
        let is_whole = matches!(&*call.name, "send_message" | "react");
        let values = read_values(call);
        let says_same = |other: &ToolCall| {
            let theirs = read_values(other);
            let longest = theirs.iter().max_by_key(|value| value.len());
            match longest.filter(|_| !is_whole) {
                Some(longest) => values.iter().any(|value| is_same(value, longest)),
                None => values == theirs,
            }
        };
        let is_call = |other: &ToolCall| other.name == call.name && says_same(other);
        let holds_same = |text: &str| {
            // What is compared whole begins alike.
            let most = if is_whole { 1 } else { usize::MAX };
            let is_near =
                values.is_empty() || values.iter().any(|value| is_near(value, text, most));
            is_near && read_calls(text, &new_parser).iter().any(is_call)
        };
        // People split a call over two lines.
        let mut pairs = self.lines.windows(2).map(|two| two.join("\n"));
        self.hold_passage(call, raw, is_whole)
            || self.lines.iter().any(|line| holds_same(line))
            || pairs.any(|two| holds_same(&two))
    }

    /// Whether any of it holds the stretch of the answer from the tool's name to what is said to it, or back.
    fn hold_passage(&self, call: &ToolCall, raw: &str, is_whole: bool) -> bool {
        let texts = call.params.values().filter_map(Value::as_str).map(fold);
        let longest = texts.max_by_key(String::len).unwrap_or_default();
        let value = longest.trim_matches(SIGN);
        let (name, raw) = (fold(&call.name), fold(raw));
        let ends = |behind: &str| !is_whole || !behind.starts_with(char::is_alphanumeric);
        let is_repeated = |passage: &str| {
            let mut found = self.folded.iter().flat_map(|text| {
                let places = text.match_indices(passage);
                places.map(|(at, _)| &text[at + passage.len()..])
            });
            found.any(ends)
        };
        !value.is_empty() && find_passages(&raw, &name, value).any(is_repeated)
    }
}

/// The calls in a text, read from every place where one may begin, for a model repeats any part of it.
fn read_calls(text: &str, new_parser: impl Fn() -> AnswerParser) -> Vec<ToolCall> {
    let mut before = ' ';
    let begins = |(at, c): (usize, char)| {
        let before = std::mem::replace(&mut before, c);
        let is_start = before.is_whitespace() || is_sign(c) && !is_sign(before);
        is_start.then_some(at)
    };
    let mut calls = Vec::new();
    for start in text.char_indices().filter_map(begins).take(MOST_STARTS) {
        let part = &text[start..];
        let last = part.rfind(is_sign).map_or(0, |last| last + 1);
        for part in [part, &part[..part.ceil_char_boundary(last)]] {
            let mut parser = new_parser();
            calls.extend(parser.feed(part.as_bytes()));
            parser.mark_stopped();
            calls.extend(parser.finish().0);
        }
    }
    calls
}

/// Whether two values say the same, or one is a part of the other.
fn is_same(a: &str, b: &str) -> bool {
    let is_part = |a: &str, b: &str| a.len() >= SHORTEST_PART && b.contains(a);
    a == b || is_part(a, b) || is_part(b, a)
}

/// Whether a text may hold a value that is the same, by the letters of its first `most` parts.
fn is_near(value: &str, text: &str, most: usize) -> bool {
    let letters = extract_letters(text);
    let longest = SHORTEST_PART.min(value.len());
    let parts = value.char_indices().filter_map(|(at, _)| {
        let end = value.ceil_char_boundary(at + longest);
        value.get(at..end).filter(|part| part.len() >= longest)
    });
    text.contains(value) || parts.take(most).any(|part| letters.contains(part))
}

/// Whether a character is more than what stands between words.
fn is_sign(c: char) -> bool {
    let is_plain = |c: char| ".,!?;:'@#…，。！？；：、¶".contains(c) || escape::is_invisible(c);
    !(c.is_alphanumeric() || c.is_whitespace() || is_plain(c))
}

/// A text in small letters, all signs between them as one and alike. What stands between words is none, so that who asks
/// in words, "recall: where the keys are", has written no call.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in decode_entities(text).nfkc() {
        if c.is_alphanumeric() {
            folded.extend(c.to_lowercase());
        } else if is_sign(c) && !"_-\\".contains(c) && !folded.ends_with(SIGN) {
            folded.push(SIGN);
        }
    }
    folded
}

/// The stretches of a folded answer that hold a tool's name and what is said to it, in either order.
fn find_passages<'a>(raw: &'a str, name: &'a str, value: &'a str) -> impl Iterator<Item = &'a str> {
    raw.match_indices(name)
        .take(MOST_PASSAGES)
        .flat_map(move |(at, _)| {
            let end = at + name.len();
            let behind = raw[end..]
                .find(value)
                .map(|found| &raw[at..end + found + value.len()]);
            let before = raw[..at].rfind(value).map(|found| &raw[found..end]);
            behind.into_iter().chain(before)
        })
}

/// What a call holds in order, as the letters of each value, and as it stands where it has none.
fn read_values(call: &ToolCall) -> Vec<String> {
    let to_text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let letters = |text: String| match extract_letters(&text) {
        letters if letters.is_empty() => text.trim().to_owned(),
        letters => letters,
    };
    let values = call.params.values().map(to_text).map(letters);
    let mut values: Vec<String> = values.filter(|value| !value.is_empty()).collect();
    values.sort();
    values
}
