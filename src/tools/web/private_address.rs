//! Which addresses are private, and whether one may be asked: a public one, or one that the host named. Everything that is
//! not public is somebody's own network, most likely the host's, and no model may reach into it. An address in a URL is
//! checked here, those behind a name where it is looked up (`resolver.rs`).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use reqwest::Url;

use super::error::{HostRefusal, WebError};
use super::host_pattern::HostPattern;

/// The blocks of IPv4 that are not public, each with its length (IANA special-purpose registry; RFC 6890 and later).
const BLOCKS: &[(Ipv4Addr, u32, &str)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8, "an unspecified address"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "a private address"),
    (
        Ipv4Addr::new(100, 64, 0, 0),
        10,
        "a provider's private address",
    ),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "an address of this machine"),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "a link-local address"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "a private address"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "a reserved address"),
    (
        Ipv4Addr::new(192, 0, 2, 0),
        24,
        "an address for documentation",
    ),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "a reserved address"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "a private address"),
    (
        Ipv4Addr::new(198, 18, 0, 0),
        15,
        "an address for measurements",
    ),
    (
        Ipv4Addr::new(198, 51, 100, 0),
        24,
        "an address for documentation",
    ),
    (
        Ipv4Addr::new(203, 0, 113, 0),
        24,
        "an address for documentation",
    ),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "a multicast address"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "a reserved address"),
];

/// What the parts of IPv6 are that have a name and are not public. The first that fits counts.
const NAMED: &[(Ipv6Addr, u32, &str)] = &[
    (Ipv6Addr::UNSPECIFIED, 128, "an unspecified address"),
    (Ipv6Addr::LOCALHOST, 128, "an address of this machine"),
    (
        Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0),
        7,
        "a private address",
    ),
    (
        Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0),
        10,
        "a link-local address",
    ),
    (
        Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0),
        8,
        "a multicast address",
    ),
    (
        Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0),
        32,
        "an address for documentation",
    ),
    (
        Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0),
        20,
        "an address for documentation",
    ),
    // Teredo and 6to4 lead to IPv4 addresses that they hide; nobody serves pages there any more.
    (
        Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0),
        23,
        "a reserved address",
    ),
    (
        Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0),
        16,
        "a reserved address",
    ),
];

/// All that is given out of IPv6 so far.
const GIVEN_OUT: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// The IPv6 prefixes of 96 bits that an IPv4 address follows: mapped, and behind a NAT64.
const HOLDS_IPV4: [Ipv6Addr; 2] = [
    Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0),
    Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0),
];

/// What an address is that is not public, as a noun phrase.
pub(super) fn describe_non_public(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => BLOCKS
            .iter()
            .find(|(block, length, _)| is_in_v4_block(address, *block, *length))
            .map(|of| of.2),
        IpAddr::V6(address)
            if HOLDS_IPV4
                .iter()
                .any(|prefix| is_in_v6_block(address, *prefix, 96)) =>
        {
            let [.., a, b, c, d] = address.octets();
            describe_non_public(IpAddr::V4(Ipv4Addr::new(a, b, c, d)))
        }
        IpAddr::V6(address) => match NAMED
            .iter()
            .find(|(block, length, _)| is_in_v6_block(address, *block, *length))
        {
            Some((.., kind)) => Some(kind),
            None => {
                (!is_in_v6_block(address, GIVEN_OUT.0, GIVEN_OUT.1)).then_some("a reserved address")
            }
        },
    }
}

fn is_in_v4_block(address: Ipv4Addr, block: Ipv4Addr, length: u32) -> bool {
    (u32::from(address) ^ u32::from(block)).leading_zeros() >= length
}

fn is_in_v6_block(address: Ipv6Addr, block: Ipv6Addr, length: u32) -> bool {
    (u128::from(address) ^ u128::from(block)).leading_zeros() >= length
}

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

#[cfg(test)]
#[path = "../tests/inside/private_address.rs"]
mod tests;
