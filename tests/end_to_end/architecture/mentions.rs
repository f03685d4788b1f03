//! Files that documents and comments name, such as `core/heartbeat.rs`: a name that leads nowhere is a broken sign.

use std::collections::BTreeSet;

use super::File;

/// Names in backticks that end in `.rs` and are no file's, with document and line. `files` are the sources.
pub(super) fn find_missing_files(documents: &[File], files: &[File]) -> Vec<String> {
    let known: BTreeSet<&str> = files
        .iter()
        .flat_map(|file| list_endings(&file.path))
        .collect();
    let mut missing = Vec::new();
    for document in documents {
        let is_source = document.path.ends_with(".rs");
        for (number, line) in (1..).zip(document.text.lines()) {
            if is_source && !line.trim_start().starts_with("//") {
                continue;
            }
            let parts: Vec<&str> = line.split('`').collect();
            for pair in parts[1..].chunks(2).filter(|pair| is_file_name(pair[0])) {
                // A recipe tells of a file that its reader makes.
                if pair.get(1).is_some_and(|after| after.starts_with(" (new)")) {
                    continue;
                }
                let name = pair[0];
                if !known.contains(name) {
                    missing.push(format!("{}:{number}: there is no `{name}`", document.path));
                }
            }
        }
    }
    missing
}

/// A path, and what is left of it without one folder after the other.
fn list_endings(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| Some(path.split_once('/')?.1))
}

fn is_file_name(name: &str) -> bool {
    name.strip_suffix(".rs").is_some_and(|stem| {
        !stem.is_empty()
            && stem
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_/".contains(c))
    })
}

#[test]
fn a_name_that_leads_nowhere_is_found_with_its_line() {
    let files = [
        File::new(
            "src/core/heartbeat.rs",
            "//! Asked by `engine.rs`.\nlet name = \"`gone.rs`\";\n",
        ),
        File::new("src/core/engine.rs", "// See `old/heartbeat.rs`.\n"),
    ];
    let map = [File::new(
        "MAP.md",
        "`core/heartbeat.rs`\nand `src/core/engines.rs` or `x.toml`\n",
    )];
    assert_eq!(
        find_missing_files(&map, &files),
        ["MAP.md:2: there is no `src/core/engines.rs`"]
    );
    assert_eq!(
        find_missing_files(&files, &files),
        ["src/core/engine.rs:1: there is no `old/heartbeat.rs`"]
    );
}
