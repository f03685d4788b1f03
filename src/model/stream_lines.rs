//! Bytes from the wire into lines, and lines into server-sent events. Bytes that are no UTF-8 are replaced, never an
//! error; a line that does not end is cut off, so that no server can fill the memory.

/// The longest line that is kept, in bytes. A chunk of an answer has some hundred.
const LINE_BYTES: usize = 4 << 20;

/// Collects bytes and hands out whole lines, without their line ends.
#[derive(Debug, Default)]
pub(super) struct LineBuffer {
    buffer: Vec<u8>,
    /// How much of `buffer` has been searched for a line end; each byte is looked at once.
    searched: usize,
    /// Whether bytes had to be replaced because they were no UTF-8.
    pub replaced: bool,
}

/// A line was longer than anybody sends.
#[derive(Debug, PartialEq)]
pub(super) struct LineTooLong {
    /// How much was read, in bytes.
    pub bytes: usize,
}

impl LineBuffer {
    /// Adds what came from the wire.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), LineTooLong> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() > LINE_BYTES {
            Err(LineTooLong { bytes: LINE_BYTES })
        } else {
            Ok(())
        }
    }

    /// The next whole line, if there is one.
    pub fn next_line(&mut self) -> Option<String> {
        match self.buffer[self.searched..]
            .iter()
            .position(|byte| *byte == b'\n')
        {
            Some(found) => {
                let end = self.searched + found;
                self.searched = 0;
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                Some(self.decode_text(&line[..end]))
            }
            None => {
                self.searched = self.buffer.len();
                None
            }
        }
    }

    /// What is left when the stream has ended: a last line without a line end.
    pub fn take_rest(&mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.buffer);
        self.searched = 0;
        if rest.is_empty() {
            None
        } else {
            Some(self.decode_text(&rest))
        }
    }

    fn decode_text(&mut self, bytes: &[u8]) -> String {
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let text = String::from_utf8_lossy(bytes);
        self.replaced |= matches!(text, std::borrow::Cow::Owned(_));
        text.into_owned()
    }
}

/// Puts the `data:` lines of one server-sent event together. Other fields and comments are dropped: an event without
/// data says nothing about the answer.
#[derive(Debug, Default)]
pub(super) struct SseEvents {
    data: Option<String>,
}

impl SseEvents {
    /// Reads a line; answers with the event's data when the line ends one.
    pub fn read_line(&mut self, line: &str) -> Option<String> {
        if line.is_empty() {
            return self.data.take();
        }
        let value = line.strip_prefix("data:")?;
        let value = value.strip_prefix(' ').unwrap_or(value);
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
        None
    }

    /// An event that the end of the stream cut off from its empty line.
    pub fn take_rest(&mut self) -> Option<String> {
        self.data.take()
    }
}

#[cfg(test)]
mod tests {
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
}
