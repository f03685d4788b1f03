//! An answer in which nothing was found as it stands: read once more without what was put around all of it, and then as
//! the other writings for calls, a program's and lines of keys and values.

use std::sync::Arc;

use regex::Regex;
use serde_json::Value;

use super::AnswerScanner;
use crate::protocol::collected_calls::CollectedCalls;
use crate::protocol::entity;
use crate::protocol::json::{JsonReader, parse_document};
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

/// How many wrappings may stand around each other.
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

    /// The calls of a text that is nothing but calls in the syntax of a program, or lines that name a tool and its
    /// parameters.
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
                    let list = JsonReader::parse_list(lines.trim())
                        .or_else(|| speech::parse_line(lines, &self.names));
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
        self.found.add_thought(&found.thoughts);
        self.found.wants_another_round |= found.wants_another_round;
        self.found.calls.extend(found.calls);
        self.found.repairs.extend(found.repairs);
        for problem in found.problems {
            self.found.record_problem(Repair::UnreadableCall, problem);
        }
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

/// Lines that all begin with a number or a mark of quotation, without it.
fn strip_line_marks(text: &str) -> Option<String> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let quoted = |line: &str| {
        line.trim_start()
            .strip_prefix(['>', '|', '+'])
            .map(|rest| rest.strip_prefix(' ').unwrap_or(rest).to_owned())
    };
    let numbered = |line: &str| {
        let rest = line
            .trim_start()
            .trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < line.trim_start().len())
            .then(|| rest.trim_start_matches(['.', ':', '|', ')']).to_owned())
    };
    lines().next()?;
    let strip = |mark: &dyn Fn(&str) -> Option<String>| {
        lines()
            .map(mark)
            .collect::<Option<Vec<_>>>()
            .map(|lines| lines.join("\n"))
    };
    strip(&quoted).or_else(|| strip(&numbered).filter(|_| lines().count() > 1))
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

/// The text with the tags of the protocol in angles and without blanks before their names: `[name]…[/name]`, `< name>`.
fn convert_brackets_to_angles(text: &str, names: &ToolNames) -> Option<String> {
    const BRACKETS: [&str; 8] = ["< >", "[ ]", "{ }", "【 】", "〈 〉", "《 》", "‹ ›", "« »"];
    let words = names.tools.iter().map(|tool| regex::escape(&tool.name));
    let words = words.chain(["turn".to_owned(), "thoughts".to_owned()]);
    let words = words.collect::<Vec<_>>().join("|");
    BRACKETS.iter().find_map(|pair| {
        let (open, close) = pair.split_once(' ')?;
        if !text.contains(open) || !text.contains(close) {
            return None;
        }
        let (open, close) = (regex::escape(open), regex::escape(close));
        let rest = format!(r"(?:[^\w{close}][^{close}]*)?");
        let tag = Regex::new(&format!(r"{open}\s*(/?)\s*((?:{words}){rest}){close}")).ok()?;
        let has_end = tag.captures_iter(text).any(|found| !found[1].is_empty());
        has_end.then(|| tag.replace_all(text, "<$1$2>").into_owned())
    })
}

/// How many answers may stand in each other's texts.
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
    inner.merge_into(found)
}

impl AnswerScanner {
    /// Hands what was found to the reader of the text around; whether it was of a protocol.
    fn merge_into(mut self, found: &mut CollectedCalls) -> bool {
        found.add_thought(&self.found.thoughts);
        found.wants_another_round |= self.found.wants_another_round;
        let calls = self.take_calls(true);
        let readable = self.has_structure || !calls.is_empty();
        found.calls.extend(calls);
        found.repairs.extend(self.found.repairs);
        found.problems.extend(self.found.problems);
        readable
    }
}
