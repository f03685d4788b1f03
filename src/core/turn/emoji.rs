//! The emoji of a reaction, read from what a model wrote there: one emoji, one of the server's own by its code, or the
//! first emoji of a text that holds one. Words are none.

/// The longest emoji, in bytes: a custom one of a guild with its name.
const LONGEST: usize = 64;
/// What belongs to the emoji before it: joiner, selectors, skin tones, the frame of a key, tags of flags.
const JOINED: &[std::ops::RangeInclusive<char>] = &[
    '\u{200d}'..='\u{200d}',
    '\u{fe0e}'..='\u{fe0f}',
    '\u{1f3fb}'..='\u{1f3ff}',
    '\u{20e3}'..='\u{20e3}',
    '\u{e0020}'..='\u{e007f}',
];
const PICTURES: &[std::ops::RangeInclusive<char>] = &[
    '\u{a9}'..='\u{a9}',
    '\u{ae}'..='\u{ae}',
    '\u{203c}'..='\u{203c}',
    '\u{2049}'..='\u{2049}',
    '\u{2122}'..='\u{2122}',
    '\u{2139}'..='\u{2139}',
    '\u{2190}'..='\u{21ff}',
    '\u{2300}'..='\u{27bf}',
    '\u{2900}'..='\u{297f}',
    '\u{2b00}'..='\u{2bff}',
    '\u{3030}'..='\u{3030}',
    '\u{303d}'..='\u{303d}',
    '\u{3297}'..='\u{3299}',
    '\u{1f000}'..='\u{1faff}',
];

/// The emoji that is meant; none where the text holds none.
pub(super) fn find_emoji(text: &str) -> Option<String> {
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
            is_first || is_in(JOINED, c) || after_joiner || is_flag_letter && flag_letters == 1;
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

fn is_picture(c: char) -> bool {
    is_in(PICTURES, c) && !('\u{1f3fb}'..='\u{1f3ff}').contains(&c)
}

fn is_in(ranges: &[std::ops::RangeInclusive<char>], c: char) -> bool {
    ranges.iter().any(|range| range.contains(&c))
}

#[cfg(test)]
mod tests {
    use super::find_emoji;

    #[test]
    fn one_emoji_is_read_and_words_are_none() {
        for emoji in [
            "👍",
            "❤️",
            "👩🏽‍🚀",
            "🇮🇪",
            "1️⃣",
            "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
            "☕",
            ":party_blob:",
            "<:blob:123>",
            "<a:blob:123>",
            "‼️",
        ] {
            assert_eq!(find_emoji(emoji).as_deref(), Some(emoji));
        }
        for (text, emoji) in [
            ("😂😂😂", "😂"),
            ("haha 😂", "😂"),
            (" 👀 ", "👀"),
            ("🇮🇪🇮🇪", "🇮🇪"),
            ("❤️🔥", "❤️"),
        ] {
            assert_eq!(find_emoji(text).as_deref(), Some(emoji), "{text}");
        }
        for text in [
            "",
            "hahaha",
            "哈哈",
            "lol",
            ":)",
            "12",
            "#",
            "your message, or one <turn>.",
            ":D",
            "to=2",
            "<b:1>",
        ] {
            assert_eq!(find_emoji(text), None, "{text}");
        }
    }
}
