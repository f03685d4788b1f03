//! What people may read of a text in a call: no thoughts, no special tokens, no escapes that were meant for a machine.
//! What stands in a code span was meant to be read.

use std::ops::Range;

use super::entity;
use super::marker::{self, CHANNEL, HarmonyMessage, MESSAGE, MarkerKind};
use super::names;
use super::sign::measure_cdata_mark;
use super::sign_search::find_first_sign;

/// Longest special token or tag of thoughts, in bytes.
const LONGEST: usize = 64;

/// Special tokens without bars.
pub(super) const TOKENS: &[&str] = &[
    "<start_of_turn>",
    "<end_of_turn>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[TOOL_CALLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
];

/// A text without what leaked into it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CleanedText {
    pub(super) text: String,
    pub(super) thoughts: Vec<String>,
    /// A special token was in it.
    pub(super) tokens: bool,
    /// An escape was in it.
    pub(super) escapes: bool,
}

/// What stands at a place of a text.
enum Piece {
    Text,
    Token,
    /// Thoughts with the marks around them.
    Thoughts(Range<usize>),
    /// The end of thoughts whose beginning was not written: all before it was thought.
    ThoughtsBefore,
    /// An escape, for this.
    Escape(Option<char>),
    /// The beginning of a CDATA section that is written badly.
    Cdata,
}

/// Takes out of `text` what nobody is to read; none where there is nothing. Escapes are no leaks where nobody knows what a
/// text is for.
pub(super) fn clean_text(text: &str, with_escapes: bool) -> Option<CleanedText> {
    let mut out = CleanedText::default();
    let (mut touched, mut in_cdata) = (false, false);
    let mut kept = 0;
    let mut at = 0;
    let mut quotes = None;
    // What may begin something: a bracket, a backtick, a mark's own sign, an escape.
    while let Some((offset, sign)) = text
        .get(at..)
        .and_then(|rest| find_first_sign(rest, ['<', '[', '`', '◁', '&', '\\']))
    {
        let place = at + offset;
        if sign == '`' {
            at = find_code_span_end(text, place);
            continue;
        }
        if matches!(sign, '&' | '\\') && !with_escapes {
            at = place + 1;
            continue;
        }
        let (end, piece) = match sign {
            '&' => read_escape(place, entity::read_nested_entity(&text[place..])),
            '\\' => read_escape(place, read_backslash_escape(text, place, &mut quotes)),
            _ => read_piece(text, place, sign),
        };
        at = end;
        if matches!(piece, Piece::Text) {
            continue;
        }
        out.text.push_str(&text[kept..place]);
        (kept, touched) = (end, true);
        // Behind a mark of an end somebody else would speak.
        if matches!(piece, Piece::Token)
            && !out.text.trim().is_empty()
            && marker::is_answer_end(&text[place..end])
        {
            (kept, out.tokens) = (text.len(), true);
            break;
        }
        match piece {
            Piece::Text => {}
            Piece::Token => out.tokens = true,
            Piece::Thoughts(inner) => out.thoughts.push(text[inner].to_owned()),
            Piece::ThoughtsBefore => out.thoughts.push(std::mem::take(&mut out.text)),
            Piece::Escape(stands_for) => {
                out.escapes = true;
                out.text.extend(stands_for);
            }
            Piece::Cdata => (out.escapes, in_cdata) = (true, true),
        }
    }
    if !touched {
        return None;
    }
    let rest = text[kept..].trim_end();
    out.text.push_str(if in_cdata {
        rest.trim_end_matches(['>', ']'])
    } else {
        rest
    });
    out.text = out.text.trim().to_owned();
    Some(out)
}

/// Behind the code span that begins at `tick`, or behind its backticks where it has no end.
fn find_code_span_end(text: &str, tick: usize) -> usize {
    let fence = text[tick..].starts_with("```");
    let from = tick + if fence { 3 } else { 1 };
    let (mark, within) = match fence {
        true => ("```", &text[from..]),
        false => ("`", text[from..].split('\n').next().unwrap_or_default()),
    };
    within
        .find(mark)
        .map_or(from, |found| from + found + mark.len())
}

/// An escape at `at` and what is behind it, or only its sign.
fn read_escape(at: usize, read: Option<(char, usize)>) -> (usize, Piece) {
    read.map_or((at + 1, Piece::Text), |(c, length)| {
        (at + length, Piece::Escape(Some(c)))
    })
}

fn read_piece(text: &str, sign: usize, first: char) -> (usize, Piece) {
    let rest = &text[sign..];
    let behind_sign = sign + first.len_utf8();
    if let Some((mark, what)) = marker::read_leading_mark(rest) {
        let inner = sign + mark.len();
        return match what {
            MarkerKind::Ends => (inner, Piece::ThoughtsBefore),
            MarkerKind::Begins(ends) => read_thoughts(text, inner, ends),
        };
    }
    if let Some((length, piece)) = read_markup(rest) {
        return (sign + length, piece);
    }
    if let Some(token) = read_token(rest) {
        let behind = sign + token.len();
        let near = &text[behind..text.floor_char_boundary(behind + LONGEST)];
        let Some((header, _)) = near.split_once(MESSAGE).filter(|_| token == CHANNEL) else {
            return (behind, Piece::Token);
        };
        let inner = behind + header.len() + MESSAGE.len();
        return match marker::parse_harmony_header(&text[sign..inner]) {
            Some(HarmonyMessage::Thoughts(ends)) => read_thoughts(text, inner, ends),
            _ => (inner, Piece::Token),
        };
    }
    match read_thinking_tag(rest) {
        Some((length, true)) => (sign + length, Piece::ThoughtsBefore),
        Some((length, false)) => {
            let inner = sign + length;
            let end = text[inner..].match_indices("</").find_map(|(at, _)| {
                let (length, _) = read_thinking_tag(&text[inner + at..])?;
                Some((inner + at, inner + at + length))
            });
            let (inner_end, end) = end.unwrap_or((text.len(), text.len()));
            (end, Piece::Thoughts(inner..inner_end))
        }
        None => (behind_sign, Piece::Text),
    }
}

