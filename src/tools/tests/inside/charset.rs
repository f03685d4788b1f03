//! In which encoding a text is read.

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
    let old = b"<meta http-equiv=Content-Type content=\"text/html; charset=iso-8859-1\"><p>caf\xe9";
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
