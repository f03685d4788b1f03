//! Thoughts and special tokens inside the parameters of a call: neither ever reaches people. What stands in a code
//! span was meant to be read.

use std::ops::Range;

use super::find::first_sign;
use super::marker::{self, CHANNEL, MESSAGE, Mark, Message};
use super::names;

/// Longest special token or tag of thoughts, in bytes.
const LONGEST: usize = 64;

/// Special tokens without bars.
pub(super) const TOKENS: &[&str] =
    &["<start_of_turn>", "<end_of_turn>", "[INST]", "[/INST]", "[TOOL_CALLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]"];

/// A text without what leaked into it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Cleaned {
    pub(super) text: String,
    pub(super) thoughts: Vec<String>,
    /// A special token was in it.
    pub(super) tokens: bool,
}

/// What stands at a place of a text.
enum Piece {
    Text,
    Token,
    /// Thoughts with the marks around them.
    Thoughts(Range<usize>),
    /// The end of thoughts whose beginning was not written: all before it was thought.
    ThoughtsBefore,
}

/// Takes thoughts and special tokens out of `text`; none where there are none.
pub(super) fn cleaned(text: &str) -> Option<Cleaned> {
    let mut out = Cleaned::default();
    let mut touched = false;
    let mut kept = 0;
    let mut at = 0;
    // What may begin something: a bracket, a backtick, a mark's own sign.
    while let Some((offset, sign)) = text.get(at..).and_then(|rest| first_sign(rest, ['<', '[', '`', '◁'])) {
        let place = at + offset;
        if sign == '`' {
            at = behind_code(text, place);
            continue;
        }
        let (end, piece) = piece_at(text, place);
        at = end;
        if matches!(piece, Piece::Text) {
            continue;
        }
        out.text.push_str(&text[kept..place]);
        (kept, touched) = (end, true);
        match piece {
            Piece::Text => {}
            Piece::Token => out.tokens = true,
            Piece::Thoughts(inner) => out.thoughts.push(text[inner].to_owned()),
            Piece::ThoughtsBefore => out.thoughts.push(std::mem::take(&mut out.text)),
        }
    }
    if !touched {
        return None;
    }
    out.text.push_str(&text[kept..]);
    out.text = out.text.trim().to_owned();
    Some(out)
}

/// Behind the code span that begins at `tick`, or behind its backticks where it has no end.
fn behind_code(text: &str, tick: usize) -> usize {
    let fence = text[tick..].starts_with("```");
    let from = tick + if fence { 3 } else { 1 };
    let (mark, within) = match fence {
        true => ("```", &text[from..]),
        false => ("`", text[from..].split('\n').next().unwrap_or_default()),
    };
    within.find(mark).map_or(from, |found| from + found + mark.len())
}

fn piece_at(text: &str, sign: usize) -> (usize, Piece) {
    let rest = &text[sign..];
    if let Some((mark, what)) = marker::leading(rest) {
        let inner = sign + mark.len();
        return match what {
            Mark::Ends => (inner, Piece::ThoughtsBefore),
            Mark::Begins(ends) => thoughts(text, inner, ends),
        };
    }
    if let Some(token) = token(rest) {
        let behind = sign + token.len();
        let near = &text[behind..text.floor_char_boundary(behind + LONGEST)];
        let Some((header, _)) = near.split_once(MESSAGE).filter(|_| token == CHANNEL) else {
            return (behind, Piece::Token);
        };
        let inner = behind + header.len() + MESSAGE.len();
        return match marker::message(&text[sign..inner]) {
            Some(Message::Thoughts(ends)) => thoughts(text, inner, ends),
            _ => (inner, Piece::Token),
        };
    }
    match thinking_tag(rest) {
        Some((length, true)) => (sign + length, Piece::ThoughtsBefore),
        Some((length, false)) => {
            let inner = sign + length;
            let end = text[inner..].match_indices("</").find_map(|(at, _)| {
                let (length, _) = thinking_tag(&text[inner + at..])?;
                Some((inner + at, inner + at + length))
            });
            let (inner_end, end) = end.unwrap_or((text.len(), text.len()));
            (end, Piece::Thoughts(inner..inner_end))
        }
        None => (sign + rest.chars().next().map_or(1, char::len_utf8), Piece::Text),
    }
}

/// Thoughts from `inner` on, to the end of the text where they have none.
fn thoughts(text: &str, inner: usize, ends: &[&'static str]) -> (usize, Piece) {
    match marker::first_end(text, inner, ends) {
        Some((at, end)) if marker::begins_next(end) => (at, Piece::Thoughts(inner..at)),
        Some((at, end)) => (at + end.len(), Piece::Thoughts(inner..at)),
        None => (text.len(), Piece::Thoughts(inner..text.len())),
    }
}

/// The special token that `rest` begins with: `<|token|>`, or with one bar, `<|token>` and `<token|>`.
fn token(rest: &str) -> Option<&str> {
    if let Some(bare) = TOKENS.iter().find(|token| rest.starts_with(**token)) {
        return Some(bare);
    }
    let bar = |c: char| matches!(c, '|' | '｜');
    let inner = rest.strip_prefix('<')?;
    let end = inner.bytes().take(LONGEST).position(|byte| byte == b'>')?;
    let written = inner.get(..end)?;
    let opened = written.strip_prefix(bar);
    let name = opened.unwrap_or(written);
    let (name, bars) = match (name.strip_suffix(bar), opened) {
        (Some(name), Some(_)) => (name, 2),
        (Some(name), None) => (name, 1),
        (None, Some(_)) => (name, 1),
        (None, None) => return None,
    };
    let is_token = match bars {
        2 => name == "\"" || !name.is_empty() && name.chars().all(is_token_sign),
        // A bar and an angle stand in sums and in code as well.
        _ => name.len() > 2 && name.chars().all(|c| c.is_ascii_lowercase() || c == '_'),
    };
    is_token.then(|| &rest[..end + 2])
}

fn is_token_sign(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '/' | '▁' | '-')
}

/// The length of the tag of thoughts that `rest` begins with, and whether it is an end tag.
fn thinking_tag(rest: &str) -> Option<(usize, bool)> {
    let inner = rest.strip_prefix('<')?;
    let end = inner.bytes().take(LONGEST).position(|byte| byte == b'>')?;
    let written = inner.get(..end)?;
    let name = written.strip_prefix('/');
    let is_end = name.is_some();
    let name = name.unwrap_or(written).trim();
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':'));
    (plain && names::is_thinking(name)).then_some((end + 2, is_end))
}