/// What a tag of a page or the mark of a CDATA section stands for, and its length.
fn read_markup(rest: &str) -> Option<(usize, Piece)> {
    const TAGS: &[(&str, Option<char>)] = &[
        ("<br>", Some('\n')),
        ("<br/>", Some('\n')),
        ("<br />", Some('\n')),
        ("<p>", None),
        ("</p>", Some('\n')),
    ];
    let starts = |tag: &str| {
        rest.get(..tag.len())
            .is_some_and(|begun| begun.eq_ignore_ascii_case(tag))
    };
    let tag = TAGS
        .iter()
        .find(|(tag, _)| starts(tag))
        .map(|(tag, c)| (tag.len(), Piece::Escape(*c)));
    tag.or_else(|| Some((measure_cdata_mark(rest)?, Piece::Cdata)))
}

/// What an escape of JSON stands for that was written where none belongs, and its length. A path keeps its signs; a quote
/// is escaped where all are, which is looked at once.
fn read_backslash_escape(
    text: &str,
    at: usize,
    quotes: &mut Option<bool>,
) -> Option<(char, usize)> {
    let rest = &text[at + 1..];
    let unit = |text: &str| {
        text.strip_prefix('u')
            .and_then(|code| u32::from_str_radix(code.get(..4)?, 16).ok())
    };
    let next = rest.chars().next()?;
    let (before, behind) = (text[..at].chars().next_back(), rest.chars().nth(1));
    let is_within = |c: Option<char>| {
        c.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, ':' | '/' | '\\'))
    };
    let c = match next {
        '"' => {
            let all = || (text.matches('"').count(), text.matches("\\\"").count());
            quotes
                .get_or_insert_with(|| all().0 > 1 && all().0 == all().1)
                .then_some('"')?
        }
        '\'' | '/' if is_within(before) && is_within(behind) => next,
        'n' if !is_path_separator(text, at) => '\n',
        // Escaped once, or once more.
        'u' | '\\' => {
            let signs = &text[at..][..1 + rest
                .bytes()
                .take(3)
                .take_while(|byte| *byte == b'\\')
                .count()];
            let code = &text[at + signs.len()..];
            let first = unit(code)?;
            let second = || {
                code.get(5..)?
                    .strip_prefix(signs)
                    .and_then(unit)
                    .filter(|low| (0xDC00..0xE000).contains(low))
            };
            let length = signs.len() + 5;
            return match (first, second()) {
                (0xD800..0xDC00, Some(low)) => Some((
                    char::from_u32(0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00))?,
                    2 * length,
                )),
                _ => Some((char::from_u32(first)?, length)),
            };
        }
        _ => return None,
    };
    Some((c, 2))
}

/// Whether the backslash at `at` belongs to a path: other letters stand behind others of its word, or a drive before it.
fn is_path_separator(text: &str, at: usize) -> bool {
    let before = &text[text.floor_char_boundary(at.saturating_sub(LONGEST))..at];
    let behind = &text[at..text.floor_char_boundary(at + LONGEST)];
    let from = before
        .rfind(char::is_whitespace)
        .map_or(0, |blank| blank + 1);
    let to = behind.find(char::is_whitespace).unwrap_or(behind.len());
    let mut parts = before[from..]
        .split('\\')
        .skip(1)
        .chain(behind[..to].split('\\').skip(1));
    before[from..].contains(":\\")
        || before.ends_with(':')
        || parts.any(|part| !part.is_empty() && !part.starts_with(['n', 'r', 't', 'u', '"']))
}

/// Thoughts from `inner` on, to the end of the text where they have none.
fn read_thoughts(text: &str, inner: usize, ends: &[&'static str]) -> (usize, Piece) {
    match marker::find_first_end(text, inner, ends) {
        Some((at, end)) if marker::is_message_start(end) => (at, Piece::Thoughts(inner..at)),
        Some((at, end)) => (at + end.len(), Piece::Thoughts(inner..at)),
        None => (text.len(), Piece::Thoughts(inner..text.len())),
    }
}
/// The special token that `rest` begins with: `<|token|>`, or with one bar, `<|token>` and `<token|>`.
fn read_token(rest: &str) -> Option<&str> {
    if let Some(bare) = TOKENS.iter().find(|token| rest.starts_with(**token)) {
        return Some(&rest[..bare.len()]);
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
fn read_thinking_tag(rest: &str) -> Option<(usize, bool)> {
    let inner = rest.strip_prefix('<')?;
    let end = inner.bytes().take(LONGEST).position(|byte| byte == b'>')?;
    let written = inner.get(..end)?;
    let name = written.strip_prefix('/');
    let is_end = name.is_some();
    let name = name.unwrap_or(written).trim();
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':'));
    (plain && names::is_thinking(name)).then_some((end + 2, is_end))
}
