//! Takes known secrets out of texts: as they are, and in the forms in which programs commonly write them down (JSON,
//! URLs, XML, hexadecimal, base64). A program that hides a secret on purpose gets it past this: nothing can know every
//! way to write a text.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::secret::{REDACTED, Secret};

/// Values shorter than this, in bytes, are not looked for: they would be found everywhere.
pub const SHORTEST: usize = 6;
/// The same of a line of a secret of many lines, as of a private key: its shorter ones are no secret by themselves.
const SHORTEST_LINE: usize = 16;
/// The words before a secret in a header that is one: they are said everywhere.
const SCHEMES: [&str; 5] = ["bearer", "basic", "token", "bot", "apikey"];

/// What is taken out of texts. Cheap to clone.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Every form of every secret, the longest first: another may be its beginning.
    forms: Arc<[String]>,
}

impl Redactor {
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        Self::default().with_secrets(secrets)
    }

    pub fn with_secrets<'a>(&self, secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let mut forms: BTreeSet<String> = self.forms.iter().cloned().collect();
        secrets
            .into_iter()
            .flat_map(|secret| split_secret(secret.expose()))
            .for_each(|part| add_forms(part, &mut forms));
        let mut forms: Vec<String> = forms.into_iter().collect();
        forms.sort_by_key(|form| Reverse(form.len()));
        Self {
            forms: forms.into(),
        }
    }

    pub fn has_match(&self, text: &str) -> bool {
        self.forms.iter().any(|form| text.contains(form.as_str()))
    }

    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.forms.iter().fold(Cow::Borrowed(text), |text, form| {
            match text.contains(form.as_str()) {
                true => Cow::Owned(text.replace(form.as_str(), REDACTED)),
                false => text,
            }
        })
    }

    /// A text without any line that holds one of the secrets.
    pub fn redact_lines<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if !self.has_match(text) {
            return Cow::Borrowed(text);
        }
        let shown = |line: &'a str| if self.has_match(line) { REDACTED } else { line };
        // Once more, for a secret may be of several lines.
        let lines = text.split('\n').map(shown).collect::<Vec<_>>().join("\n");
        self.redact(&lines).into_owned().into()
    }

    /// A document without any of the secrets, in its texts and in its keys.
    pub fn redact_json(&self, value: Value) -> Value {
        match value {
            Value::String(text) => match self.redact(&text) {
                Cow::Owned(redacted) => redacted.into(),
                Cow::Borrowed(_) => text.into(),
            },
            Value::Array(list) => list.into_iter().map(|one| self.redact_json(one)).collect(),
            Value::Object(map) => {
                let redacted = |(key, one): (String, Value)| {
                    (self.redact(&key).into_owned(), self.redact_json(one))
                };
                map.into_iter().map(redacted).collect()
            }
            other => other,
        }
    }

    /// The same of plain data. What cannot be read any more without the secret stays as it is: then it was no text.
    pub fn redact_data<T: Serialize + DeserializeOwned>(&self, data: T) -> T {
        match serde_json::to_value(&data) {
            Ok(value) if !self.forms.is_empty() && self.has_match(&value.to_string()) => {
                serde_json::from_value(self.redact_json(value)).unwrap_or(data)
            }
            _ => data,
        }
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({} forms)", self.forms.len())
    }
}

impl Secret {
    pub fn redact(&self, text: &str) -> String {
        Redactor::new([self]).redact(text).into_owned()
    }
}

/// What of a secret gives it away: all of it, what follows the scheme of a header, its lines.
fn split_secret(secret: &str) -> Vec<&str> {
    let mut parts = vec![secret];
    let is_scheme = |word: &str| {
        SCHEMES
            .iter()
            .any(|scheme| word.eq_ignore_ascii_case(scheme))
    };
    parts.extend(
        secret
            .split_once(' ')
            .filter(|(scheme, _)| is_scheme(scheme))
            .map(|(_, rest)| rest.trim()),
    );
    if secret.contains('\n') {
        let lines = secret.lines().map(str::trim);
        parts
            .extend(lines.filter(|line| line.len() >= SHORTEST_LINE && !line.starts_with("-----")));
    }
    parts.retain(|part| part.len() >= SHORTEST);
    parts
}

fn add_forms(part: &str, forms: &mut BTreeSet<String>) {
    let json = Value::from(part).to_string();
    let json = json
        .trim_start_matches('"')
        .strip_suffix('"')
        .unwrap_or_default()
        .to_owned();
    let ascii: String = json
        .chars()
        .map(|c| {
            if c.is_ascii() {
                c.to_string()
            } else {
                escape_utf16(c)
            }
        })
        .collect();
    let xml = part
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let quoted_xml = xml.replace('"', "&quot;").replace('\'', "&apos;");
    let percent = |space: &str, upper: bool| percent_encode(part, space, upper);
    let hex = |upper: bool| {
        part.bytes()
            .map(|byte| format_hex(byte, upper))
            .collect::<String>()
    };
    forms.extend([
        part.to_owned(),
        json.replace('/', "\\/"),
        json,
        ascii,
        xml,
        quoted_xml,
    ]);
    forms.extend([
        percent("+", true),
        percent("%20", true),
        percent("%20", false),
        hex(true),
        hex(false),
    ]);
    // Where it begins within three bytes is not known; what its neighbours have a part in is left out.
    for before in 0..3 {
        let bytes: Vec<u8> = std::iter::repeat_n(0, before).chain(part.bytes()).collect();
        for encoded in [
            STANDARD_NO_PAD.encode(&bytes),
            URL_SAFE_NO_PAD.encode(&bytes),
        ] {
            let whole = bytes.len() * 8 / 6;
            let own = encoded
                .get((before * 8).div_ceil(6)..whole)
                .unwrap_or_default();
            forms.extend((own.len() > SHORTEST).then(|| own.to_owned()));
        }
    }
}

