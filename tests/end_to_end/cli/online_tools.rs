//! `kith check --online` tries keys, starts servers and tools once and shows what they write to standard error, and
//! `kith tools call` knows the skills that the daemon knows.

use std::io::{Read, Write};

use kith_testkit::{assert_has, assert_lacks};

use super::{kith, put, typed};

const TOOLS: &str = "\
[moon]
description = \"The moon.\"
read_only = true
[moon.command]
argv = [\"sh\", \"./moon.sh\"]

[lamp]
description = \"Switches the lamp.\"
[lamp.command]
argv = [\"sh\", \"./lamp.sh\"]

[broken]
description = \"Breaks.\"
read_only = true
[broken.command]
argv = [\"sh\", \"./broken.sh\"]

[island.mcp]
argv = [\"sh\", \"./island.sh\"]
";

#[cfg(unix)]
#[test]
fn check_online_starts_each_server_and_what_only_reads_and_shows_standard_error() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| put(&folder, name, text);
    write("tools.toml", TOOLS);
    write("moon.sh", "echo 'the almanac is old' >&2\necho full\n");
    write("lamp.sh", "touch on\n");
    write("broken.sh", "echo 'no such star' >&2\nexit 3\n");
    write("island.sh", "echo 'cannot find the island' >&2\nexit 1\n");
    write(
        "kith.toml",
        "tool_paths = [\"tools.toml\"]\nmodel.provider = \"none\"\n",
    );
    let ran = typed(&folder, "check --online");
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert_has(
        &ran.out,
        [
            "  island writes to standard error: cannot find the island\n",
            "the tool moon answers: full\n  moon writes to standard error: the almanac is old\n",
            "the tool lamp is not called here: it may do something, or needs parameters; try it with `kith tools call lamp`\n",
            "  broken writes to standard error: no such star\n",
            "tools.toml:12: error: the tool broken failed: ",
            "tools.toml:18: error: the server island is not there: ",
            "2 errors, 0 warnings\n",
        ],
    );
    let made = std::fs::read_dir(folder.path().join("data/tools/lamp"));
    assert!(made.is_err(), "what may do something is not called");
}

#[test]
fn a_tool_called_by_hand_knows_the_skills_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let skills = concat!(env!("CARGO_MANIFEST_DIR"), "/prompts/skills");
    put(
        &folder,
        "kith.toml",
        format!("skill_paths = [\"{skills}\"]\n"),
    );
    let ran = kith(
        folder.path(),
        &[
            "tools",
            "call",
            "activate_skill",
            "{\"name\": \"movie-night\"}",
        ],
        b"",
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    assert_has(&ran.out, ["film"]);
}

#[cfg(unix)]
#[test]
fn check_says_that_a_key_was_not_tried_and_online_tells_a_wrong_one() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", server.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut link in server.incoming().flatten() {
            let _ = link.read(&mut [0; 4096]);
            let refusal =
                "HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}";
            let _ = link.write_all(refusal.as_bytes());
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let settings =
        format!("[model]\nbase_url = \"{url}\"\nname = \"m\"\napi_key = \"sk-mistyped\"\n");
    let file = folder.path().join("kith.toml");
    std::fs::write(&file, settings).unwrap();
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let ran = typed(&folder, "check");
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.out.ends_with("`kith check --online` asks\n"),
        "{}",
        ran.out
    );
    let ran = typed(&folder, "check --online");
    assert_eq!(ran.code, Some(1));
    assert_has(&ran.out, ["refused the key (401"]);
    assert_lacks(&ran.out, ["sk-mistyped"]);
}
