//! An answer in which nothing was found as it stands: read once more without what was put around all of it, and then as
//! the other writings for calls, a program's and lines of keys and values.

use std::sync::{Arc, LazyLock};

use regex::{Captures, Regex};
use serde_json::Value;

use super::AnswerScanner;
use crate::protocol::collected_calls::CollectedCalls;
use crate::protocol::entity;
use crate::protocol::json::{parse_document, parse_list};
use crate::protocol::json_calls::{self, DocumentTrust};
use crate::protocol::json_quote::TOKEN_QUOTE;
use crate::protocol::key_value_lines;
use crate::protocol::names::ToolNames;
use crate::protocol::outside_text::{split_fence, strip_tokens};
use crate::protocol::repair::Repair;
use crate::protocol::sign::is_unseen;
use crate::protocol::speaker::{WordsOf, drop_others_lines};
use crate::protocol::{speech, spelled_calls};
use kith_language::answer_problems;

/// The longest tag in other brackets, in characters.
const LONGEST_TAG: usize = 256;
const MOST_WRAPPINGS: usize = 3;

impl AnswerScanner {
    /// Reads the answer in other ways where it holds no call as it was written.
    pub(super) fn reread_answer(&mut self) {
        if self.recovering || self.course.has_calls() || self.is_over() {
            return;
        }
        if self.has_structure && self.outside_text.text.is_empty() && !self.dropped {
            return;
        }
        // Without somebody else's lines, also where only a reading shows that they are: other readings lose their marks.
        let mut inner = drop_others_lines(&self.text, &self.names);
        for _ in 0..MOST_WRAPPINGS {
            let Some(unwrapped) = unwrap_text(&inner, &self.names) else {
                break;
            };
            inner = drop_others_lines(&unwrapped, &self.names);
            let mut found = CollectedCalls::new(scan_nested_text);
            if scan_nested_text(&inner, &self.names, &mut found)
                && (!found.calls.is_empty() || !self.has_structure)
            {
                self.outside_text.text.clear();
                self.has_structure = true;
                (self.turns, self.documents) = (
                    self.turns + usize::from(inner.contains("<turn")),
                    self.documents + usize::from(inner.contains('{')),
                );
                self.add_repair(Repair::DoubleEncoding);
                return self.merge_found(found);
            }
        }
        self.read_other_notations();
    }

    /// The calls of a text that is only calls of a program, or lines that name a tool and its parameters.
    fn read_other_notations(&mut self) {
        let mut found = CollectedCalls::new(scan_nested_text);
        let text = strip_tokens(&self.outside_text.text);
        let text = &*drop_others_lines(&text, &self.names);
        let cut = match spelled_calls::parse_calls(text, false, &self.names) {
            Some(spelt) => {
                let cut = spelt.cut;
                spelt.add_calls(&self.names, &mut found);
                cut
            }
            None => {
                let lines = split_fence(text).map_or(text, |(inside, _)| inside);
                // Inside of a turn a tool's name alone begins a line for it.
                let trust = if self.turns > 0 {
                    DocumentTrust::Whole
                } else {
                    DocumentTrust::Lines
                };
                let whole = parse_document(lines.trim(), &mut found.repairs);
                if !whole.is_some_and(|whole| read_message(&whole, &self.names, &mut found)) {
                    let list =
                        parse_list(lines.trim()).or_else(|| speech::parse_line(lines, &self.names));
                    let others = || key_value_lines::parse_documents(lines, &self.names);
                    for root in list.map_or_else(others, |list| vec![list]) {
                        let (names, found) = (&self.names, &mut found);
                        json_calls::read_root_document(root, names, found, trust, false);
                    }
                }
                false
            }
        };
        if found.calls.is_empty() && !cut {
            return;
        }
        self.outside_text.text.clear();
        self.has_structure = true;
        self.dropped = cut;
        self.add_repair(Repair::ProviderSyntax);
        if cut {
            found.record_problem(Repair::TruncatedCall, answer_problems::broken_off_action());
        }
        self.merge_found(found);
    }

