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

#[derive(Debug, PartialEq)]
pub(super) struct LineTooLong {
    pub bytes: usize,
}

impl LineBuffer {
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), LineTooLong> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() > LINE_BYTES {
            Err(LineTooLong { bytes: LINE_BYTES })
        } else {
            Ok(())
        }
    }

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
#[path = "tests/unit/stream_lines.rs"]
mod tests;
