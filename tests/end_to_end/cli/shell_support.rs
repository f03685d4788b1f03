//! `kith completions` and `kith man`.

use super::{kith, typed};
use kith_testkit::assert_has;

#[test]
fn every_shell_completes_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = kith(folder.path(), &["completions", shell], b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{shell}");
        assert_has(&ran.out, ["persona", "replay", "check"]);
    }
    assert_eq!(typed(&folder, "completions dos").code, Some(2));
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let folder = tempfile::tempdir().unwrap();
    let ran = typed(&folder, "man");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_has(&ran.out, [".TH kith 1", "companion for group chats"]);
    let ran = typed(&folder, "man --out pages");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Written: pages\n"));
    for page in [
        "kith.1",
        "kith-check.1",
        "kith-persona.1",
        "kith-persona-import.1",
    ] {
        assert!(folder.path().join("pages").join(page).is_file(), "{page}");
    }
}
