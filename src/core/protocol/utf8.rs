//! Bytes to text where a piece may end inside a character. What is no UTF-8 becomes U+FFFD.

#[derive(Debug, Default)]
pub(super) struct Utf8Joiner {
    pending: Vec<u8>,
}

impl Utf8Joiner {
    /// Appends `bytes` to `out`; whether something was no UTF-8.
    pub(super) fn decode(&mut self, bytes: &[u8], out: &mut String) -> bool {
        if self.pending.is_empty() {
            return self.append(bytes, out);
        }
        let mut joined = std::mem::take(&mut self.pending);
        joined.extend_from_slice(bytes);
        self.append(&joined, out)
    }

    /// The end: what is pending never became a character.
    pub(super) fn finish(&mut self, out: &mut String) -> bool {
        let bad = !self.pending.is_empty();
        if bad {
            out.push(char::REPLACEMENT_CHARACTER);
            self.pending.clear();
        }
        bad
    }

    fn append(&mut self, mut bytes: &[u8], out: &mut String) -> bool {
        let mut bad = false;
        loop {
            match std::str::from_utf8(bytes) {
                Ok(text) => {
                    out.push_str(text);
                    return bad;
                }
                Err(error) => {
                    let (valid, rest) = bytes.split_at(error.valid_up_to());
                    out.push_str(std::str::from_utf8(valid).unwrap_or_default());
                    let Some(length) = error.error_len() else {
                        self.pending = rest.to_vec();
                        return bad;
                    };
                    out.push(char::REPLACEMENT_CHARACTER);
                    bad = true;
                    bytes = &rest[length..];
                }
            }
        }
    }
}
