//! Discord's markup as people read it: a mention becomes the name, a custom emoji `:name:`. No id is ever left in a
//! text, however it is written or nested.

use std::borrow::Cow;

use chrono::DateTime;

/// The longest name that is kept, in characters.
const LONGEST_NAME: usize = 64;

pub(super) trait MarkupNames {
    fn person_name(&self, id: Option<u64>) -> Cow<'_, str>;
    fn role_name(&self, id: Option<u64>) -> Cow<'_, str>;
    fn channel_name(&self, id: Option<u64>) -> Cow<'_, str>;
}

/// Appends `text` to `out`, markup replaced by its meaning.
pub(super) fn render_markup(out: &mut String, text: &str, names: &impl MarkupNames) {
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (plain, markup) = rest.split_at(start);
        out.push_str(plain);
        // What ends at the next bracket; an opening one begins another markup.
        let end = markup[1..].find(['<', '>']).map(|end| end + 1);
        let inside = end
            .filter(|end| markup.as_bytes()[*end] == b'>')
            .map(|end| &markup[1..end]);
        rest = match inside.and_then(|inside| Some((inside, resolve_markup(inside, names)?))) {
            Some((inside, meaning)) => {
                escape_open_bracket(out);
                out.push_str(&meaning);
                &markup[inside.len() + 2..]
            }
            None => {
                out.push('<');
                &markup[1..]
            }
        };
    }
    out.push_str(rest);
}

/// What stands for `<inside>`; none if that is no markup.
fn resolve_markup<'a>(inside: &'a str, names: &'a impl MarkupNames) -> Option<Cow<'a, str>> {
    // An id past 64 bits names nobody, but it is an id.
    let id = |digits: &str| {
        let is_id = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_id.then(|| digits.parse::<u64>().ok())
    };
    let (first, rest) = inside.split_at_checked(1)?;
    match first {
        "@" => match rest.strip_prefix('&') {
            Some(role) => Some(format!("@{}", names.role_name(id(role)?)).into()),
            None => Some(
                format!(
                    "@{}",
                    names.person_name(id(rest.strip_prefix('!').unwrap_or(rest))?)
                )
                .into(),
            ),
        },
        "#" => Some(format!("#{}", names.channel_name(id(rest)?)).into()),
        ":" => render_emoji(rest),
        "a" => render_emoji(rest.strip_prefix(':')?),
        "t" => render_timestamp(rest.strip_prefix(':')?),
        "/" => {
            let (command, digits) = rest.rsplit_once(':')?;
            id(digits)?;
            Some(format!("/{command}").into())
        }
        _ => None,
    }
}

fn render_emoji(inside: &str) -> Option<Cow<'_, str>> {
    let (name, digits) = inside.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_id = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_name && is_id).then(|| format!(":{name}:").into())
}

/// `<t:1700000000:R>` and the like: a time each reader sees by their own clock.
fn render_timestamp(inside: &str) -> Option<Cow<'_, str>> {
    let seconds = inside
        .split_once(':')
        .map_or(inside, |(seconds, _)| seconds);
    let time = DateTime::from_timestamp(seconds.parse().ok()?, 0)?;
    Some(time.format("%Y-%m-%d %H:%M UTC").to_string().into())
}

/// Keeps a bracket that was left alone from making a new markup with what is put behind it.
fn escape_open_bracket(out: &mut String) {
    let open = if out.ends_with("<a") { 2 } else { 1 };
    if out.ends_with('<') || open == 2 {
        out.replace_range(out.len() - open..out.len() - open + 1, "‹");
    }
}

/// A name on one line, of moderate length, that is no markup and cannot begin one; empty if nothing is left of it.
pub(super) fn sanitize_name(raw_name: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!".contains(&byte);
    if raw_name.len() <= LONGEST_NAME && raw_name.bytes().all(is_plain) {
        return Cow::Borrowed(raw_name);
    }
    let mut out = String::with_capacity(raw_name.len());
    let mut chars = raw_name.chars().peekable();
    while let Some(c) = chars.next() {
        let begins_markup = chars.peek().is_none_or(|next| "@#:/at&!".contains(*next));
        match c {
            '<' if begins_markup => out.push('‹'),
            c if is_invisible(c) => {}
            c if c.is_whitespace() || c.is_control() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    let mut short: String = out.trim().chars().take(LONGEST_NAME).collect();
    if short.ends_with('<') {
        short.pop();
        short.push('‹');
    }
    Cow::Owned(short.trim_end().to_owned())
}

/// Marks that turn the direction of a text around, and ones that take no room: with them a name looks like another's.
/// The joiner stays: families and flags are made with it.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line_that_begins_no_markup() {
        let check =
            |given: &str, expected: &str| assert_eq!(sanitize_name(given), expected, "{given:?}");
        check("anna_1", "anna_1");
        check("  Anna\n Maria ", "Anna Maria");
        check("Anna <3", "Anna <3");
        check("<@123>", "‹@123>");
        check("Ben<", "Ben‹");
        check("\u{202e}nebnA\u{200b}", "nebnA");
        check("👩‍👩‍👧", "👩‍👩‍👧");
        check("\u{200b}", "");
        check(&"long ".repeat(40), &"long ".repeat(40)[..LONGEST_NAME]);
    }
}
