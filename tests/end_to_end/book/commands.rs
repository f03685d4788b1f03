//! Every command that a page shows is run, in the order of the page and in one folder, and what the page says it prints is
//! what it prints. A command inside of a sentence is held against the program's own help.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use kith_testkit::card_files::{make_png, make_text, make_v2, make_world};
use kith_testkit::kith_process::{KithProcess, build_kith_command, model, settings};
use regex::Regex;
use tempfile::TempDir;

use super::console::{Shell, find_commands, matches_shown};
use super::{mark_code, read_pages, root};

/// Programs that are there in name only, and why.
const STAND_INS: [(&str, &str); 6] = [
    (
        "cargo",
        "compiles for minutes; `cargo run` runs the program that is built already",
    ),
    ("ollama", "fetches gigabytes from the internet"),
    ("sudo", "changes the machine"),
    ("docker", "wants a daemon of its own, and fetches images"),
    ("systemctl", "changes the machine"),
    ("mdbook", "`.ci/run` builds the book"),
];

/// Commands that are not run, and why.
const NOT_RUN: [(&str, &str); 3] = [
    (
        "kith restore data/kith.db.before-format-N",
        "only a version with a newer format writes that file",
    ),
    (
        "kith setup",
        "it asks on a terminal; tests/end_to_end/setup/terminal.rs answers it",
    ),
    ("bash .ci/run", "it runs these tests"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_of_every_page_runs_and_prints_what_the_page_says() {
    let url = model(|_| "<turn><send_message>hello</send_message></turn>".into()).await;
    let mut problems = Vec::new();
    for page in read_pages() {
        let commands = find_commands(&page.text);
        if commands.is_empty() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let shell = Shell {
            folder: folder.path(),
            model: &url,
        };
        shell.furnish(&STAND_INS);
        lay_out_files(folder.path(), &page.text);
        if page.text.contains("$ kith backup") {
            shell.run("kith").expect("a database to back up");
        }
        let mut room = None;
        if page.text.contains(":5484/api") {
            room = Some(KithProcess::open(&settings(&url, "")).await);
        }
        for shown in commands {
            let is_run = !NOT_RUN
                .iter()
                .any(|(command, _)| shown.command.starts_with(command));
            let command = adapt(&shown.command, room.as_ref());
            if !is_run || lacks_program(&command) {
                continue;
            }
            let place = format!("{}:{}: {}", page.path, shown.line, shown.command);
            match shell.run(&command) {
                Err(why) => problems.push(format!("{place}\n{why}")),
                Ok(output) => {
                    let missing = shown.output.iter().filter(|shown| !prints(&output, shown));
                    let tell = |line| format!("{place}\nnever printed: {line}\n{output}");
                    problems.extend(missing.map(tell));
                }
            }
        }
        problems.extend(find_stale_pictures(folder.path()));
    }
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n\n"));
}

/// Whether a line of the output is what a page shows; the room of a test has a port of its own.
fn prints(output: &str, shown: &str) -> bool {
    let shown = shown.replace(":5484", ":\u{2026}");
    output.lines().any(|line| matches_shown(line, &shown))
}

/// Pictures of docs that a command has just drawn otherwise.
fn find_stale_pictures(folder: &Path) -> Vec<String> {
    let drawn = fs::read_dir(folder).unwrap().flatten();
    let names = drawn.filter_map(|file| file.file_name().into_string().ok());
    let pictures = names.filter(|name| name.ends_with(".svg"));
    let is_stale = |name: &String| {
        let shown = fs::read(root().join("docs").join(name));
        shown.is_ok_and(|shown| shown != fs::read(folder.join(name)).unwrap())
    };
    pictures
        .filter(is_stale)
        .map(|name| format!("docs/{name} is stale; draw it anew with the command beside it"))
        .collect()
}

/// The files that pages speak of. A file of TOML that a page shows is that of the page.
fn lay_out_files(folder: &Path, page: &str) {
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    let chats = root().join("tests/chats");
    let chat = fs::read_to_string(chats.join("en/film.jsonl")).unwrap();
    write("chat.jsonl", chat.replace("\"lea\"", "\"anna\"").as_bytes());
    // Not Robin, whose file is there already.
    let mut card = make_v2();
    card["data"]["name"] = "Pip".into();
    let card = make_png(&[(b"tEXt", make_text("chara", &card.to_string()))]);
    write("card.png", &card);
    write("island.json", make_world().to_string().as_bytes());
    write("openai.key", b"a-key");
    write("robin.toml", b"name = \"Robin\"\n");
    fs::create_dir(folder.join("tests")).unwrap();
    symlink(chats, folder.join("tests/chats")).unwrap();
    lay_out_release(folder);
    let blocks = page.split("```toml\n").skip(1);
    for block in blocks.filter_map(|block| block.split("```").next()) {
        if block.starts_with("name = ") {
            write("robin.toml", block.as_bytes());
            write("xiaomai.toml", block.as_bytes());
        } else if block.starts_with("persona = ") {
            write("kith.toml", block.as_bytes());
        }
    }
}

/// An archive as `scripts/release` makes it, with the program as a link, which is packed in no time.
fn lay_out_release(folder: &Path) {
    let name = format!(
        "kith-{}-x86_64-unknown-linux-musl",
        env!("CARGO_PKG_VERSION")
    );
    let packed = folder.join(&name);
    fs::create_dir(&packed).unwrap();
    symlink(folder.join(".bin/kith"), packed.join("kith")).unwrap();
    let tar = std::process::Command::new("tar")
        .args(["-czf", &format!("{name}.tar.gz"), &name])
        .current_dir(folder)
        .status();
    assert!(tar.unwrap().success());
    fs::remove_dir_all(packed).unwrap();
}

/// The command without its comment, spoken to the room that runs.
fn adapt(command: &str, room: Option<&KithProcess>) -> String {
    let comment = Regex::new(r"(?m)\s{2,}#.*$").unwrap();
    let command = comment.replace_all(command, "").into_owned();
    let Some(room) = room else {
        return command;
    };
    let token = room.dir.path().join("data/room.token");
    command
        .replace("http://127.0.0.1:5484", &room.url)
        .replace("data/room.token", &token.to_string_lossy())
}

/// Whether a program that is no part of every system is missing.
fn lacks_program(command: &str) -> bool {
    let is_missing = command.starts_with("curl ")
        && !["/usr/bin/curl", "/bin/curl"]
            .iter()
            .any(|path| Path::new(path).exists());
    if is_missing {
        kith_testkit::say_skipped(&format!("install curl to run {command}"));
    }
    is_missing
}

#[test]
fn commands_and_flags_that_sentences_name_exist() {
    let folder = tempfile::tempdir().unwrap();
    let span = Regex::new("`kith ([^`]+)`").unwrap();
    let mut help = BTreeMap::new();
    let mut unknown = Vec::new();
    for page in read_pages() {
        for (line, text, is_code) in mark_code(&page.text) {
            for found in span.captures_iter(text).filter(|_| !is_code) {
                if let Some(problem) = find_unknown(&found[1], &folder, &mut help) {
                    unknown.push(format!(
                        "{}:{line}: `kith {}`: {problem}",
                        page.path, &found[1]
                    ));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "\n{}\n", unknown.join("\n"));
}

/// What of a command's words the program's help does not know.
fn find_unknown(
    words: &str,
    folder: &TempDir,
    help: &mut BTreeMap<String, String>,
) -> Option<String> {
    let mut path = String::new();
    let mut text = read_help(&path, folder, help);
    for word in words.split_whitespace() {
        if let Some(flag) = word.strip_prefix("--") {
            let flag = flag.split('=').next().unwrap_or_default();
            if !text.contains(&format!("--{flag}")) {
                return Some(format!("there is no flag --{flag}"));
            }
        } else if let Some((_, commands)) = text.split_once("\nCommands:\n") {
            if !commands
                .lines()
                .any(|line| line.trim_start().split(' ').next() == Some(word))
            {
                return Some(format!("there is no command {word}"));
            }
            path = format!("{path} {word}");
            text = read_help(&path, folder, help);
        }
    }
    None
}

/// The help of a command, given as its words.
fn read_help(path: &str, folder: &TempDir, help: &mut BTreeMap<String, String>) -> String {
    let read = || {
        let ran = build_kith_command(folder.path())
            .args(path.split_whitespace())
            .arg("--help")
            .output()
            .unwrap();
        String::from_utf8(ran.stdout).unwrap()
    };
    help.entry(path.to_owned()).or_insert_with(read).clone()
}
