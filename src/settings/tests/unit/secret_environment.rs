//! The tests of `secret_environment.rs`, of what nobody outside its crate can see.

use super::*;
use kith_core::secret::Secret;

#[test]
fn what_holds_a_secret_is_known_by_its_value_or_by_its_name() {
    let all = [
        ("PATH", "/usr/bin"),
        ("NEWS", "sk-123456"),
        ("HTTPS_PROXY", "http://me:hush-hush@proxy"),
        ("AWS_SECRET_ACCESS_KEY", "abc"),
        ("SSH_AUTH_SOCK", "/run/agent"),
        ("LANG", "en"),
    ];
    let all = all
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    let redactor = Redactor::new([&Secret::new("sk-123456"), &Secret::new("hush-hush")]);
    let found: Vec<&str> = find_secret_variables(&all, &redactor).into_keys().collect();
    assert_eq!(found, ["AWS_SECRET_ACCESS_KEY", "HTTPS_PROXY", "NEWS"]);
}
