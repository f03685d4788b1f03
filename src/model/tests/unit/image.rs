//! The tests of `image.rs`, of what nobody outside its crate can see.

use super::*;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\0\0\0\0IEND\xaeB`\x82";

#[test]
fn a_file_is_what_its_bytes_say_and_only_if_it_is_whole() {
    let media = |bytes: &[u8]| ModelImage::from_bytes(bytes, None).map(|image| image.media_type());
    assert_eq!(media(PNG), Some("image/png"));
    assert_eq!(
        media(b"\xff\xd8\xff\xe0....\xff\xd9camera"),
        Some("image/jpeg")
    );
    assert_eq!(media(b"GIF89a\x10\0\x10\0;"), Some("image/gif"));
    assert_eq!(media(b"RIFF\x08\0\0\0WEBPVP8 "), Some("image/webp"));
    for broken in [
        &PNG[..20],
        b"\xff\xd8\xff\xe0..",
        b"RIFF\xff\0\0\0WEBPVP8 ",
        b"<svg/>",
        b"BM......",
        b"",
    ] {
        assert_eq!(media(broken), None);
    }
    let wide = PNG
        .iter()
        .enumerate()
        .map(|(at, byte)| if at == 18 { 0x23 } else { *byte })
        .collect::<Vec<u8>>();
    assert_eq!(
        media(&wide),
        None,
        "9,000 pixels are more than Anthropic takes"
    );
}

#[test]
fn a_picture_takes_tokens_by_its_size_within_reason() {
    let tokens = |pixels| ModelImage::from_bytes(PNG, pixels).map(|image| image.tokens());
    assert_eq!(tokens(Some(16 * 16)), Some(85));
    assert_eq!(tokens(Some(750 * 1_000)), Some(1_000));
    assert_eq!(tokens(Some(u64::MAX)), Some(1_600));
    assert_eq!(tokens(None), Some(1_600));
}
