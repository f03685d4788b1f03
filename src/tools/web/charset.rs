//! From the bytes of an answer to text: by its mark, by what the server says, by what the page says, else UTF-8. What
//! cannot be read becomes a replacement character; nothing fails.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// In how much of a page its own word on its encoding is looked for, in bytes (HTML standard, 13.2.3.2).
const HEAD: usize = 1024;

pub(super) fn decode(bytes: &[u8], content_type: &str, is_page: bool) -> String {
    let head = || String::from_utf8_lossy(bytes.get(..HEAD).unwrap_or(bytes));
    let named = find_encoding(content_type).or_else(|| {
        is_page
            .then(head)
            .and_then(|head| self::find_encoding(&head))
    });
    let encoding = named.unwrap_or_else(|| {
        // A character cut in two at the end is no sign of another encoding.
        let is_utf8 =
            std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true);
        if is_utf8 || !is_page {
            UTF_8
        } else {
            WINDOWS_1252
        }
    });
    encoding.decode(bytes).0.into_owned()
}

/// The first encoding that a text names: `charset=utf-8`, `charset = "gbk"`.
fn find_encoding(text: &str) -> Option<&'static Encoding> {
    let text = text.to_ascii_lowercase();
    text.split("charset").skip(1).find_map(|after| {
        let after = after.trim_start().strip_prefix('=')?.trim_start();
        let after = after.trim_start_matches(['"', '\'']);
        let name = after
            .split(|c: char| !c.is_ascii_alphanumeric() && !"-_:.".contains(c))
            .next()?;
        Encoding::for_label(name.as_bytes())
    })
}

#[cfg(test)]
#[path = "../tests/inside/charset.rs"]
mod tests;
