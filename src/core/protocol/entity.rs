//! Character references in text from a model: XML's five, numbers, and the HTML names that models write. What is no
//! reference stays as it is, bare `&` included.

/// Longest reference between `&` and `;`, in bytes.
const LONGEST: usize = 10;

pub(crate) fn decode_entities(text: &str) -> String {
    decode_entities_checked(text).0
}

/// `text` with its references resolved, and whether an `&` in it begins none.
pub(super) fn decode_entities_checked(text: &str) -> (String, bool) {
    let mut out = String::with_capacity(text.len());
    let mut bare = false;
    let mut rest = text;
    while let Some(amp) = rest.find('&') {
        out.push_str(&rest[..amp]);
        rest = &rest[amp..];
        let reference = read_leading_entity(rest);
        bare |= reference.is_none();
        let (c, length) = reference.unwrap_or(('&', 1));
        out.push(c);
        rest = &rest[length..];
    }
    out.push_str(rest);
    (out, bare)
}

/// What the reference that `text` begins with stands for, and its length. Two halves of a character are one.
fn read_leading_entity(text: &str) -> Option<(char, usize)> {
    let (name, length) = split_entity(text)?;
    if let Some(high @ 0xD800..0xDC00) = parse_numeric_entity(name) {
        let (name, low_length) = split_entity(&text[length..])?;
        let low = u16::try_from(parse_numeric_entity(name)?).ok()?;
        let c = char::decode_utf16([high as u16, low]).next()?.ok()?;
        return Some((c, length + low_length));
    }
    Some((resolve_entity(name)?, length))
}

/// The name of the reference that `text` begins with, and the length of all of it.
fn split_entity(text: &str) -> Option<(&str, usize)> {
    let rest = text.strip_prefix('&')?;
    let signs = rest.bytes().take(LONGEST + 1);
    let end = signs.into_iter().position(|byte| byte == b';')?;
    Some((&rest[..end], end + 2))
}

fn parse_numeric_entity(name: &str) -> Option<u32> {
    let number = name.strip_prefix('#')?;
    match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => number.parse().ok(),
    }
}

/// What the reference of this name, without its signs, stands for.
pub(super) fn resolve_entity(name: &str) -> Option<char> {
    if name.len() > LONGEST {
        return None;
    }
    if name.starts_with('#') {
        return parse_numeric_entity(name)
            .and_then(char::from_u32)
            .filter(|c| *c != '\0');
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        "hellip" => '…',
        "mdash" => '—',
        "ndash" => '–',
        "lsquo" => '‘',
        "rsquo" => '’',
        "ldquo" => '“',
        "rdquo" => '”',
        "middot" => '·',
        "bull" => '•',
        "copy" => '©',
        "deg" => '°',
        "euro" => '€',
        "hearts" => '♥',
        "times" => '×',
        _ => return None,
    })
}

/// What a reference stands for that may be escaped once or more, and its length.
pub(super) fn read_nested_entity(text: &str) -> Option<(char, usize)> {
    let mut rest = text.strip_prefix('&')?;
    while let Some(inner) = rest.strip_prefix("amp;") {
        rest = inner;
    }
    let escaped = text.len() - rest.len() - 1;
    let near = rest
        .get(..rest.floor_char_boundary(2 * LONGEST + 4))
        .unwrap_or_default();
    match read_leading_entity(&format!("&{near}")) {
        Some((c, length)) => Some((c, escaped + length)),
        None => (escaped > 0).then_some(('&', 1 + escaped)),
    }
}