    fn merge_found(&mut self, found: CollectedCalls) {
        self.dropped = !found.problems.is_empty();
        if self.dropped {
            self.add_repair(Repair::UnreadableCall);
        }
        self.found.merge(found);
        self.course.speaker = WordsOf::Nobody;
        self.settle_calls(0);
    }
}

/// Whether a document is only a message, alone or in a list.
fn read_message(whole: &Value, names: &ToolNames, found: &mut CollectedCalls) -> bool {
    match whole {
        Value::Object(fields) => speech::read_message_object(fields, names, found),
        Value::Array(list) => {
            matches!(list.as_slice(), [only] if only.is_object() && read_message(only, names, found))
        }
        _ => false,
    }
}

/// The text without one thing that was put around all of it; none where there is none.
fn unwrap_text(text: &str, names: &ToolNames) -> Option<String> {
    strip_line_marks(text)
        .or_else(|| unescape_quotes(text))
        .or_else(|| decode_markup(text))
        .or_else(|| strip_invisible_signs(text))
        .or_else(|| complete_tags(text, names))
        .or_else(|| speech::convert_speech_elements(text, names))
        .or_else(|| convert_brackets_to_angles(text, names))
        .filter(|unwrapped| unwrapped != text)
}

/// A text whose angles, or whose quotes of JSON, are written as references.
fn decode_markup(text: &str) -> Option<String> {
    let decoded = entity::decode_entities(text);
    let count = |text: &str| text.matches(['<', '"']).count();
    let is_markup = decoded.contains('<') || decoded.contains('{') && !text.contains('"');
    (count(&decoded) > count(text) && is_markup).then_some(decoded)
}

/// What stands before the text of a line that is quoted or numbered, and in how many lines at least it does.
static LINE_MARKS: LazyLock<Vec<(usize, Regex)>> = LazyLock::new(|| {
    let marks = [(1, r"^[>|+] ?"), (2, r"^[0-9]+[.:|)]*")];
    let compile = |(fewest, mark)| Some((fewest, Regex::new(mark).ok()?));
    marks.into_iter().filter_map(compile).collect()
});

/// Lines that all begin with a number or a mark of quotation, without it.
fn strip_line_marks(text: &str) -> Option<String> {
    let lines = text.lines().map(str::trim_start);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let is_before_all = |(fewest, mark): &&(usize, Regex)| {
        lines.len() >= *fewest && lines.iter().all(|line| mark.is_match(line))
    };
    let (_, mark) = LINE_MARKS.iter().find(is_before_all)?;
    let stripped: Vec<_> = lines.iter().map(|line| mark.replace(line, "")).collect();
    Some(stripped.join("\n"))
}

/// A text whose every quote is escaped, as inside a string of JSON.
fn unescape_quotes(text: &str) -> Option<String> {
    let trimmed = text.trim();
    let inside = trimmed.strip_prefix('"').unwrap_or(trimmed);
    if !inside.contains("\\\"") || !inside.contains(['{', '<']) {
        return None;
    }
    let inside = match inside.rfind('"') {
        Some(last) if !inside[..last].ends_with('\\') => &inside[..last],
        _ => inside,
    };
    if inside
        .match_indices('"')
        .any(|(at, _)| !inside[..at].ends_with('\\'))
    {
        return None;
    }
    Some(unescape_text(inside))
}

/// The longest escape that may be cut off at an end, in characters: two halves of one character.
const LONGEST_ESCAPE: usize = 12;

/// The text a string's inside stands for, its last escape left out where that was cut off.
fn unescape_text(inside: &str) -> String {
    let mut quoted = format!("\"{}", inside.replace('\n', "\\n"));
    for _ in 0..=LONGEST_ESCAPE {
        if let Ok(text) = serde_json::from_str(&format!("{quoted}\"")) {
            return text;
        }
        quoted.pop();
    }
    inside.replace("\\\"", "\"").replace("\\n", "\n")
}

