//! The tests of `proxy.rs`, of what nobody outside its crate can see.

use super::*;

fn found(variables: &[(&str, &str)], to: &str) -> Option<String> {
    let environment = variables
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    let to = Url::parse(to).ok()?;
    find_in_environment(&environment, &to).map(|(_, value)| value.to_owned())
}

#[test]
fn the_usual_variables_name_the_proxy() {
    let both = [("HTTPS_PROXY", "http://a:1"), ("ALL_PROXY", "socks5://b:2")];
    assert_eq!(
        found(&both, "https://discord.com/api").as_deref(),
        Some("http://a:1")
    );
    assert_eq!(
        found(&both, "http://example.org").as_deref(),
        Some("socks5://b:2")
    );
    assert_eq!(
        found(&[("https_proxy", "c:3")], "https://discord.com").as_deref(),
        Some("c:3")
    );
    assert_eq!(found(&[("HTTPS_PROXY", " ")], "https://discord.com"), None);
}

#[test]
fn exceptions_and_this_machine_are_reached_directly() {
    let but =
        |list: &str, to: &str| found(&[("HTTPS_PROXY", "a:1"), ("NO_PROXY", list)], to).is_none();
    assert!(but("", "https://localhost:8080/v1"));
    assert!(but("", "https://[::1]/v1"));
    assert!(!but("", "https://discord.com"));
    assert!(but(
        "example.org, .discord.com",
        "https://gateway.discord.com"
    ));
    assert!(but("discord.com", "https://discord.com"));
    assert!(!but("cord.com", "https://discord.com"));
    assert!(but("*", "https://discord.com"));
    for (list, to, direct) in [
        ("192.168.0.0/16", "https://192.168.7.9/v1", true),
        ("192.168.0.0/16", "https://192.169.7.9/v1", false),
        ("10.0.0.0/8 192.168.7.8/31", "https://192.168.7.9", true),
        ("fd00::/8", "https://[fd12::1]:8080", true),
        ("0.0.0.0/0", "https://[fd12::1]", false),
        ("192.168.0.0/40", "https://192.168.0.1", false),
        ("192.168.*", "https://192.168.7.9", true),
        ("10.*.0.1", "https://10.7.0.1", true),
        ("10.*.0.1", "https://10.7.0.2", false),
        ("*.example.org", "https://a.example.org", true),
        ("model.lan:8080", "https://model.lan:8080", true),
        ("model.lan:8080", "https://model.lan", false),
        ("model.lan:443", "https://model.lan", true),
        ("[fd12::1]:8080", "https://[fd12::1]:8080", true),
        ("fd12::1", "https://[fd12::1]", true),
    ] {
        assert_eq!(but(list, to), direct, "{list} {to}");
    }
}

#[test]
fn an_address_is_read_strictly() {
    assert_eq!(
        parse_proxy("127.0.0.1:8080").as_deref(),
        Some("http://127.0.0.1:8080")
    );
    assert_eq!(
        parse_proxy("socks5://me:secret@proxy:1080").as_deref(),
        Some("socks5://me:secret@proxy:1080")
    );
    for wrong in [
        "ftp://proxy",
        "http://",
        "proxy address",
        "http://proxy/path",
    ] {
        assert_eq!(parse_proxy(wrong), None, "{wrong}");
    }
}
