//! A secret value: an API key or a header that carries one. It is never shown: not by Debug, not in settings written
//! out, not in a text it was found in. Only a client that puts it on the wire may call [`Secret::expose`].

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What stands in the place of a secret.
pub const REDACTED: &str = "<redacted>";
/// Values shorter than this are not looked for in texts: they would be found everywhere.
const SHORTEST_SEARCHED: usize = 4;

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

    /// `text` with every occurrence of the secret, plain or percent-encoded, replaced by [`REDACTED`].
    pub fn redact(&self, text: &str) -> String {
        if self.0.len() < SHORTEST_SEARCHED {
            return text.to_owned();
        }
        let encoded: String = reqwest::Url::parse_with_params("http://h/", [("k", &self.0)])
            .map(|url| url.query().unwrap_or_default().trim_start_matches("k=").to_owned())
            .unwrap_or_default();
        let plain = text.replace(&self.0, REDACTED);
        if encoded.is_empty() || encoded == self.0 { plain } else { plain.replace(&encoded, REDACTED) }
    }
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
        assert_eq!(secret.redact("?key=sk-very-secret%2F%2B&x"), "?key=<redacted>&x");
    }

    #[test]
    fn no_secret_leaves_a_text_as_it_is() {
        assert_eq!(Secret::default().redact("any text"), "any text");
        assert_eq!(format!("{:?}", Secret::default()), "<none>");
    }
}
