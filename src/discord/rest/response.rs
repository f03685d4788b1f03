//! Reads what came back: the rate limits in the headers, and what status and body say. Pure, and nothing in it trusts
//! that Discord itself answered: there may be a proxy or a web page in between.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::error::RestError;
use kith_core::secret::Secret;

/// The longest text of Discord's that is quoted, in characters.
const LONGEST_QUOTE: usize = 200;

const SLOW_MODE: u64 = 20_016;
const AUTO_MOD: [u64; 2] = [200_000, 200_001];

pub(super) struct RestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// What the headers say about the bucket a request was counted in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RateLimitHeaders {
    /// Its name; routes of the same name share it.
    pub bucket: String,
    pub limit: u32,
    pub remaining: u32,
    pub reset_after: Duration,
}

#[derive(Debug, PartialEq)]
pub(super) enum ResponseVerdict {
    Done(Value),
    /// Too fast: come back after this long, where that is told.
    Limited {
        wait: Option<Duration>,
        everywhere: bool,
        /// Whether others filled the bucket: not held against us.
        shared: bool,
    },
    Refused(RestError),
}

impl RestResponse {
    pub fn rate_limit_headers(&self) -> Option<RateLimitHeaders> {
        let reset_after: f64 = self.header("x-ratelimit-reset-after")?.parse().ok()?;
        Some(RateLimitHeaders {
            bucket: self.header("x-ratelimit-bucket")?.to_owned(),
            limit: self.header("x-ratelimit-limit")?.parse().ok()?,
            remaining: self.header("x-ratelimit-remaining")?.parse().ok()?,
            reset_after: Duration::try_from_secs_f64(reset_after).ok()?,
        })
    }

    /// What it means. Texts of Discord's are quoted without `secret`.
    pub fn to_verdict(&self, secret: &Secret) -> ResponseVerdict {
        let json = serde_json::from_slice::<Value>(&self.body).ok();
        if self.status.is_success() {
            return match json {
                Some(value) => ResponseVerdict::Done(value),
                None if self.body.is_empty() => ResponseVerdict::Done(Value::Null),
                None => ResponseVerdict::Refused(RestError::Unreadable(self.quote(secret))),
            };
        }
        let code = json.as_ref().and_then(|body| body["code"].as_u64());
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            return self.to_rate_limit_verdict(json, code);
        }
        let detail = || match &json {
            Some(body) => format!(
                "{}: {}",
                code.unwrap_or_default(),
                shorten(&secret.redact(&describe_error(body)))
            ),
            None => self.quote(secret),
        };
        let number = code.and_then(|code| u32::try_from(code).ok());
        ResponseVerdict::Refused(match self.status.as_u16() {
            _ if code.is_some_and(|code| AUTO_MOD.contains(&code)) => RestError::AutoMod,
            401 => RestError::Unauthorized,
            403 => RestError::Forbidden {
                code: number,
                said: detail(),
            },
            404 => RestError::NotFound {
                code: number.unwrap_or_default(),
                said: detail(),
            },
            status @ 500.. => RestError::Failed { status },
            300..=399 => RestError::Unreadable(self.quote(secret)),
            _ => RestError::Invalid {
                code: number.unwrap_or_default(),
                said: detail(),
            },
        })
    }

    fn to_rate_limit_verdict(&self, json: Option<Value>, code: Option<u64>) -> ResponseVerdict {
        let seconds = |value: f64| Duration::try_from_secs_f64(value).ok();
        let body_wait = json
            .as_ref()
            .and_then(|body| body["retry_after"].as_f64())
            .and_then(seconds);
        let header = |name: &str| {
            self.header(name)
                .and_then(|text| text.parse().ok())
                .and_then(seconds)
        };
        let wait = body_wait
            .or_else(|| header("retry-after"))
            .or_else(|| header("x-ratelimit-reset-after"));
        if code == Some(SLOW_MODE) {
            return ResponseVerdict::Refused(RestError::SlowMode {
                retry_after: wait.unwrap_or_default(),
            });
        }
        let scope = self.header("x-ratelimit-scope");
        // What is no JSON comes from the wall in front of Discord, which knows addresses and no routes. One that does not
        // even name a time may be anybody's: then only what was asked for waits.
        let everywhere = json
            .as_ref()
            .map_or(wait.is_some(), |body| body["global"] == Value::Bool(true))
            || self.header("x-ratelimit-global").is_some()
            || scope == Some("global");
        ResponseVerdict::Limited {
            wait,
            everywhere,
            shared: scope == Some("shared"),
        }
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    fn quote(&self, secret: &Secret) -> String {
        let text = String::from_utf8_lossy(&self.body[..self.body.len().min(4 * LONGEST_QUOTE)])
            .into_owned();
        format!(
            "{} \"{}\"",
            self.status.as_u16(),
            shorten(&secret.redact(&text))
        )
    }
}

/// What an error of Discord's says: its message, and of a wrong form the first field with what is wrong about it.
fn describe_error(body: &Value) -> String {
    fn find_first_error(errors: &Value, path: &str) -> Option<String> {
        if let Some(message) = errors["_errors"][0]["message"].as_str() {
            return Some(format!("{path}: {message}"));
        }
        let mut fields = errors.as_object()?.iter();
        fields.find_map(|(name, inner)| {
            find_first_error(
                inner,
                &format!("{path}{}{name}", if path.is_empty() { "" } else { "." }),
            )
        })
    }
    let message = body["message"].as_str().unwrap_or("no reason given");
    match find_first_error(&body["errors"], "") {
        Some(field) => format!("{message}: {field}"),
        None => message.to_owned(),
    }
}

/// The beginning of a text, on one line.
pub(super) fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
#[path = "../tests/unit/response.rs"]
mod tests;
