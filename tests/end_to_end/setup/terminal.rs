//! On a real terminal, made by `script` (bsdutils): what is typed is seen, but for secrets.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use kith_testkit::{assert_has, assert_lacks};

use crate::setup::SetupTest;
use crate::setup::fake_discord::{TOKEN, World};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_typed_on_a_terminal_is_not_seen() {
    if !Command::new("script")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        kith_testkit::say_skipped("there is no `script` (bsdutils) to make a terminal with");
        return;
    }
    let test = SetupTest::of(World::small()).await;
    let command = format!(
        "{} setup --no-model --language en",
        env!("CARGO_BIN_EXE_kith")
    );
    let mut child = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .current_dir(test.path())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("SHELL", "/bin/sh")
        .env("TERM", "dumb")
        .env("KITH__DISCORD__API_BASE", test.fake.api())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut keys, mut screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut seen = Vec::new();
    for (question, typed) in [
        ("Who is it?", ""),
        ("bot token", TOKEN),
        ("Copy Channel ID", ""),
    ] {
        while !String::from_utf8_lossy(&seen).contains(question) || !seen.ends_with(b": ") {
            let mut byte = [0];
            assert_ne!(
                screen.read(&mut byte).unwrap(),
                0,
                "{}",
                String::from_utf8_lossy(&seen)
            );
            seen.push(byte[0]);
        }
        // The question is written before the echo is switched off; what is typed until then is thrown away.
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        keys.write_all(format!("{typed}\n").as_bytes()).unwrap();
    }
    screen.read_to_end(&mut seen).unwrap();
    let seen = String::from_utf8_lossy(&seen);
    assert!(child.wait().unwrap().success(), "{seen}");
    assert_has(&seen, ["Start it: kith run"]);
    assert_lacks(&seen, [TOKEN]);
    assert_eq!(test.read("discord.token").trim(), TOKEN);
}
