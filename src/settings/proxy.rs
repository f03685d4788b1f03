//! Which proxy leads to a server: the one that is set, else the one the usual environment variables name (`HTTPS_PROXY`,
//! `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`). Never repeats an address: it may hold a password.

use std::collections::BTreeMap;
use std::net::IpAddr;

use reqwest::Url;

use super::Settings;
use super::layers::ProblemList;
use super::problem::SettingProblem;
use kith_core::secret::Secret;

const WRITTEN_LIKE: &str = "write it like \"http://127.0.0.1:8080\" or \"socks5://127.0.0.1:1080\"";

/// Fills in the proxies that are not set from the environment; an address nothing can be sent through is a problem.
pub fn find_proxies(
    settings: &mut Settings,
    environment: &BTreeMap<String, String>,
    problems: &mut ProblemList<'_>,
) {
    let model = settings.model.address();
    // Without a token nothing goes there.
    let discord = if settings.discord.token.is_empty() {
        String::new()
    } else {
        settings.discord.api_base.clone()
    };
    let mut places = vec![
        (
            "discord.proxy".to_owned(),
            &mut settings.discord.proxy,
            discord,
        ),
        ("model.proxy".to_owned(), &mut settings.model.proxy, model),
    ];
    for (name, model) in &mut settings.models {
        let to = model.address();
        places.push((format!("models.{name}.proxy"), &mut model.proxy, to));
    }
    for (path, proxy, to) in places {
        if !proxy.is_empty() {
            match parse_proxy(proxy.expose()) {
                Some(url) => *proxy = Secret::new(url),
                None => {
                    let message = format!("`{path}` is no address of a proxy");
                    problems.error(&path, message, WRITTEN_LIKE);
                }
            }
        } else if let Ok(to) = Url::parse(&to)
            && let Some((name, value)) = find_in_environment(environment, &to)
        {
            match parse_proxy(value) {
                Some(url) => *proxy = Secret::new(url),
                None => {
                    let message = format!("{name}: this is no address of a proxy");
                    problems.all.push(SettingProblem::error(
                        message,
                        format!("{WRITTEN_LIKE}, or unset the variable"),
                    ));
                }
            }
        }
    }
    // One variable may stand for both.
    problems.all.dedup();
}

/// A proxy's address in full; none if it is no address of a kind that can be used. Without a scheme it is an HTTP proxy.
fn parse_proxy(text: &str) -> Option<String> {
    let text = text.trim();
    let url = if text.contains("://") {
        text.to_owned()
    } else {
        format!("http://{text}")
    };
    let parsed = Url::parse(&url).ok()?;
    let usable = matches!(parsed.scheme(), "http" | "socks5" | "socks5h") && parsed.has_host();
    let bare = matches!(parsed.path(), "" | "/") && parsed.query().is_none();
    (usable && bare).then_some(url)
}

/// The variable that names the proxy for `to`, and its value; none where `to` is to be reached directly.
fn find_in_environment<'a>(
    environment: &'a BTreeMap<String, String>,
    to: &Url,
) -> Option<(String, &'a str)> {
    let set = |name: &str| {
        let names = [name.to_ascii_lowercase(), name.to_owned()];
        names.into_iter().find_map(|name| {
            let value = environment
                .get(&name)
                .map(|value| value.trim())
                .filter(|value| !value.is_empty())?;
            Some((name, value))
        })
    };
    let hostname = to.host_str()?.trim_matches(['[', ']']);
    let port = to.port_or_known_default().unwrap_or_default();
    let is_excepted = |(_, list): (String, &str)| {
        let mut entries = list.split([',', ' ']);
        entries.any(|entry| is_excepted(entry, hostname, port))
    };
    if is_local(hostname) || set("NO_PROXY").is_some_and(is_excepted) {
        return None;
    }
    set(if to.scheme() == "https" {
        "HTTPS_PROXY"
    } else {
        "HTTP_PROXY"
    })
    .or_else(|| set("ALL_PROXY"))
}

fn is_local(hostname: &str) -> bool {
    hostname == "localhost"
        || hostname
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Whether an entry of `NO_PROXY` means this host, in any of the forms that programs take: the host itself, a domain above
/// it, a pattern with `*`, a network such as `10.0.0.0/8`, each also with a port.
fn is_excepted(entry: &str, hostname: &str, port: u16) -> bool {
    let (hostname, entry) = (hostname.to_ascii_lowercase(), entry.to_ascii_lowercase());
    // The colons of a bare IPv6 address are no port's.
    let with_port = entry
        .rsplit_once(':')
        .filter(|(host, _)| host.ends_with(']') || !host.contains(':'));
    let (entry, wanted) = with_port.map_or((&*entry, None), |(host, port)| (host, Some(port)));
    if wanted.is_some_and(|wanted| wanted.parse() != Ok(port)) {
        return false;
    }
    let entry = entry.trim_matches(['[', ']']);
    if let (Some((network, bits)), Ok(address)) = (entry.split_once('/'), hostname.parse()) {
        return is_in_network(address, network, bits).unwrap_or(false);
    }
    let domain = entry.strip_prefix('*').unwrap_or(entry);
    let domain = domain.strip_prefix('.').unwrap_or(entry);
    let is_below = |host: &str| {
        host.strip_suffix(domain)
            .is_some_and(|above| above.ends_with('.'))
    };
    !domain.is_empty()
        && (hostname == domain || is_below(&hostname) || matches_pattern(entry, &hostname))
}

/// Whether an address lies in a network whose first `bits` bits are fixed; none where that is no network of its kind.
fn is_in_network(address: IpAddr, network: &str, bits: &str) -> Option<bool> {
    let to_bits = |address: IpAddr| match address.to_canonical() {
        IpAddr::V4(v4) => (u128::from(u32::from(v4)) << 96, 32),
        IpAddr::V6(v6) => (u128::from(v6), 128),
    };
    let ((address, kind), (network, same)) = (to_bits(address), to_bits(network.parse().ok()?));
    let bits: u32 = bits.parse().ok().filter(|bits| *bits <= same)?;
    let differ = (address ^ network).checked_shr(128 - bits).unwrap_or(0);
    Some(kind == same && differ == 0)
}

/// Whether a name fits a pattern in which each `*` stands for anything.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    name.strip_prefix(start).is_some_and(|name| {
        let mut tails = name.char_indices().map(|(at, _)| &name[at..]).chain([""]);
        tails.any(|tail| matches_pattern(rest, tail))
    })
}

#[cfg(test)]
#[path = "tests/unit/proxy.rs"]
mod tests;
