//! `kith completions` and `kith man`.

use super::kith;

#[test]
fn every_shell_completes_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = kith(folder.path(), &["completions", shell], b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{shell}");
        for command in ["persona", "replay", "check"] {
            assert!(ran.out.contains(command), "{shell}: {command}");
        }
    }
    assert_eq!(
        kith(folder.path(), &["completions", "dos"], b"").code,
        Some(2)
    );
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let folder = tempfile::tempdir().unwrap();
    let ran = kith(folder.path(), &["man"], b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(
        ran.out.contains(".TH kith 1") && ran.out.contains("companion for group chats"),
        "{}",
        ran.out
    );
    let ran = kith(folder.path(), &["man", "--out", "pages"], b"");
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