/// The text without signs nobody sees, those a tokenizer writes for blanks, and backslashes before markup.
fn strip_invisible_signs(text: &str) -> Option<String> {
    let mut cleaned: String = text
        .chars()
        .filter(|c| !is_unseen(*c))
        .map(|c| match c {
            'Ġ' | '▁' => ' ',
            'Ċ' => '\n',
            c => c,
        })
        .collect();
    // A quote of Gemma's, as a tokenizer without that token writes it.
    cleaned = cleaned.replace("<escape>", TOKEN_QUOTE);
    for escaped in ["\\<", "\\>", "\\_", "\\{", "\\}", "\\[", "\\]", "\\:"] {
        cleaned = cleaned.replace(escaped, &escaped[1..]);
    }
    (cleaned != text).then_some(cleaned)
}

/// An element whose first tag lacks its angle, `name>hi</name>`, or whose last lacks its slash, `<name>hi<name>`.
fn complete_tags(text: &str, names: &ToolNames) -> Option<String> {
    let is_frame = |text: &str| {
        matches!(text.trim(), "" | "<turn>" | "</turn>") || text.trim().ends_with("</thoughts>")
    };
    names.tools.iter().find_map(|tool| {
        let (start, end) = (format!("{}>", tool.name), format!("</{}>", tool.name));
        let mut parts = text.split(&start);
        let (before, inner, behind) = (parts.next()?, parts.next()?, parts.next()?);
        let (before, inner) = (
            before.strip_suffix('<').unwrap_or(before),
            inner.strip_suffix("</").or(inner.strip_suffix('<'))?,
        );
        let is_whole = is_frame(before)
            && is_frame(behind)
            && parts.next().is_none()
            && !inner.trim().is_empty();
        is_whole.then(|| format!("{before}<{start}{inner}{end}{behind}"))
    })
}

/// Tags in each kind of brackets: whether they end something, what they say, and their names.
static BRACKETED_TAGS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    const BRACKETS: [&str; 8] = ["< >", "[ ]", "{ }", "【 】", "〈 〉", "《 》", "‹ ›", "« »"];
    let compile = |pair: &str| {
        let (open, close) = pair.split_once(' ')?;
        let (open, close) = (regex::escape(open), regex::escape(close));
        let inner = format!(r"(\w+)[^{open}{close}]{{0,{LONGEST_TAG}}}");
        Regex::new(&format!(r"{open}\s*(/?)\s*({inner}){close}")).ok()
    };
    BRACKETS.into_iter().filter_map(compile).collect()
});

/// The text with the tags of the protocol in angles and without blanks before their names: `[name]…[/name]`, `< name>`.
fn convert_brackets_to_angles(text: &str, names: &ToolNames) -> Option<String> {
    let is_known = |tag: &Captures<'_>| {
        matches!(&tag[3], "turn" | "thoughts") || names.find_named_tool(&tag[3]).is_some()
    };
    let is_end = |tag: Captures<'_>| !tag[1].is_empty() && is_known(&tag);
    let mut kinds = BRACKETED_TAGS.iter();
    let tags = kinds.find(|tags| tags.captures_iter(text).any(is_end))?;
    let convert = |tag: &Captures<'_>| match is_known(tag) {
        true => format!("<{}{}>", &tag[1], &tag[2]),
        false => tag[0].to_owned(),
    };
    Some(tags.replace_all(text, convert).into_owned())
}

const DEEPEST: usize = 3;

/// Reads text inside another structure; whether it was of a protocol. Answers in texts of answers end somewhere: nobody
/// means them, and each costs a part of the stack.
pub(in crate::protocol) fn scan_nested_text(
    text: &str,
    names: &ToolNames,
    found: &mut CollectedCalls,
) -> bool {
    if found.depth >= DEEPEST {
        return false;
    }
    let mut inner = AnswerScanner::new(None, Arc::new(names.clone()));
    inner.recovering = true;
    inner.found.depth = found.depth + 1;
    inner.text.push_str(text);
    inner.scan_available_text();
    inner.finish();
    inner.found.calls = inner.take_calls(true);
    let readable = inner.has_structure || !inner.found.calls.is_empty();
    found.merge(inner.found);
    readable
}
