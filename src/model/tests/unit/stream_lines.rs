//! The tests of `stream_lines.rs`, of what nobody outside its crate can see.

use proptest::prelude::*;

use super::*;

fn all(chunks: &[&[u8]]) -> (Vec<String>, bool) {
    let mut lines = LineBuffer::default();
    let mut out = Vec::new();
    for chunk in chunks {
        lines.feed(chunk).unwrap();
        while let Some(line) = lines.next_line() {
            out.push(line);
        }
    }
    out.extend(lines.take_rest());
    (out, lines.replaced)
}

#[test]
fn lines_end_with_either_line_end_and_the_last_may_lack_it() {
    assert_eq!(
        all(&[b"a\r\nb", b"c\n\nd"]),
        (vec!["a".into(), "bc".into(), "".into(), "d".into()], false)
    );
}

#[test]
fn a_character_split_between_chunks_is_whole_and_broken_bytes_are_replaced() {
    let snow = "雪".as_bytes();
    assert_eq!(
        all(&[&snow[..1], &snow[1..], b"\n"]),
        (vec!["雪".into()], false)
    );
    assert_eq!(
        all(&[b"a\xff\xfeb\n"]),
        (vec!["a\u{fffd}\u{fffd}b".into()], true)
    );
}

#[test]
fn a_line_without_end_is_refused() {
    let mut lines = LineBuffer::default();
    let chunk = vec![b'x'; LINE_BYTES];
    assert_eq!(lines.feed(&chunk), Ok(()));
    assert_eq!(lines.feed(b"x"), Err(LineTooLong { bytes: LINE_BYTES }));
}

#[test]
fn an_event_is_its_data_lines_without_comments_and_other_fields() {
    let mut events = SseEvents::default();
    let mut out = Vec::new();
    for line in [
        ": ping",
        "",
        "event: message",
        "data: {",
        "data:}",
        "id: 7",
        "",
        "data: last",
    ] {
        out.extend(events.read_line(line));
    }
    out.extend(events.take_rest());
    assert_eq!(out, ["{\n}", "last"]);
}

proptest! {
    #[test]
    fn any_split_gives_the_same_lines(bytes: Vec<u8>, cut in 0usize..64) {
        let cut = cut.min(bytes.len());
        prop_assert_eq!(all(&[&bytes[..cut], &bytes[cut..]]), all(&[&bytes]));
    }
}
