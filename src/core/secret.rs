//! A secret value: an API key or a header that carries one. It is never shown: not by Debug, not in settings written
//! out, not in a text it was found in. Only a client that puts it on the wire may call [`Secret::expose`].

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What stands in the place of a secret.
pub const REDACTED: &str = "<redacted>";
/// Values shorter than this are not looked for in texts: they would be found everywhere.
const SHORTEST_SEARCHED: usize = 6;

/// A text nobody may see. Space around it is dropped: it comes from a careless copy or a file's last line.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a value.
    pub fn new(value: impl AsRef<str>) -> Self {
        Self(value.as_ref().trim().to_owned())
    }

    /// The value itself, for the wire only.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `text` with every occurrence of the secret replaced by [`REDACTED`]: whole, percent-encoded, or one of its
    /// words, as of `Bearer …`.
    pub fn redact(&self, text: &str) -> String {
        let encoded = percent_encoded(&self.0);
        let words = self.0.split_whitespace();
        [self.0.as_str(), &encoded]
            .into_iter()
            .chain(words)
            .filter(|part| part.len() >= SHORTEST_SEARCHED)
            .fold(text.to_owned(), |text, part| if text.contains(part) { text.replace(part, REDACTED) } else { text })
    }
}

/// The form a secret has in the query of a URL (application/x-www-form-urlencoded, WHATWG URL standard, 5.2).
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'*' | b'-' | b'.' | b'_' => encoded.push(char::from(byte)),
            b' ' => encoded.push('+'),
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_empty() { "<none>" } else { REDACTED })
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(if self.is_empty() { "" } else { REDACTED })
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(String::deserialize(deserializer)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_shows_itself_nowhere() {
        let secret = Secret::new(" sk-very-secret/+\n");
        assert_eq!(secret.expose(), "sk-very-secret/+");
        assert_eq!(format!("{secret:?}"), "<redacted>");
        assert_eq!(serde_json::json!({ "key": secret }).to_string(), r#"{"key":"<redacted>"}"#);
        assert_eq!(secret.redact("bad key sk-very-secret/+!"), "bad key <redacted>!");
        assert_eq!(
            Secret::new("Bearer abc-123").redact("who is abc-123? Bearer abc-123!"),
            "who is <redacted>? <redacted>!"
        );
        assert_eq!(secret.redact("?key=sk-very-secret%2F%2B&x"), "?key=<redacted>&x");
    }

    #[test]
    fn no_secret_leaves_a_text_as_it_is() {
        assert_eq!(Secret::default().redact("any text"), "any text");
        assert_eq!(format!("{:?}", Secret::default()), "<none>");
    }
}
