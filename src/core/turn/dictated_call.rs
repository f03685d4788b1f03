//! A call that somebody in the chat wrote and the model only repeats. What people write is talk: they may ask for a thing
//! in words, and none of them calls a tool. What a call is, the reader of answers says: it reads their lines, too.

use serde_json::Value;

use crate::call::{ToolCall, ToolSpec};
use crate::chat::AuthorKind;
use crate::context::{DisplayNames, escape};
use crate::protocol::AnswerParser;
use crate::similarity::extract_letters;
use crate::timeline::Timeline;

/// How much of what others said last is read, in bytes.
const MOST_READ: usize = 1 << 16;
/// At how many signs, and at how many tools' names, a call in the middle of a line is looked for.
const MOST_STARTS: usize = 3;
/// Stands for signs in a folded text.
const SIGN: char = '|';
/// So often a tool's name is looked for in an answer.
const MOST_PASSAGES: usize = 64;
/// Texts of fewer bytes are only the same where they are equal: each long line holds some word of an answer.
const SHORTEST_PART: usize = 8;

/// What others said last.
#[derive(Debug)]
pub(super) struct OthersLines {
    folded: Vec<String>,
    calls: Vec<ToolCall>,
}

impl OthersLines {
    /// Reads each line as it was written and as the prompt shows it: alone, behind the name of its author, and from every
    /// place where a call may begin, for a model repeats any part of it.
    pub(super) fn read(
        timeline: &Timeline,
        names: &DisplayNames,
        tools: &[ToolSpec],
        new_parser: impl Fn() -> AnswerParser,
    ) -> Self {
        let (mut folded, mut calls, mut length) = (Vec::new(), Vec::new(), 0);
        let mut read = |text: &str| {
            let mut parser = new_parser();
            let begun = parser.feed(text.as_bytes());
            parser.mark_stopped();
            calls.extend(begun.into_iter().chain(parser.finish().0));
        };
        let messages = timeline.messages().rev().map(|said| &said.message);
        for message in messages.filter(|message| message.author.kind != AuthorKind::Companion) {
            length += message.text.len();
            let mut shown = String::new();
            escape::escape_line(&mut shown, &message.text, &|_| None);
            let name = names.shown(message.author.id, &message.author.name);
            let bodies = [&*message.text, &shown];
            let is_same = bodies[0].trim() == bodies[1];
            for body in &bodies[usize::from(is_same)..] {
                folded.push(fold(body));
                if length > MOST_READ {
                    continue;
                }
                read(body);
                read(&format!("{name}: {body}"));
                for start in find_starts(body, tools) {
                    let part = &body[start..];
                    let end = part
                        .rfind(is_sign)
                        .map_or(0, |last| part.ceil_char_boundary(last + 1));
                    read(part);
                    read(&part[..end]);
                }
            }
        }
        Self { folded, calls }
    }

    /// Whether one of them holds this call of the answer `raw`: its passage, with whatever signs, or a call of the same
    /// tool that says the same.
    pub(super) fn hold_call(&self, call: &ToolCall, raw: &str) -> bool {
        let values = read_values(call);
        let texts = call.params.values().filter_map(Value::as_str).map(fold);
        let longest = texts.max_by_key(String::len).unwrap_or_default();
        let (name, raw) = (fold(&call.name), fold(raw));
        let is_repeated = |passage| self.folded.iter().any(|line| line.contains(passage));
        let value = longest.trim_matches(SIGN);
        let is_passage = || !value.is_empty() && find_passages(&raw, &name, value).any(is_repeated);
        let is_same = |a: &str, b: &str| {
            let is_part = |a: &str, b: &str| a.len() >= SHORTEST_PART && b.contains(a);
            a == b || is_part(a, b) || is_part(b, a)
        };
        let says_same = |other: &ToolCall| {
            let theirs = read_values(other).into_iter().max_by_key(String::len);
            theirs.map_or(values.is_empty(), |theirs| {
                values.iter().any(|value| is_same(value, &theirs))
            })
        };
        let same_tool = |other: &&ToolCall| other.name == call.name;
        is_passage() || self.calls.iter().filter(same_tool).any(says_same)
    }
}

/// Where a call may begin within a line: at its first signs, and at tools' names with the signs before them.
fn find_starts(body: &str, tools: &[ToolSpec]) -> Vec<usize> {
    let signs = body.match_indices(is_sign).map(|(at, _)| at);
    let named = tools
        .iter()
        .flat_map(|tool| body.match_indices(&*tool.name));
    let named = named.map(|(at, _)| {
        let before =
            body[..at].trim_end_matches(|c: char| !c.is_alphanumeric() && !c.is_whitespace());
        before.len()
    });
    let mut starts: Vec<usize> = signs
        .take(MOST_STARTS)
        .chain(named.take(MOST_STARTS))
        .collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// Whether a character is more than what stands between words.
fn is_sign(c: char) -> bool {
    let is_plain = |c: char| ".,!?;:'@#…，。！？；：、".contains(c);
    !(c.is_alphanumeric() || c.is_whitespace() || is_plain(c))
}

/// A text in small letters, all signs between them as one and alike. What stands between words is none, so that who asks
/// in words, "recall: where the keys are", has written no call.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
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

/// What a call holds, as the letters of each value, and as it stands where it has none.
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
    values.filter(|value| !value.is_empty()).collect()
}
