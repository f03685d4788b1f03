//! Text outside any structure: collected without the fences around structures, and searched for what must never be
//! posted.

use unicode_normalization::UnicodeNormalization;

use super::cleaned_text;
use super::names::{self, TagMeaning, ToolNames};
use super::repair::{Repair, Repairs};
use super::sign::find_in_prefix;

/// How far before a bare object its tool's name is looked for, in bytes.
const NAME_REACH: usize = 120;

const LONGEST_TOKEN: usize = 64;
const FENCES: [&str; 2] = ["```", "~~~"];

/// What is left over around a structure with too many brackets, quotes or fences.
const JUNK: &[char] = &['{', '}', '[', ']', ',', ';', ')', '"', '`', '\u{feff}'];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextContinuation {
    /// Something that was read as structure.
    Structure,
    End,
}

#[derive(Debug, Default)]
pub(super) struct OutsideText {
    pub(super) text: String,
    /// Pieces were added: what follows comes after a structure.
    has_pieces: bool,
}

impl OutsideText {
    /// Adds a piece that stood before, between or after structures; whether it says anything.
    pub(super) fn add_piece(
        &mut self,
        piece: &str,
        next: TextContinuation,
        repairs: &mut Repairs,
    ) -> bool {
        let mut piece = piece.trim();
        if self.has_pieces
            && let Some(rest) = FENCES.iter().find_map(|fence| piece.strip_prefix(fence))
        {
            repairs.add(Repair::Fence);
            piece = rest.trim_start();
        }
        if next == TextContinuation::Structure
            && let Some(before) = strip_open_fence(piece)
        {
            repairs.add(Repair::Fence);
            piece = before.trim_end();
        }
        let beside_structure = self.has_pieces || next == TextContinuation::Structure;
        self.has_pieces = true;
        let is_junk = |c: char| c.is_whitespace() || JUNK.contains(&c);
        if beside_structure && piece.chars().all(is_junk) {
            if piece.contains(['{', '}', '[', ']']) {
                repairs.add(Repair::JsonSyntax);
            }
            return false;
        }
        if piece.is_empty() {
            return false;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(piece);
        true
    }
}

/// What stands before a fence that opens at the end of a text.
pub(super) fn strip_open_fence(text: &str) -> Option<&str> {
    let is_language = |c: char| c.is_alphanumeric() || "_-+.#".contains(c);
    let before = text.trim_end().trim_end_matches(is_language);
    let is_fence = FENCES.iter().any(|fence| before.ends_with(fence));
    is_fence.then(|| before.trim_end_matches(['`', '~']))
}

/// What stands in the first fence of a text, and what around it.
pub(super) fn split_fence(text: &str) -> Option<(&str, String)> {
    let fence = FENCES.into_iter().find(|fence| text.contains(fence))?;
    let (before, rest) = text.split_once(fence)?;
    let inside = rest.find('\n').map_or("", |end| &rest[end + 1..]);
    let (inside, behind) = inside.split_once(fence).unwrap_or((inside, ""));
    Some((inside, format!("{before}{behind}")))
}

pub(super) fn strip_tokens(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("<|") {
        let end = find_in_prefix(&rest[at..], "|>", LONGEST_TOKEN);
        out.push_str(&rest[..at]);
        rest = &rest[at + end.map_or(2, |end| end + 2)..];
    }
    out.push_str(rest);
    out
}

/// Whether a `<|token|>` belongs to a provider's tool-call syntax.
pub(super) fn is_tool_token(token: &str) -> bool {
    token.contains("tool")
        || token.contains("function")
        || token.contains("python_tag")
        || token.contains("channel")
}

/// The last tool name in the text before a bare object, with its offset; `functions.` before it included.
pub(super) fn find_last_tool_name(before: &str, names: &ToolNames) -> Option<(usize, String)> {
    let from = before.ceil_char_boundary(before.len().saturating_sub(NAME_REACH));
    let is_sign = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.' | '-');
    let mut end = before.len();
    for part in before[from..].split_inclusive(is_sign).rev() {
        end -= part.len();
        let word = part.trim_end_matches(is_sign);
        if names.find_tool(word).is_some() {
            return Some((end, word.to_owned()));
        }
    }
    None
}

/// In thoughts that never ended: where the turn behind them begins, if the answer ends with one that is closed.
pub(super) fn find_turn_after_thought(content: &str, names: &ToolNames) -> Option<usize> {
    let trimmed = content.trim_end().trim_end_matches('`').trim_end();
    if !trimmed.ends_with("</turn>") {
        return None;
    }
    let tag_at = |at: usize| {
        let name: String = content[at + 1..]
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        names.classify_name(&name)
    };
    let mut brackets = content.match_indices('<').map(|(at, _)| at);
    match content.rfind("<turn") {
        Some(turn) => Some(turn),
        None => brackets.find(|&at| matches!(tag_at(at), TagMeaning::Tool(_))),
    }
}

/// Whether text holds what looks like a tool call, a protocol document or half a tag.
pub(super) fn has_residue(text: &str, tools: &ToolNames) -> bool {
    #[rustfmt::skip]
    const SIGNS: &[&str] = &[
        "<|", "|>", "<｜", "｜>", "[TOOL_CALL]", "</", "/>", "\"actions\"", "\"thoughts\"", "\"params\"",
        "\"arguments\"", "functions.", "<![CDATA[", "<!--", "request_heartbeat", "<turn", "<tool", "<function",
        "<invoke", "<think", "[THINK]", "[/THINK]", "◁think", "◁/think", "<channel|",
    ];
    if text.is_empty() {
        return false;
    }
    // Signs of full width stand for others.
    let text = &*text.nfkc().collect::<String>();
    let is_thinking_fence =
        |behind: &str| names::is_thinking(behind.lines().next().unwrap_or_default());
    if SIGNS.iter().any(|sign| text.contains(sign))
        || cleaned_text::has_bare_token(text)
        || text.split("```").skip(1).step_by(2).any(is_thinking_fence)
    {
        return true;
    }
    tools.tools.iter().any(|tool| {
        text.match_indices(tool.name.as_str()).any(|(at, name)| {
            let behind = text[at + name.len()..].trim_start();
            let called = behind.starts_with(['(', '{', ':']) && tool.name.contains('_')
                || behind.starts_with('(');
            let tag = text[..at].ends_with(['<', '＜', '/']);
            called || tag || name.contains('_')
        })
    })
}
