//! The one place where text from people becomes text in a prompt (Law 6). What comes out is a single line that can
//! open no tag, tool result, system line, template expression or second line; everything harmless stays as typed.

use std::sync::Arc;

use crate::chat::UserId;
use crate::message_links::name_message_links;

/// Stands for a line break inside a message: one token in most vocabularies.
const BREAK: &str = " ¶ ";
/// Stands for a `<` that could open a tag or a control token.
pub(crate) const TAG: char = '‹';
/// The longest name shown, in characters.
const LONGEST_NAME: usize = 32;

/// Finds the name a mentioned person stands under in the prompt: one that is safe already.
pub type MentionResolver<'a> = &'a dyn Fn(UserId) -> Option<Arc<str>>;

/// Appends `text` to `out` as one safe line: mentions as `@Name`, line breaks as `¶`, invisible characters dropped.
pub fn escape_line(out: &mut String, text: &str, names: MentionResolver<'_>) {
    let text = name_message_links(text, |_| None);
    let mut rest = text.trim_matches(is_skipped_at_ends);
    let start = out.len();
    let mut bracket_open = false;
    while let Some(clean) = rest.find(is_special) {
        out.push_str(&rest[..clean]);
        rest = &rest[clean..];
        let Some(special) = rest.chars().next() else {
            break;
        };
        let after = &rest[special.len_utf8()..];
        rest = after;
        match special {
            _ if is_break(special) => {
                rest = after.trim_start_matches(is_skipped_at_ends);
                out.truncate(out.trim_end_matches(' ').len().max(start));
                out.push_str(BREAK);
            }
            '\t' => out.push(' '),
            '<' | '＜' => match Token::parse_token(after) {
                Some((token, left)) => {
                    token.write(out, names);
                    rest = left;
                }
                // At the end of the text, what the prompt writes behind it could complete a tag.
                None if find_visible_char(after).is_none_or(can_open_tag) => out.push(TAG),
                None => out.push(special),
            },
            '{' => {
                out.push('{');
                if find_visible_char(after).is_some_and(|next| matches!(next, '{' | '%' | '#')) {
                    out.push(' ');
                }
            }
            '[' => {
                let inside_word = out[start..].ends_with(|last: char| last.is_alphanumeric());
                let control =
                    find_visible_char(after).is_none_or(|next| next == '/' || next.is_uppercase());
                bracket_open = control || !inside_word;
                out.push(if bracket_open { '(' } else { '[' });
            }
            ']' => out.push(if std::mem::take(&mut bracket_open) {
                ')'
            } else {
                ']'
            }),
            // Joiners and the emoji selector mean something only after a character that is not ASCII.
            '\u{200c}' | '\u{200d}' | '\u{fe0f}'
                if out
                    .chars()
                    .next_back()
                    .is_some_and(|last| !last.is_ascii() && !is_invisible(last)) =>
            {
                out.push(special);
            }
            _ => {}
        }
    }
    out.push_str(rest);
}

/// Appends `text` line by line, each under `prefix`, so that no line of it can pass for one of the prompt's own.
pub fn escape_block(out: &mut String, text: &str, prefix: &str) {
    for part in text.split(is_break).filter(|part| !part.trim().is_empty()) {
        out.push_str(prefix);
        escape_line(out, part, &|_| None);
        out.push('\n');
    }
}

/// A name as shown: one short line without the marks that structure a history line or a list of names.
pub fn name(raw: &str) -> String {
    let mut escaped = String::with_capacity(raw.len());
    escape_line(&mut escaped, raw, &|_| None);
    let cleared = escaped.replace(
        [
            ':', '：', '<', '>', '＜', '＞', '¶', TAG, '*', '#', ',', '，', '、',
        ],
        " ",
    );
    let mut name = String::with_capacity(cleared.len());
    for word in cleared.split_whitespace() {
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
    }
    if let Some((end, _)) = name.char_indices().nth(LONGEST_NAME) {
        name.truncate(end);
        name.truncate(name.trim_end().len());
    }
    if name.is_empty() { "?".into() } else { name }
}

fn is_special(c: char) -> bool {
    if c.is_ascii() {
        matches!(c, '<' | '{' | '[' | ']') || c.is_ascii_control()
    } else {
        is_special_beyond_ascii(c)
    }
}

fn is_special_beyond_ascii(c: char) -> bool {
    c == '＜' || is_break(c) || is_invisible(c)
}

fn is_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Characters that show nothing, turn the direction of writing, or carry hidden text.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

fn is_skipped_at_ends(c: char) -> bool {
    c.is_whitespace() || is_break(c) || (is_invisible(c) && c != '\u{fe0f}')
}

/// The next character a reader sees: dropped ones must not hide what stands behind them.
fn find_visible_char(text: &str) -> Option<char> {
    text.chars()
        .find(|&c| is_break(c) || c == '\t' || !is_invisible(c))
}

/// Whether `<` before this character reads as a tag (`<turn>`, `</turn>`, `<!--`) or a control token (`<|end|>`).
fn can_open_tag(next: char) -> bool {
    next.is_alphabetic()
        || matches!(
            next,
            '/' | '!' | '?' | '|' | '｜' | '_' | '<' | '＜' | '@' | '#' | ':' | '／'
        )
}

/// What a platform writes between `<` and `>` and people see as one word.
enum Token<'a> {
    Person(UserId),
    Role,
    Channel,
    Emoji(&'a str),
}

impl<'a> Token<'a> {
    /// Reads `@123>`, `@!123>`, `@&123>`, `#123>`, `:name:123>` or `a:name:123>`; the rest of the text comes second.
    fn parse_token(after: &'a str) -> Option<(Self, &'a str)> {
        let (inside, rest) = after
            .split_once('>')
            .filter(|(inside, _)| inside.len() <= 64)?;
        let token = if let Some(id) = inside.strip_prefix("@&") {
            parse_id(id)?;
            Self::Role
        } else if let Some(id) = inside.strip_prefix('@') {
            Self::Person(UserId(parse_id(id.strip_prefix('!').unwrap_or(id))?))
        } else if let Some(id) = inside.strip_prefix('#') {
            parse_id(id)?;
            Self::Channel
        } else {
            let (name, id) = inside
                .strip_prefix('a')
                .unwrap_or(inside)
                .strip_prefix(':')?
                .split_once(':')?;
            parse_id(id)?;
            let plain =
                !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            plain.then_some(Self::Emoji(name))?
        };
        Some((token, rest))
    }

    fn write(self, out: &mut String, names: MentionResolver<'_>) {
        match self {
            Self::Person(id) => {
                out.push('@');
                out.push_str(names(id).as_deref().unwrap_or("someone"));
            }
            Self::Role => out.push_str("@role"),
            Self::Channel => out.push_str("#channel"),
            Self::Emoji(name) => {
                out.push(':');
                out.push_str(name);
                out.push(':');
            }
        }
    }
}

fn parse_id(digits: &str) -> Option<u64> {
    digits
        .bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| digits.parse().ok())
        .flatten()
}
