//! Decides whether a quote inside a JSON string ends it. Models forget to escape quotes, so what follows decides:
//! only a quote behind which the document can go on is an end. Looks a bounded way ahead.

use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonStringPlace {
    Key,
    InObject,
    InArray,
}

/// Stands for a quote that is a token of its own, as Gemma writes it.
pub(super) const TOKEN: char = '\u{1}';
pub(super) const TOKEN_QUOTE: &str = "<|\"|>";

/// Longest key looked for behind a comma, in bytes.
const LONGEST_KEY: usize = 64;
/// How far behind a comma a document has to go on, in bytes: nothing but blanks are longer.
const FARTHEST: usize = 1024;

/// Whether a quote ends the string at `place`, told by blanks and what is `behind`; none while that is not known.
pub(super) fn ends_string(blanks: &str, behind: &str, place: JsonStringPlace) -> Option<bool> {
    use JsonStringPlace::{InArray, InObject, Key};
    let is_apart = !blanks.is_empty();
    let begins_line = blanks.contains('\n');
    if behind.len() > FARTHEST {
        return ends_string(
            blanks,
            &behind[..behind.floor_char_boundary(FARTHEST)],
            place,
        )
        .or(Some(true));
    }
    match (place, first_sign(behind)?) {
        (Key, sign) => Some(matches!(sign, ':' | '=' | ',' | '}') || is_quote(sign) && is_apart),
        (_, '}' | ']') | (InArray, ')') => Some(true),
        (_, ',') => ends_before_comma(behind, place),
        (InObject, quote) if is_quote(quote) && is_apart => begins_with_key(behind),
        (_, '/') if is_apart => Some(matches!(behind[1..].chars().next()?, '/' | '*')),
        (InArray, quote) => Some(is_quote(quote) && begins_line),
        (InObject, letter) if letter.is_ascii_alphabetic() && begins_line => {
            begins_with_bare_key(behind)
        }
        (InObject, _) => Some(false),
    }
}

fn first_sign(text: &str) -> Option<char> {
    text.trim_start().chars().next().map(to_half_width)
}

fn ends_before_comma(behind: &str, place: JsonStringPlace) -> Option<bool> {
    let next = behind.trim_start_matches(|c: char| c.is_whitespace() || to_half_width(c) == ',');
    match first_sign(next)? {
        '}' | ']' | '/' | '#' | '{' => Some(true),
        _ if place == JsonStringPlace::InArray => begins_with_value(next),
        quote if is_quote(quote) => begins_with_key(next),
        c if c.is_ascii_alphabetic() || c == '_' => begins_with_bare_key(next),
        _ => Some(false),
    }
}

/// Whether the next key, in quotes, and its colon stand here.
fn begins_with_key(text: &str) -> Option<bool> {
    let mut signs = text.char_indices();
    let (_, open) = signs.next()?;
    let mut is_escaped = false;
    for (at, c) in signs {
        if c == '\n' || at > LONGEST_KEY {
            return Some(false);
        }
        if !is_escaped && is_closing_quote(open, c) {
            return Some(first_sign(&text[at + c.len_utf8()..])? == ':');
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

/// The same for a key without quotes: prose has such words and colons too, so a value has to follow.
fn begins_with_bare_key(text: &str) -> Option<bool> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let end = end.or((text.len() > LONGEST_KEY).then_some(text.len()))?;
    let behind = text[end..].trim_start();
    match behind.chars().next() {
        Some(colon @ (':' | '：')) if end <= LONGEST_KEY => {
            begins_with_value(behind[colon.len_utf8()..].trim_start())
        }
        None if end <= LONGEST_KEY => None,
        _ => Some(false),
    }
}

/// Whether a value stands here, in whatever writing.
fn begins_with_value(text: &str) -> Option<bool> {
    let first = text.chars().next().map(to_half_width)?;
    if is_quote(first) || first.is_ascii_digit() || matches!(first, '[' | '{' | '-') {
        return Some(true);
    }
    let literals = ["true", "True", "false", "False", "null", "None"];
    let is_literal = literals.iter().any(|literal| text.starts_with(literal));
    let is_begun = literals.iter().any(|literal| literal.starts_with(text));
    (is_literal || !is_begun).then_some(is_literal)
}

pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’' | '`' | '＂' | '«')
}

pub(super) fn is_closing_quote(open: char, c: char) -> bool {
    match open {
        '“' | '”' | '＂' => matches!(c, '“' | '”' | '"' | '＂'),
        '‘' | '’' => matches!(c, '‘' | '’' | '\''),
        '«' => c == '»',
        TOKEN => c == '<',
        _ => c == open,
    }
}

/// The ASCII sign a full-width one stands for between values.
pub(super) fn to_half_width(c: char) -> char {
    match c {
        '｛' => '{',
        '｝' => '}',
        '［' => '[',
        '］' => ']',
        '：' => ':',
        '，' | '、' | '；' | ';' => ',',
        _ => c,
    }
}

/// The value a bare word stands for: JSON's own, another language's, else text.
pub(super) fn parse_literal(word: &str) -> Value {
    let uncommented = [" //", " #"].iter().fold(word, |word, sign| {
        word.split_once(sign).map_or(word, |(before, _)| before)
    });
    match uncommented.trim() {
        "True" | "TRUE" => Value::Bool(true),
        "False" | "FALSE" => Value::Bool(false),
        "None" | "NULL" | "Null" | "nil" | "undefined" | "NaN" => Value::Null,
        bare => serde_json::from_str(bare).unwrap_or_else(|_| word.into()),
    }
}
