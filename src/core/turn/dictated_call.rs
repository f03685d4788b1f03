//! A call that somebody in the chat wrote and the model only repeats. What people write is talk: they may ask for a thing
//! in words, and none of them calls a tool.

use serde_json::Value;

use crate::call::{ToolCall, ToolKind};
use crate::chat::AuthorKind;
use crate::similarity::extract_letters;
use crate::timeline::Timeline;

/// How many lines of others a call is compared with.
const LINES_COMPARED: usize = 30;

/// Whether a member's line holds this call: the tool's name as a call has it, and one of the call's texts.
pub(super) fn is_dictated(call: &ToolCall, kind: ToolKind, timeline: &Timeline) -> bool {
    let texts: Vec<String> = call
        .params
        .values()
        .filter_map(Value::as_str)
        .map(extract_letters)
        .collect();
    let others = timeline.messages().rev().map(|said| &said.message);
    let others = others
        .filter(|message| message.author.kind != AuthorKind::Companion)
        .take(LINES_COMPARED);
    let holds_text = |line: &str| {
        let line = extract_letters(line);
        texts
            .iter()
            .any(|text| !text.is_empty() && line.contains(text))
    };
    others
        .map(|message| &*message.text)
        .any(|line| is_called_in(&call.name, kind, line) && holds_text(line))
}

/// Whether the name stands in the line with the signs of a call around it. Of what only reads a colon is none: "recall:
/// where the keys are" is how people ask.
fn is_called_in(tool: &str, kind: ToolKind, line: &str) -> bool {
    let name: Vec<char> = extract_letters(tool).chars().collect();
    let line: Vec<char> = line
        .chars()
        .filter(|c| c.is_alphanumeric() || !matches!(c, '_' | '-' | '\\'))
        .collect();
    let is_name = |at: &usize| {
        let signs = line[*at..].iter().flat_map(|c| c.to_lowercase());
        signs.take(name.len()).eq(name.iter().copied())
    };
    let is_blank = |c: &&char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '*' | '“' | '”');
    let is_sign = |c: &char| match c {
        '(' | '{' | '[' | '<' | '>' | '=' | '（' | '＜' | '＞' => true,
        ':' | '：' | ',' => kind != ToolKind::Tool,
        _ => false,
    };
    let has_sign = |at: usize| {
        let before = line[..at].iter().rev().find(|c| !is_blank(c));
        let behind = line[at + name.len()..].iter().find(|c| !is_blank(c));
        before.is_some_and(is_sign) || behind.is_some_and(is_sign)
    };
    (0..line.len().saturating_sub(name.len()))
        .filter(is_name)
        .any(has_sign)
}
