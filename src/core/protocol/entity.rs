//! Character references in text from a model: XML's five, numbers, and the HTML names that models write. What is no
//! reference stays as it is, bare `&` included.

/// Longest reference between `&` and `;`, in bytes.
const LONGEST: usize = 10;

/// `text` with its references resolved.
pub(super) fn decode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(amp) = rest.find('&') {
        out.push_str(&rest[..amp]);
        rest = &rest[amp..];
        let end = rest.bytes().take(LONGEST + 2).position(|b| b == b';');
        match end.and_then(|end| Some((resolve(rest.get(1..end)?)?, end))) {
            Some((c, end)) => {
                out.push(c);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Whether an `&` in `text` begins no reference.
pub(super) fn has_bare(text: &str) -> bool {
    text.match_indices('&').any(|(at, _)| {
        let rest = &text[at..];
        let end = rest.bytes().take(LONGEST + 2).position(|b| b == b';');
        end.and_then(|end| resolve(rest.get(1..end)?)).is_none()
    })
}

fn resolve(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        return code.ok().and_then(char::from_u32).filter(|c| *c != '\0');
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