/// A character as JSON writes it that is to be ASCII.
fn escape_utf16(c: char) -> String {
    c.encode_utf16(&mut [0; 2])
        .iter()
        .map(|unit| format!("\\u{unit:04x}"))
        .collect()
}

fn format_hex(byte: u8, upper: bool) -> String {
    if upper {
        format!("{byte:02X}")
    } else {
        format!("{byte:02x}")
    }
}

/// The form a text has in a URL (RFC 3986, 2.1; application/x-www-form-urlencoded in its query).
fn percent_encode(text: &str, space: &str, upper: bool) -> String {
    let encoded = text.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'*' | b'-' | b'.' | b'_' => {
            char::from(byte).to_string()
        }
        b' ' => space.to_owned(),
        other => format!("%{}", format_hex(other, upper)),
    });
    encoded.collect()
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn without(secret: &str, text: &str) -> String {
        Redactor::new([&Secret::new(secret)])
            .redact(text)
            .into_owned()
    }

    #[test]
    fn a_secret_is_taken_out_alone_behind_its_scheme_and_by_the_line() {
        assert_eq!(
            without("sk-very-secret/+", "bad key sk-very-secret/+!"),
            "bad key <redacted>!"
        );
        assert_eq!(
            without("Bearer abc-123", "the bearer of abc-123: Bearer abc-123"),
            "the bearer of <redacted>: <redacted>"
        );
        assert_eq!(
            without("correct horse battery", "the horse is correct"),
            "the horse is correct"
        );
        let key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASC\n-----END KEY-----";
        assert_eq!(
            without(key, "-----BEGIN KEY----- MIIEvQIBADANBgkqhkiG9w0B"),
            "-----BEGIN KEY----- <redacted>"
        );
        assert_eq!(without("short", "short"), "short");
        assert_eq!(without("", "any text"), "any text");
    }

    #[test]
    fn of_two_secrets_the_longer_goes_first() {
        let both = Redactor::new([
            &Secret::new("sk-123456"),
            &Secret::new("sk-123456-and-more"),
        ]);
        assert_eq!(
            both.redact("sk-123456-and-more sk-123456"),
            "<redacted> <redacted>"
        );
        assert_eq!(
            Redactor::default()
                .with_secrets([&Secret::new("sk-123456")])
                .redact("sk-123456"),
            "<redacted>"
        );
    }

    #[test]
    fn plain_data_and_documents_lose_it_in_keys_and_texts() {
        let redactor = Redactor::new([&Secret::new("k\"12345")]);
        let document = json!({"a": ["k\"12345", 1], "k\"12345": {"b": "x k\"12345"}});
        let clean = json!({"a": ["<redacted>", 1], "<redacted>": {"b": "x <redacted>"}});
        assert_eq!(redactor.redact_json(document.clone()), clean);
        assert_eq!(redactor.redact(&document.to_string()), clean.to_string());
        assert_eq!(
            redactor.redact_data(vec![("k\"12345".to_owned(), 7)]),
            [("<redacted>".to_owned(), 7)]
        );
        assert_eq!(
            redactor.redact_lines("12 Anna: k\"12345 lol\n13 Ben: hm"),
            "<redacted>\n13 Ben: hm"
        );
    }

    proptest! {
        #[test]
        fn no_common_form_of_a_secret_stays_wherever_it_stands(
            secret in "[ -~]{6,40}|[a-zA-Z0-9+/=_-]{20,60}|[é雪a-z0-9]{6,12}",
            before in "[ -~]{0,9}", after in "[ -~]{0,9}",
        ) {
            let secret = secret.trim();
            prop_assume!(secret.len() >= SHORTEST);
            let redactor = Redactor::new([&Secret::new(secret)]);
            let around = format!("{before}{secret}{after}");
            let url: String = percent_encode(&around, "+", true);
            let texts = [
                around.clone(),
                Value::from(around.as_str()).to_string(),
                url,
                percent_encode(&around, "%20", false),
                around.bytes().map(|byte| format_hex(byte, false)).collect(),
            ];
            for text in texts {
                prop_assert!(redactor.has_match(&text), "{text}");
                prop_assert!(!redactor.has_match(&redactor.redact(&text).replace(REDACTED, "\u{0}")), "{text}");
            }
            for text in [STANDARD.encode(&around), URL_SAFE.encode(&around)] {
                prop_assert!(secret.len() < 10 || redactor.has_match(&text), "{text}");
            }
        }
    }
}
