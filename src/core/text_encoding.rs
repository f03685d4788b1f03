//! Text files as editors write them: UTF-8, also behind a byte order mark, or UTF-16 behind one. Values in them and in
//! the environment, without what programs put around them.

use std::borrow::Cow;
use std::str::Utf8Error;

const MARK: char = '\u{feff}';

/// The text of a file, without its byte order mark.
///
/// # Errors
/// Where it stops being UTF-8.
pub fn decode_text(bytes: &[u8]) -> Result<Cow<'_, str>, Utf8Error> {
    let units = match bytes {
        [0xff, 0xfe, rest @ ..] => Some((rest, u16::from_le_bytes as fn([u8; 2]) -> u16)),
        [0xfe, 0xff, rest @ ..] => Some((rest, u16::from_be_bytes as fn([u8; 2]) -> u16)),
        _ => None,
    };
    if let Some((rest, read)) = units {
        let units: Vec<u16> = rest.as_chunks().0.iter().map(|pair| read(*pair)).collect();
        return Ok(String::from_utf16_lossy(&units).into());
    }
    let text = str::from_utf8(bytes)?;
    Ok(text.strip_prefix(MARK).unwrap_or(text).into())
}

/// A value as it was meant: without the byte order mark of its file, the space of a careless copy, and the quotes that
/// `docker --env-file` takes for a part of it.
pub fn strip_wrapping(value: &str) -> &str {
    let is_around = |c: char| c.is_whitespace() || c == MARK;
    let bare = value.trim_matches(is_around);
    let inside = ['"', '\'']
        .into_iter()
        .find_map(|quote| bare.strip_prefix(quote)?.strip_suffix(quote));
    inside.map_or(bare, str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_space_and_quotes_are_no_part_of_a_value() {
        for value in [
            "sk-1",
            "\u{feff}sk-1\r\n",
            " \"sk-1\" ",
            "'sk-1'",
            "\u{feff}\"sk-1\"\n",
        ] {
            assert_eq!(strip_wrapping(value), "sk-1");
        }
        assert_eq!(strip_wrapping("\"sk-1"), "\"sk-1");
        assert_eq!(strip_wrapping("\""), "\"");
    }

    #[test]
    fn text_is_read_in_the_encodings_that_editors_mark() {
        let utf16 =
            |encode: fn(u16) -> [u8; 2]| "\u{feff}雪 a".encode_utf16().flat_map(encode).collect();
        let files: [Vec<u8>; 4] = [
            "雪 a".into(),
            "\u{feff}雪 a".into(),
            utf16(u16::to_le_bytes),
            utf16(u16::to_be_bytes),
        ];
        for file in files {
            assert_eq!(decode_text(&file).unwrap(), "雪 a");
        }
        assert_eq!(decode_text(b"ab\xff").unwrap_err().valid_up_to(), 2);
    }
}
