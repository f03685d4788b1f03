//! From the bytes of an answer to text: by its mark, by what the server says, by what the page says, else UTF-8. What
//! cannot be read becomes a replacement character; nothing fails.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// In how much of a page its own word on its encoding is looked for, in bytes (HTML standard, 13.2.3.2).
const HEAD: usize = 1024;

/// The text of an answer.
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
mod tests {
    use super::*;

    #[test]
    fn text_is_read_in_the_encoding_that_is_named() {
        let gbk = [0xc4, 0xe3, 0xba, 0xc3];
        assert_eq!(decode(&gbk, "text/plain; charset=GBK", false), "你好");
        assert_eq!(
            decode(&gbk, "text/plain; charset = \"gb2312\"", false),
            "你好"
        );
        let page = [b"<meta charset=gbk name=x><p>".as_slice(), &gbk].concat();
        assert!(decode(&page, "text/html", true).ends_with("你好"));
        let old =
            b"<meta http-equiv=Content-Type content=\"text/html; charset=iso-8859-1\"><p>caf\xe9";
        assert!(decode(old, "text/html", true).ends_with("café"));
        assert_eq!(
            decode("\u{feff}你好".as_bytes(), "text/html; charset=gbk", true),
            "你好"
        );
    }

    #[test]
    fn without_a_name_it_is_utf_8_unless_it_cannot_be() {
        assert_eq!(decode("你好".as_bytes(), "", true), "你好");
        assert_eq!(
            decode(&"你好".as_bytes()[..5], "text/html", true),
            "你\u{fffd}"
        );
        assert_eq!(decode(b"caf\xe9!", "text/html", true), "café!");
        assert_eq!(
            decode(b"caf\xe9!", "application/json", false),
            "caf\u{fffd}!"
        );
    }
}
