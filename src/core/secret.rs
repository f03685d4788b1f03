//! A secret value: an API key or a header that carries one. It is never shown: not by Debug, not in settings written
//! out, not in a text it was found in. Only a client that puts it on the wire may call [`Secret::expose`].

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text_encoding::strip_wrapping;

/// What stands in the place of a secret.
pub const REDACTED: &str = "<redacted>";

/// A text nobody may see, without what stands around it in files and variables: see [`strip_wrapping`].
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(value: impl AsRef<str>) -> Self {
        Self(strip_wrapping(value.as_ref()).to_owned())
    }

    /// The value itself, for the wire only.
    pub fn expose(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this is what people write where a key is asked for and none is needed.
    pub fn is_placeholder(&self) -> bool {
        let bare = self.0.trim_start_matches("sk-").to_ascii_lowercase();
        PLACEHOLDERS.contains(&bare.as_str())
            || bare.chars().all(|c| c == 'x' || c == '*' || c == '.')
    }
}

/// Keys that are none. They are words of everyday talk, and people talk about their models.
const PLACEHOLDERS: [&str; 11] = [
    "ollama",
    "placeholder",
    "anything",
    "whatever",
    "unused",
    "not-used",
    "not-needed",
    "no-key",
    "no-key-required",
    "lm-studio",
    "llama.cpp",
];

/// Whether what stands under a name is a secret: `api_key`, `Authorization`, `X-Auth-Token`, `password` …
pub fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    // Budgets are counted in tokens.
    !name.contains("tokens") && NAMED.iter().any(|word| name.contains(word))
}

/// What the names of secrets hold.
const NAMED: [&str; 7] = [
    "key",
    "token",
    "secret",
    "passw",
    "auth",
    "cookie",
    "credential",
];

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
        assert_eq!(
            serde_json::json!({ "key": secret }).to_string(),
            r#"{"key":"<redacted>"}"#
        );
        assert_eq!(
            secret.redact("?key=sk-very-secret%2F%2B&x"),
            "?key=<redacted>&x"
        );
    }

    #[test]
    fn no_secret_leaves_a_text_as_it_is() {
        assert_eq!(Secret::default().redact("any text"), "any text");
        assert_eq!(format!("{:?}", Secret::default()), "<none>");
    }

    #[test]
    fn what_stands_where_no_key_is_needed_is_no_secret() {
        for word in [
            "ollama",
            "sk-no-key-required",
            "Placeholder",
            "sk-xxxx",
            "lm-studio",
        ] {
            assert!(Secret::new(word).is_placeholder(), "{word}");
        }
        assert!(!Secret::new("sk-1234").is_placeholder());
    }

    #[test]
    fn names_tell_what_is_a_secret() {
        for name in [
            "api_key",
            "Authorization",
            "X-Api-Key",
            "x-auth",
            "Cookie",
            "password",
            "token",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["max_tokens", "HTTP-Referer", "X-Title", "url"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
