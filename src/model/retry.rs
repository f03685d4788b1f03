//! How long a failed call waits before it is tried again; `server_faults.rs` says which failure may be, and `client.rs`
//! waits and gives up. Pure: time comes from the server's own headers and chance from a seed.

use std::time::Duration;

use chrono::DateTime;
use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};

use kith_core::back_off::{apply_jitter, compute_back_off};

/// The wait before the second try; doubles with every further one.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// Milliseconds to wait, as OpenAI and Azure send it beside `Retry-After`.
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryKind {
    Never,
    /// It may pass; wait a while.
    BackOff,
    /// It is a whim of the model; once more is worth it, a third time is not.
    Once,
    After(Duration),
}

/// How long to wait before try number `tries + 1`, half of it by chance so that many clients do not come back at once.
pub(super) fn compute_retry_wait(tries: u32, seed: u64) -> Duration {
    apply_jitter(
        compute_back_off(FIRST_WAIT, tries.saturating_sub(1), LONGEST_WAIT),
        seed ^ u64::from(tries),
    )
}

/// What the server says about when to come back: seconds, milliseconds, or a date. A date is held against the
/// response's own `Date`, so that it needs no clock and a wrong clock does no harm.
pub(super) fn parse_retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: HeaderName| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(str::trim)
    };
    let milliseconds = text(RETRY_AFTER_MS).and_then(|value| value.parse::<f64>().ok());
    if let Some(wait) =
        milliseconds.and_then(|wait| Duration::try_from_secs_f64(wait / 1_000.0).ok())
    {
        return Some(wait);
    }
    let value = text(RETRY_AFTER)?;
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = DateTime::parse_from_rfc2822(value).ok()?;
    let now = DateTime::parse_from_rfc2822(text(DATE)?).ok()?;
    Some((until - now).to_std().unwrap_or(Duration::ZERO))
}

#[cfg(test)]
#[path = "tests/unit/retry.rs"]
mod tests;
