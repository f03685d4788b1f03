//! Decides whether an address may be asked at all: a public one, or one in a private network that the host named.

use std::net::IpAddr;

use reqwest::Url;

use super::address::describe_non_public;
use super::error::{HostRefusal, WebError};
use super::host_pattern::HostPattern;

/// Whether the host named the place an address leads to; what it does not name has to be public.
pub(super) fn is_allowed_private(url: &Url, private: &[HostPattern]) -> Result<bool, WebError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(WebError::Scheme(url.scheme().to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(WebError::UserInfo);
    }
    if private.iter().any(|place| place.is_match(url)) {
        return Ok(true);
    }
    // An address is never looked up, so it is checked here; the URL standard has read every odd spelling of it.
    let host = url.host_str().unwrap_or_default();
    let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
    match address.and_then(describe_non_public) {
        Some(kind) => Err(HostRefusal {
            host: host.to_owned(),
            looked_up: false,
            kind,
        }
        .into()),
        None => Ok(false),
    }
}
