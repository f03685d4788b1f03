//! What people may read of a text in a call: no thoughts, no special tokens, no escapes that were meant for a machine.
//! What stands in a code span was meant to be read.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::code_span;
use super::entity;
use super::marker::{self, CHANNEL, HarmonyMessage, MESSAGE, MarkerKind};
use super::names;
use super::repair::{Repair, Repairs};
use super::sign::{find_first_sign, measure_cdata_mark};

/// Longest special token or tag of thoughts, in bytes.
const LONGEST: usize = 64;

/// Words of vocabularies that stand in angles, and in capitals in square brackets, where no text is meant.
#[rustfmt::skip]
const TOKEN_WORDS: &[&str] = &[
    "eos", "bos", "unk", "pad", "sep", "cls", "sop", "eop", "eod", "eot", "mask", "gmask", "inst", "toolcalls",
    "toolresults",
];
/// Sizes of numbers, as the types of programs have them.
const SIZES: [&str; 6] = ["8", "16", "32", "64", "128", "256"];

#[derive(Debug, Default)]
pub(super) struct CleanedText {
    pub(super) text: String,
    pub(super) thoughts: Vec<String>,
    pub(super) repairs: Repairs,
}

enum Piece {
    Text,
    Token,
    /// Thoughts with the marks around them.
    Thoughts(Range<usize>),
    /// The end of thoughts whose beginning was not written: all before it was thought.
    ThoughtsBefore,
    Escape(Option<char>),
    /// The beginning of a CDATA section that is written badly.
    Cdata,
}

