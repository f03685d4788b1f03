//! `kith tools`: what there is, what the model sees of it, and trying one by hand.

use super::*;
use kith_testkit::assert_has;

const BILL: &str = r#"{"currency": "€", "payments": [{"who": "Anna", "amount": 30}, {"who": "Ben", "amount": 6.5}, {"who": "Cleo", "amount": 0}]}"#;

/// A folder whose settings name the tools that ship as examples.
fn with_examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/prompts/tools");
    let toml = format!(
        "tool_paths = [\"{examples}\"]\n[tool.split_bill]\nmost_an_hour = 3\n[channel.7]\ntools = [\"calculate\"]\n"
    );
    put(&folder, "kith.toml", toml);
    folder
}

#[test]
fn the_examples_that_ship_have_no_problems() {
    let ran = kith(with_examples().path(), &["check"], b"");
    assert_eq!(
        (ran.code, ran.out.starts_with("no problems in kith.toml")),
        (Some(0), true),
        "{}{}",
        ran.out,
        ran.err
    );
}

#[test]
fn every_tool_is_listed_with_its_kind_its_place_and_where_it_is_on() {
    let ran = kith(with_examples().path(), &["tools", "list"], b"");
    let line = |name: &str| {
        ran.out
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(
        line("get_time"),
        "get_time                 built in, tool, read only; on, off in channel 7"
    );
    assert_eq!(
        line("calculate"),
        "calculate                built in, tool, read only; off, on in channel 7"
    );
    let bill = line("split_bill");
    assert!(bill.starts_with("split_bill               command, tool, read only, caused by anyone, 3 times an hour; on, off in channel 7 ("), "{bill}");
    assert!(bill.ends_with("prompts/tools/split_bill.toml:3)"), "{bill}");
}

#[test]
fn a_tool_is_shown_as_the_model_sees_it_in_every_protocol_and_language() {
    let ran = kith(
        with_examples().path(),
        &["tools", "show", "split_bill"],
        b"",
    );
    let begins = [
        "en xml    <split_bill payments='[{\"who\": \"…\", \"amount\": \"N\"}]'/> Settle",
        "en json   split_bill {\"payments\": [{\"who\": \"…\", \"amount\": \"N\"}]} Settle",
        "en native {\"name\":\"split_bill\"",
        "zh xml    <split_bill",
        "zh json   ",
        "zh native ",
        "command, from ",
    ];
    assert_eq!(ran.out.lines().count(), begins.len(), "{}", ran.out);
    for (line, begin) in ran.out.lines().zip(begins) {
        assert!(line.starts_with(begin), "{line}");
    }
    let unknown = kith(with_examples().path(), &["tools", "show", "split_bil"], b"");
    assert_eq!(
        (unknown.code, unknown.err.as_str()),
        (
            Some(1),
            "error: there is no tool split_bil; did you mean split_bill?\n"
        )
    );
}

#[test]
fn a_tool_is_called_by_hand() {
    let folder = with_examples();
    let call = |params: &str| kith(folder.path(), &["tools", "call", "split_bill", params], b"");
    let ran = call(BILL);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "Cleo pays Anna 12.16 €\nBen pays Anna 5.67 €\n"),
        "{}",
        ran.err
    );
    assert_has(&ran.err, ["\"rendered\":\"2 transfers over 36.5\""]);
    let wrong = call(r#"{"payments": 3}"#);
    assert_eq!(wrong.code, Some(1));
    assert!(
        wrong.err.starts_with(
            "error: split_bill: parameter `payments[0]` must be an object of who, amount, share"
        ),
        "{}",
        wrong.err
    );
    assert_eq!(call("{").code, Some(1));
    let odd =
        call(r#"{"payments": [{"who": "Anna", "amount": 1e300}, {"who": "Ben", "amount": 1}]}"#);
    assert_eq!(
        (odd.code, odd.err.contains("amount of Anna")),
        (Some(1), true),
        "{}",
        odd.err
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_tool_that_is_called_by_hand_finds_no_key_in_the_environment_of_its_parent() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "kith.toml", "tool_paths = [\"tools\"]\n");
    std::fs::create_dir(folder.path().join("tools")).unwrap();
    let tool = r#"[look]
description = "Looks."

[look.command]
argv = ["sh", "-c", "tr '\\0' '\\n' </proc/$PPID/environ | grep -q API_KEY && echo found || echo none"]
"#;
    put(&folder, "tools/look.toml", tool);
    let ran = Command::new(env!("CARGO_BIN_EXE_kith"))
        .args(["tools", "call", "look", "{}"])
        .current_dir(folder.path())
        .env_clear()
        .envs([
            ("PATH", "/usr/bin:/bin"),
            ("OPENAI_API_KEY", "sk-0123456789abcdef0123456789abcdef"),
        ])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(ran.status.success() && out.trim() == "none", "{out}{err}");
}
