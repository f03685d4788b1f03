//! `kith check` on settings that hold a password in an address.

#![cfg(unix)]

use std::fs::{Permissions, set_permissions, write};
use std::os::unix::fs::PermissionsExt;

use kith_testkit::assert_lacks;

use super::typed;

#[test]
fn check_warns_of_passwords_in_addresses_that_others_can_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kith.toml");
    let checked = |more: &str, mode: u32| {
        write(&file, format!("[model]\nname = \"m\"\n{more}\n")).unwrap();
        set_permissions(&file, Permissions::from_mode(mode)).unwrap();
        typed(&folder, "check").out
    };
    for (line, address) in [
        (3, "proxy = \"http://me:hush-hush@127.0.0.1:9\""),
        (
            4,
            "[discord]\nproxy = \"socks5://me:hush-hush@127.0.0.1:9\"",
        ),
        (
            5,
            "[models.eyes]\nname = \"e\"\nproxy = \"me:hush-hush@127.0.0.1:9\"\n[roles]\nchat = [\"eyes\"]",
        ),
        (
            4,
            "[store]\nurl = \"postgres://me:hush-hush@127.0.0.1:9/kith\"",
        ),
        (
            4,
            "[store]\nurl = \"postgres://127.0.0.1:9/kith?user=me&password=hush-hush\"",
        ),
    ] {
        let expected = format!(
            "kith.toml:{line}: warning: other users of this machine may open kith.toml (its mode is 644); \
             chmod 600 kith.toml\n0 errors, 1 warning\n"
        );
        assert_eq!(checked(address, 0o644), expected, "{address}");
        assert_lacks(checked(address, 0o600), ["warning"]);
    }
    for harmless in [
        "proxy = \"http://127.0.0.1:9\"",
        "[store]\nurl = \"postgres://me@127.0.0.1:9/kith\"",
    ] {
        assert_lacks(checked(harmless, 0o644), ["warning"]);
    }
}
