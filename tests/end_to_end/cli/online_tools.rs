//! `kith check --online` starts servers and tools once and shows what they write to standard error, and `kith tools call`
//! knows the skills that the daemon knows.

use super::kith;

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
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("tools.toml", TOOLS);
    write("moon.sh", "echo 'the almanac is old' >&2\necho full\n");
    write("lamp.sh", "touch on\n");
    write("broken.sh", "echo 'no such star' >&2\nexit 3\n");
    write("island.sh", "echo 'cannot find the island' >&2\nexit 1\n");
    write(
        "kith.toml",
        "tool_paths = [\"tools.toml\"]\nmodel.provider = \"none\"\n",
    );
    let ran = kith(folder.path(), &["check", "--online"], b"");
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    for told in [
        "  island writes to standard error: cannot find the island\n",
        "the tool moon answers: full\n  moon writes to standard error: the almanac is old\n",
        "the tool lamp is not called here: it may do something, or needs parameters; try it with `kith tools call lamp`\n",
        "  broken writes to standard error: no such star\n",
        "tools.toml:12: error: the tool broken failed: ",
        "tools.toml:18: error: the server island is not there: ",
        "2 errors, 0 warnings\n",
    ] {
        assert!(ran.out.contains(told), "{told}\n{}", ran.out);
    }
    let made = std::fs::read_dir(folder.path().join("data/tools/lamp"));
    assert!(made.is_err(), "what may do something is not called");
}

#[test]
fn a_tool_called_by_hand_knows_the_skills_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let skills = concat!(env!("CARGO_MANIFEST_DIR"), "/prompts/skills");
    std::fs::write(
        folder.path().join("kith.toml"),
        format!("skill_paths = [\"{skills}\"]\n"),
    )
    .unwrap();
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
    assert!(ran.out.contains("film"), "{}", ran.out);
}
