//! Blocks of commands in pages, and a shell that runs them in a folder of their own: with the real program as `kith`, a
//! scripted model, stand-ins for programs that change the machine, and nothing of this machine's environment.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use kith_testkit::kith_process::binary;
use regex::Regex;

/// How long a command may take; far above what it takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a daemon prints when people can come, in any language.
const READY: &str = "/?token=";

/// A command as a page shows it, and the lines of output that it shows below.
#[derive(Debug, PartialEq)]
pub(super) struct ShownCommand {
    pub line: usize,
    pub command: String,
    pub output: Vec<String>,
}

/// The commands of all blocks marked `console` (with `$` before each, output below) or `sh` (nothing but commands).
pub(super) fn find_commands(text: &str) -> Vec<ShownCommand> {
    let mut found: Vec<ShownCommand> = Vec::new();
    let (mut block, mut is_continued, mut before) = ("", false, 0);
    for (line, text) in (1..).zip(text.lines()) {
        if let Some(language) = text.trim_start().strip_prefix("```") {
            block = if block.is_empty() { language } else { "" };
            (is_continued, before) = (false, found.len());
            continue;
        }
        let starts = match block {
            "console" => text.strip_prefix("$ "),
            "sh" | "bash" => Some(text).filter(|text| !text.is_empty() && !text.starts_with('#')),
            _ => continue,
        };
        let number = found.len();
        match (starts.filter(|_| !is_continued), found.last_mut()) {
            (Some(command), _) => found.push(ShownCommand {
                line,
                command: command.to_owned(),
                output: Vec::new(),
            }),
            (None, Some(shown)) if is_continued => shown.command += &format!("\n{text}"),
            // What a block shows before its first command is nobody's output.
            (None, Some(_)) if number == before => {}
            (None, Some(shown)) if !text.trim().is_empty() => shown.output.push(text.to_owned()),
            (None, _) => {}
        }
        is_continued = text.ends_with('\\');
    }
    found
}

/// A folder in which the commands of one page run.
pub(super) struct Shell<'a> {
    pub folder: &'a Path,
    pub model: &'a str,
}

impl Shell<'_> {
    /// Puts the program, and a stand-in for each of `stand_ins`, where the shell finds them.
    pub fn furnish(&self, stand_ins: &[(&str, &str)]) {
        let programs = self.folder.join(".bin");
        fs::create_dir(&programs).unwrap();
        symlink(binary(), programs.join("kith")).unwrap();
        for (name, _) in stand_ins {
            // `cargo run` runs what Cargo has built for this test.
            let script = "#!/bin/sh\n[ \"$0 $1\" = \"${0%/*}/cargo run\" ] || exit 0\n\
                          while [ $# -gt 0 ] && [ \"$1\" != -- ]; do shift; done\n\
                          [ $# -eq 0 ] || shift\nexec kith \"$@\"\n";
            let file = programs.join(name);
            fs::write(&file, script).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    /// Runs a command until it ends, or until it says that people can come. Answers with its output, or what went wrong.
    pub fn run(&self, command: &str) -> Result<String, String> {
        let path = format!(
            "{}:/usr/local/bin:/usr/bin:/bin",
            self.folder.join(".bin").display()
        );
        let mut child = Command::new("sh")
            .args(["-c", command])
            .current_dir(self.folder)
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.folder)
            .env("KITH__ROOM__LISTEN", "127.0.0.1:0")
            .env("OPENAI_BASE_URL", self.model)
            .env("KITH_MODEL", "scripted")
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            text
        });
        let lines = read_lines(child.stdout.take().unwrap());
        let (output, is_ready) = collect_output(&lines);
        if is_ready != Some(false) {
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-TERM", "--", &group]).status();
        }
        let status = child.wait().unwrap();
        let errors = errors.join().unwrap();
        match is_ready {
            Some(true) => Ok(output),
            Some(false) if status.success() => Ok(output),
            Some(false) => Err(format!("it ended with {status}\n{output}{errors}")),
            None => Err(format!("it did not end\n{output}{errors}")),
        }
    }
}

fn read_lines(stdout: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// The output, and whether it ended in people being able to come. None when it neither ended nor came so far.
fn collect_output(lines: &Receiver<String>) -> (String, Option<bool>) {
    let mut output = String::new();
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                output += &format!("{line}\n");
                if line.contains(READY) {
                    return (output, Some(true));
                }
            }
            Err(RecvTimeoutError::Disconnected) => return (output, Some(false)),
            Err(RecvTimeoutError::Timeout) => return (output, None),
        }
    }
}

/// Whether `line` is what a page shows, where `…` stands for what differs.
pub(super) fn matches_shown(line: &str, shown: &str) -> bool {
    let pattern: Vec<String> = shown
        .trim_end()
        .split('\u{2026}')
        .map(regex::escape)
        .collect();
    let pattern = Regex::new(&format!("^{}$", pattern.join(".*"))).unwrap();
    pattern.is_match(line.trim_end())
}

#[test]
fn commands_are_found_with_their_output_and_over_several_lines() {
    let page = "```console\n$ kith check   # looks\nfine\n\n$ curl a \\\n    b\n```\n```toml\nx = 1\n```\n```sh\nkith usage\n```\n\
                ```console\nno output\n```\n";
    let shown = |line, command: &str, output: &[&str]| ShownCommand {
        line,
        command: command.into(),
        output: output.iter().map(|text| (*text).to_owned()).collect(),
    };
    assert_eq!(
        find_commands(page),
        [
            shown(2, "kith check   # looks", &["fine"]),
            shown(5, "curl a \\\n    b", &[]),
            shown(12, "kith usage", &[]),
        ]
    );
    assert!(matches_shown(
        "at 127.0.0.1:80/x",
        "at 127.0.0.1:\u{2026}/x"
    ));
    assert!(!matches_shown("at 127.0.0.1:80/x", "at 127.0.0.1"));
}
