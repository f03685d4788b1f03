//! A place in a private network that the host allows by name: `10.0.0.5`, `wiki.lan`, `[::1]:8080`.

use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

use reqwest::Url;
use serde::{Deserialize, Serialize};

/// A host, with a port where only that one is meant. It allows URLs that name this very host, wherever the name leads;
/// another name that leads to the same address stays refused.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct HostPattern {
    /// As the URL standard spells it.
    host: String,
    port: Option<u16>,
}

impl HostPattern {
    pub fn is_match(&self, url: &Url) -> bool {
        url.host_str() == Some(&self.host)
            && self
                .port
                .is_none_or(|port| url.port_or_known_default() == Some(port))
    }
}

impl FromStr for HostPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "\"{text}\" is no host; write it like \"wiki.lan\", \"10.0.0.5\" or \"[::1]:8080\""
            )
        };
        let text = text.trim();
        let host = if text.parse::<Ipv6Addr>().is_ok() {
            format!("[{text}]")
        } else {
            text.to_owned()
        };
        if host.contains(['/', '\\', '?', '#', '@']) {
            return Err(wrong());
        }
        // A scheme hides its own port, and no port is that of both.
        let urls = ["http", "https"].map(|scheme| Url::parse(&format!("{scheme}://{host}/")));
        let [Ok(http), Ok(https)] = urls else {
            return Err(wrong());
        };
        let port = http.port().or(https.port());
        Ok(Self {
            host: http.host_str().map(str::to_owned).ok_or_else(wrong)?,
            port,
        })
    }
}

impl TryFrom<String> for HostPattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<HostPattern> for String {
    fn from(place: HostPattern) -> Self {
        place.to_string()
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

#[cfg(test)]
#[path = "../tests/inside/host_pattern.rs"]
mod tests;
