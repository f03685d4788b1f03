//! Which hosts a pattern means.

use super::*;

fn allows(place: &str, url: &str) -> bool {
    place
        .parse::<HostPattern>()
        .unwrap()
        .is_match(&Url::parse(url).unwrap())
}

#[test]
fn a_place_allows_what_names_it_however_it_is_spelled() {
    assert!(allows("wiki.lan", "https://WIKI.lan:8443/a?b"));
    assert!(allows("10.0.0.5", "http://0xa000005/"));
    assert!(allows("::1", "http://[0:0::1]:99/"));
    assert!(!allows("wiki.lan", "http://evil.wiki.lan/"));
    assert!(!allows("wiki.lan", "http://wiki.lan.example.org/"));
    assert!(!allows("10.0.0.5", "http://10.0.0.50/"));
}

#[test]
fn a_port_narrows_it() {
    assert!(allows("[::1]:8080", "http://[::1]:8080/"));
    assert!(!allows("[::1]:8080", "http://[::1]:8081/"));
    assert!(allows("wiki.lan:80", "http://wiki.lan/"));
    assert!(!allows("wiki.lan:80", "https://wiki.lan/"));
    assert!(allows("wiki.lan:443", "https://wiki.lan/"));
}

#[test]
fn what_is_no_host_is_refused() {
    for wrong in [
        "",
        "http://wiki.lan",
        "wiki.lan/x",
        "a b",
        "me@wiki.lan",
        "wiki.lan:99999",
        "10.0.0.0/8",
    ] {
        assert!(wrong.parse::<HostPattern>().is_err(), "{wrong}");
    }
}
