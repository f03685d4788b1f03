//! Which addresses are private.

use super::*;

#[test]
fn public_addresses_are_public() {
    for public in [
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.1",
        "100.63.255.255",
        "100.128.0.1",
        "172.15.0.1",
        "172.32.0.1",
        "192.167.1.1",
        "198.17.0.1",
        "198.20.0.1",
        "223.255.255.255",
        "2606:4700:4700::1111",
        "2a00:1450::1",
        "2001:4860:4860::8888",
        "::ffff:1.1.1.1",
        "64:ff9b::1.1.1.1",
    ] {
        assert_eq!(
            describe_non_public(public.parse().unwrap()),
            None,
            "{public}"
        );
    }
}

#[test]
fn every_other_kind_is_told_apart_also_inside_of_ipv6() {
    for (address, kind) in [
        ("0.0.0.0", "an unspecified address"),
        ("0.1.2.3", "an unspecified address"),
        ("10.0.0.5", "a private address"),
        ("100.64.0.1", "a provider's private address"),
        ("100.127.255.255", "a provider's private address"),
        ("127.0.0.1", "an address of this machine"),
        ("127.255.0.9", "an address of this machine"),
        ("169.254.169.254", "a link-local address"),
        ("172.16.0.1", "a private address"),
        ("172.31.255.255", "a private address"),
        ("192.0.0.8", "a reserved address"),
        ("192.0.2.1", "an address for documentation"),
        ("192.168.1.1", "a private address"),
        ("198.19.255.255", "an address for measurements"),
        ("198.51.100.7", "an address for documentation"),
        ("203.0.113.7", "an address for documentation"),
        ("224.0.0.1", "a multicast address"),
        ("239.1.1.1", "a multicast address"),
        ("240.0.0.1", "a reserved address"),
        ("255.255.255.255", "a reserved address"),
        ("::", "an unspecified address"),
        ("::1", "an address of this machine"),
        ("::127.0.0.1", "a reserved address"),
        ("::ffff:127.0.0.1", "an address of this machine"),
        ("::ffff:0:127.0.0.1", "a reserved address"),
        ("64:ff9b::10.0.0.5", "a private address"),
        ("64:ff9b:1::1.1.1.1", "a reserved address"),
        ("100::1", "a reserved address"),
        ("2001::1", "a reserved address"),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "a reserved address"),
        ("2001:db8::1", "an address for documentation"),
        ("2002:a00:5::1", "a reserved address"),
        ("3fff::1", "an address for documentation"),
        ("4000::1", "a reserved address"),
        ("fc00::1", "a private address"),
        ("fd00:ec2::254", "a private address"),
        ("fe80::1", "a link-local address"),
        ("fec0::1", "a reserved address"),
        ("ff02::1", "a multicast address"),
    ] {
        assert_eq!(
            describe_non_public(address.parse().unwrap()),
            Some(kind),
            "{address}"
        );
    }
}
