//! Holds the rules against sources that break them.

use super::File;
use super::rules::{LONGEST_FILE, LONGEST_FUNCTION, find_broken_rules};

fn check_one(path: &str, text: &str) -> Vec<String> {
    check_all(&[(path, text)])
}

/// What is broken in these files; to each is added how a file opens and code enough for a file.
fn check_all(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<File> = files
        .iter()
        .map(|(path, text)| File::new(*path, format!("//! x\n{text}{ENOUGH_CODE}")))
        .collect();
    find_broken_rules(&files)
}

const ENOUGH_CODE: &str = "\n;\n;\n;\n";

#[test]
fn lets_pass_what_is_allowed() {
    let nothing: [String; 0] = [];
    let text = "// std::fs\n/* std::env */ const A: &str = \"std::fs\";";
    assert_eq!(check_one("src/core/a.rs", text), nothing);
    assert_eq!(check_one("src/core/tests/a.rs", "use std::fs;"), nothing);
    assert_eq!(check_one("src/store/a.rs", "use std::fs;"), nothing);
}

#[test]
fn sees_what_the_core_must_not_know() {
    for text in [
        "use std::{collections::HashMap, fs};",
        "use std::time::{Duration, Instant};",
        "use std::time;",
        "use std::time::*;",
        "fn f() { std::env::var(\"A\"); }",
        "fn f<'a>(c: char) { if c == '\"' { ::std::fs::read(g()); } }",
        "fn f() { chrono::Utc::now(); }",
    ] {
        assert_eq!(check_one("src/core/a.rs", text).len(), 1, "{text}");
    }
    assert!(
        check_one(
            "src/core/a.rs",
            "use std::time::Duration; use chrono::Utc; use serde::Serialize;"
        )
        .is_empty()
    );
}

#[test]
fn sees_sql_outside_the_store() {
    let sql = "const Q: &str = \"\n  SELECT text FROM messages\";";
    assert_eq!(
        check_one("src/memory/lib.rs", sql),
        ["src/memory/lib.rs:2: SQL (`SELECT`) stands in store/ only"]
    );
    assert_eq!(
        check_one(
            "src/commands/a.rs",
            "const Q: &str = r#\"DELETE FROM people\"#;"
        )
        .len(),
        1
    );
    assert!(check_one("src/store/a.rs", sql).is_empty());
    assert!(
        check_one(
            "src/commands/a.rs",
            "const T: &str = \"Select a name from the list.\";"
        )
        .is_empty()
    );
}

#[test]
fn sees_long_files_and_files_without_an_opening() {
    let long = "// a\n".repeat(LONGEST_FILE - 4);
    assert_eq!(
        check_one("tests/a.rs", &long),
        ["tests/a.rs:500: 501 lines are two ideas; the most is 500"]
    );
    let bare = File::new(
        "src/core/a.rs",
        "use serde::Serialize;\nuse serde::{\nDeserialize};",
    );
    assert_eq!(
        find_broken_rules(&[bare]),
        ["src/core/a.rs:1: a file opens with `//!` and what it is for"]
    );
}

#[test]
fn sees_types_of_one_name() {
    let twice = [
        ("src/core/a.rs", "pub struct Line;"),
        ("src/store/b.rs", "pub(super) enum Line {}\nstruct Line2;"),
    ];
    assert_eq!(
        check_all(&twice),
        ["src/store/b.rs:2: the type Line has the name of another (src/core/a.rs:2)"]
    );
    assert_eq!(
        check_all(&[
            ("src/core/a.rs", "struct Line;"),
            ("src/store/b.rs", "struct Line;")
        ]),
        [""; 0]
    );
}

#[test]
fn sees_long_functions() {
    let body = "    work();\n".repeat(LONGEST_FUNCTION - 2);
    let function = |body: &str| {
        format!("trait A {{\n    fn b(c: [u8; 2]);\n}}\nfn run(d: fn(u8)) -> u8 {{\n{body}}}")
    };
    assert_eq!(check_one("tests/a.rs", &function(&body)), [""; 0]);
    assert_eq!(
        check_one("benches/a.rs", &function(&format!("{body}    if e {{}}\n"))),
        ["benches/a.rs:5: the function run has 81 lines; the most is 80"]
    );
}

#[test]
fn sees_files_with_next_to_no_code() {
    let file = |path: &str, code: &str| File::new(path, format!("//! x\n\n// y\n{code}\n"));
    let check = |path, code| find_broken_rules(&[file(path, code)]);
    assert_eq!(
        check("src/room/a.rs", "mod b;\n\npub use b::C;"),
        ["src/room/a.rs:1: 2 lines of code are no file of their own"]
    );
    assert_eq!(check("src/room/a.rs", "mod b;\nmod c;\nmod d;"), [""; 0]);
    assert_eq!(check("src/room/tests/main.rs", "mod b;"), [""; 0]);
}
