//! The emoji of a reaction, read from what a model wrote there: one emoji, one of the server's own by its code, or the
//! first emoji of a text that holds one. Words are none.

/// The longest emoji, in bytes: a custom one of a guild with its name.
const LONGEST: usize = 64;
/// The emoji that is meant; none where the text holds none.
pub fn find_emoji(text: &str) -> Option<String> {
    let text = text.trim();
    if is_code(text) {
        return Some(text.to_owned());
    }
    let start = text
        .char_indices()
        .find(|(at, c)| is_picture(*c) || is_key(&text[*at..]))
        .map(|(at, _)| at)?;
    let mut end = start;
    let mut after_joiner = true;
    let mut flag_letters = 0;
    for c in text[start..].chars() {
        let is_flag_letter = ('\u{1f1e6}'..='\u{1f1ff}').contains(&c);
        let is_first = end == start;
        // A flag is two letters; a joiner takes the next picture in.
        let goes_on =
            is_first || is_joined(c) || after_joiner || is_flag_letter && flag_letters == 1;
        if !goes_on {
            break;
        }
        flag_letters += usize::from(is_flag_letter);
        after_joiner = c == '\u{200d}';
        end += c.len_utf8();
    }
    Some(text[start..end].to_owned()).filter(|emoji| emoji.len() <= LONGEST)
}

/// `:name:`, `<:name:id>`, `<a:name:id>`: an emoji of a server as people type it.
fn is_code(text: &str) -> bool {
    let inner = text
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'))
        .map(|rest| rest.trim_start_matches('a'));
    let is_named = |name: &str| {
        (2..=32).contains(&name.len())
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_-+~".contains(&b))
    };
    match inner
        .unwrap_or(text)
        .strip_prefix(':')
        .and_then(|rest| rest.split_once(':'))
    {
        Some((name, "")) => is_named(name) && inner.is_none(),
        Some((name, id)) => {
            is_named(name)
                && inner.is_some()
                && !id.is_empty()
                && id.bytes().all(|b| b.is_ascii_digit())
        }
        None => false,
    }
}

/// `1️⃣`, `#️⃣`: a character with the frame of a key.
fn is_key(text: &str) -> bool {
    let mut chars = text.chars();
    let is_base = chars
        .next()
        .is_some_and(|c| c.is_ascii_digit() || c == '#' || c == '*');
    let framed = chars
        .next()
        .is_some_and(|c| c == '\u{20e3}' || c == '\u{fe0f}' && chars.next() == Some('\u{20e3}'));
    is_base && framed
}

/// What belongs to the emoji before it: joiner, selectors, skin tones, the frame of a key, tags of flags.
fn is_joined(c: char) -> bool {
    let is_tag = ('\u{e0020}'..='\u{e007f}').contains(&c);
    is_tag || is_skin_tone(c) || matches!(c, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\u{20e3}')
}

fn is_skin_tone(c: char) -> bool {
    ('\u{1f3fb}'..='\u{1f3ff}').contains(&c)
}

fn is_picture(c: char) -> bool {
    let is_sign = "©®‼⁉™ℹ〰〽㊗㊘㊙".contains(c);
    let is_symbol = matches!(c, '←'..='⇿' | '⌀'..='➿' | '⤀'..='⥿' | '⬀'..='⯿');
    is_sign || is_symbol || ('\u{1f000}'..='\u{1faff}').contains(&c) && !is_skin_tone(c)
}
