//! An answer in which nothing was found as it stands: read once more without what was put around all of it, and then as
//! the other writings for calls, a program's and lines of keys and values.

use std::sync::Arc;

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
use crate::protocol::sign::{find_in_prefix, is_unseen};
use crate::protocol::speaker::{WordsOf, drop_others_lines};
use crate::protocol::{speech, spelled_calls};
use kith_language::answer_problems;

/// The longest tag in other brackets, in bytes.
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
    let lines = text.lines().map(str::trim_start);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let quoted = |line: &str| {
        let rest = line.strip_prefix(['>', '|', '+'])?;
        Some(rest.strip_prefix(' ').unwrap_or(rest).to_owned())
    };
    let numbered = |line: &str| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = rest.len() < line.len();
        is_numbered.then(|| rest.trim_start_matches(['.', ':', '|', ')']).to_owned())
    };
    let strip = |mark: &dyn Fn(&str) -> Option<String>| {
        let stripped: Option<Vec<_>> = lines.iter().map(|line| mark(line)).collect();
        stripped.map(|lines| lines.join("\n"))
    };
    match lines.len() {
        0 => None,
        1 => strip(&quoted),
        _ => strip(&quoted).or_else(|| strip(&numbered)),
    }
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
    // Whether a tag of the protocol stands behind a bracket: whether it ends something, what it says, and what follows.
    let tag = |behind: &str, close: &str| {
        let inner = behind.trim_start();
        let (is_end, inner) = inner
            .strip_prefix('/')
            .map_or((false, inner), |inner| (true, inner.trim_start()));
        let mut words = names
            .tools
            .iter()
            .map(|tool| tool.name.as_str())
            .chain(["turn", "thoughts"]);
        let is_sign = |c: char| c.is_alphanumeric() || c == '_';
        let is_known = words.any(|word| {
            inner
                .strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(is_sign))
        });
        let end = find_in_prefix(inner, close, if is_known { LONGEST_TAG } else { 0 })?;
        Some((
            is_end,
            inner[..end].to_owned(),
            behind.len() - inner.len() + end + close.len(),
        ))
    };
    let mut pairs = BRACKETS.into_iter().filter_map(|pair| pair.split_once(' '));
    let (open, close) = pairs.find(|(open, close)| {
        let mut tags = text
            .split(open)
            .skip(1)
            .filter_map(|behind| tag(behind, close));
        tags.any(|(is_end, ..)| is_end)
    })?;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(open) {
        out.push_str(before);
        rest = match tag(behind, close) {
            Some((is_end, inner, length)) => {
                out.extend([if is_end { "</" } else { "<" }, &inner, ">"]);
                &behind[length..]
            }
            None => {
                out.push_str(open);
                behind
            }
        };
    }
    out.push_str(rest);
    Some(out)
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