/// Takes out what nobody is to read; none where there is nothing. Escapes are leaks only where a text's use is known.
pub(super) fn clean_text(text: &str, with_escapes: bool) -> Option<CleanedText> {
    let mut out = CleanedText::default();
    let (mut touched, mut in_cdata) = (false, false);
    let mut kept = 0;
    let mut at = 0;
    // What may begin something: a bracket, a backtick, a mark's own sign, an escape.
    while let Some((offset, sign)) = text
        .get(at..)
        .and_then(|rest| find_first_sign(rest, ['<', '[', '`', '◁', '&', '\\']))
    {
        let place = at + offset;
        if matches!(sign, '&' | '\\') && !with_escapes {
            at = place + 1;
            continue;
        }
        let (end, piece) = match sign {
            '`' => read_code(text, place),
            '&' => read_escape(place, entity::read_nested_entity(&text[place..])),
            '\\' => read_escape(place, read_backslash_escape(text, place)),
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
            kept = text.len();
            out.repairs.add(Repair::LeakedToken);
            break;
        }
        out.repairs.add(match piece {
            Piece::Text | Piece::Token => Repair::LeakedToken,
            Piece::Thoughts(_) | Piece::ThoughtsBefore => Repair::LeakedThought,
            Piece::Escape(_) | Piece::Cdata => Repair::LeakedEscape,
        });
        match piece {
            Piece::Text | Piece::Token => {}
            Piece::Thoughts(inner) => out.thoughts.push(text[inner].to_owned()),
            Piece::ThoughtsBefore => out.thoughts.push(std::mem::take(&mut out.text)),
            Piece::Escape(stands_for) => out.text.extend(stands_for),
            Piece::Cdata => in_cdata = true,
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

/// The code that begins at `tick`, which is text; a fence of thoughts is none.
fn read_code(text: &str, tick: usize) -> (usize, Piece) {
    let (inside, end) = code_span::read_code(text, tick);
    let fence = inside.filter(|inside| inside.start > tick + 1);
    let thought = fence.and_then(|inside| {
        let (info, _) = text[inside.clone()].split_once('\n')?;
        names::is_thinking(info.trim()).then_some(inside.start + info.len()..inside.end)
    });
    (end, thought.map_or(Piece::Text, Piece::Thoughts))
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
    if let Some(read) = read_thoughts_in_tags(text, sign) {
        return read;
    }
    if let Some(token) = read_token(rest).or_else(|| read_bare_token(text, sign)) {
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
    (behind_sign, Piece::Text)
}

/// A tag of thoughts at `sign`, and what stands between it and its end.
fn read_thoughts_in_tags(text: &str, sign: usize) -> Option<(usize, Piece)> {
    let (length, is_end) = read_thinking_tag(&text[sign..])?;
    let inner = sign + length;
    if is_end {
        return Some((inner, Piece::ThoughtsBefore));
    }
    let end = text[inner..].match_indices('<').find_map(|(at, _)| {
        let (length, is_end) = read_thinking_tag(&text[inner + at..])?;
        is_end.then_some((inner + at, inner + at + length))
    });
    let (inner_end, end) = end.unwrap_or((text.len(), text.len()));
    Some((end, Piece::Thoughts(inner..inner_end)))
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

/// What a stray escape of JSON, single or double, stands for, and its length. A path keeps its signs.
fn read_backslash_escape(text: &str, at: usize) -> Option<(char, usize)> {
    let rest = &text[at..];
    if rest.starts_with("\\n") {
        return (!is_path_separator(text, at)).then_some(('\n', 2));
    }
    let signs = rest.bytes().take(4).take_while(|byte| *byte == b'\\');
    let signs = &rest[..signs.count()];
    let unit = |text: &str| {
        let code = text.strip_prefix(signs)?.strip_prefix('u')?.get(..4)?;
        u16::from_str_radix(code, 16).ok()
    };
    let length = signs.len() + 5;
    let units = [unit(rest)?]
        .into_iter()
        .chain(rest.get(length..).and_then(unit));
    let c = char::decode_utf16(units).next()?.ok()?;
    Some((c, length * c.len_utf16()))
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
    let end = marker::find_first_end(text, inner, ends).unwrap_or(text.len()..text.len());
    (end.end, Piece::Thoughts(inner..end.start))
}

/// A special token: `<|token|>`, or with one bar, `<|token>` and `<token|>`. A bar and an angle stand in sums and in code as
/// well.
static TOKEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let signs = r"[\p{Alphabetic}\p{N}_/▁-]+";
    let whole = format!(r#"^<(?:[|｜](?:"|{signs})[|｜]|[|｜][a-z_]{{3,}}|[a-z_]{{3,}}[|｜])>"#);
    Regex::new(&whole).ok()
});

fn read_token(rest: &str) -> Option<&str> {
    let near = &rest[..rest.floor_char_boundary(LONGEST + 1)];
    Some(TOKEN.as_ref()?.find(near)?.as_str())
}

/// A special token without bars at `sign`: a word of vocabularies, or one of a shape that nobody types where it stands.
fn read_bare_token(text: &str, sign: usize) -> Option<&str> {
    let rest = &text[sign..];
    let close = if rest.starts_with('[') { b']' } else { b'>' };
    let end = rest.bytes().take(LONGEST).position(|byte| byte == close)?;
    let (token, behind) = rest.split_at(end + 1);
    let written = token.get(1..end)?;
    let name = written.trim_start_matches('/');
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let is_listed = || TOKEN_WORDS.contains(&&*names::fold_name(name));
    if close == b']' {
        return (name.contains(|c: char| c.is_ascii_uppercase()) && is_listed()).then_some(token);
    }
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &name[word.len()..];
    let is_numbered = word.len() > 3 && number.len() > 1 && !SIZES.contains(&number);
    let stands_at_start = || {
        text[..sign].trim().is_empty()
            && !behind.starts_with(char::is_whitespace)
            && !behind.is_empty()
            && !behind.contains(&format!("</{name}>"))
    };
    let stands_at_end = || {
        behind.trim().is_empty()
            && name.contains('_')
            && !text[..sign].ends_with(char::is_whitespace)
    };
    let has_shape = || name.contains("_of_") || is_numbered || stands_at_start() || stands_at_end();
    let is_token = written == "/s" || is_listed() || name == written && has_shape();
    (name.chars().all(is_plain) && is_token).then_some(token)
}

pub(super) fn has_bare_token(text: &str) -> bool {
    let mut signs = text.match_indices(['<', '[']);
    signs.any(|(sign, _)| read_bare_token(text, sign).is_some())
}

/// The length of the tag of thoughts in front, and whether it is an end tag. Unseen signs and bars are no part of its name.
fn read_thinking_tag(rest: &str) -> Option<(usize, bool)> {
    let inner = rest.strip_prefix('<')?;
    let end = inner.bytes().take(LONGEST).position(|byte| byte == b'>')?;
    let is_seen = |c: &char| c.is_ascii() || c.is_alphanumeric() || *c == '｜';
    let seen = inner.get(..end)?.chars().filter(is_seen);
    let written: String = seen.collect();
    let name = written.trim_matches(['|', '｜', ' ']);
    let bare = name.strip_prefix('/').unwrap_or(name).trim();
    let is_end = bare.len() < name.len() || names::fold_name(bare).starts_with("end");
    let plain = bare
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':'));
    (plain && names::is_thinking(bare)).then_some((end + 2, is_end))
}
