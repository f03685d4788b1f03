//! The rules for what is inside a file: how long it and its functions are, how it opens, what the core may use of the
//! standard library, where SQL may stand, and that no two types have one name.

use std::collections::BTreeMap;

use super::File;
use super::cycles::check_cycles;
use super::paths::{WrittenPath, find_paths, is_within};
use super::scan::{Scan, Token, is_word, text_at};

/// What the core must not know.
const IMPURE: &[&str] = &[
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
    "chrono::Local",
    "chrono::Utc::now",
];

/// What SQL looks like. Upper case only: people's sentences select and delete things, too.
const SQL: &[&str] = &[
    "SELECT ",
    "INSERT INTO ",
    "INSERT OR ",
    "UPDATE ",
    "DELETE FROM ",
    "CREATE TABLE ",
    "DROP TABLE ",
    "PRAGMA ",
];

/// Past this many lines a file is two ideas.
pub(super) const LONGEST_FILE: usize = 500;

/// Past this many lines, from `fn` to the closing brace, a function is two ideas.
pub(super) const LONGEST_FUNCTION: usize = 80;

/// With this many lines of code and fewer, a file is not worth a name of its own.
const SHORTEST_FILE: usize = 2;

/// Every broken rule, one line each: `file:line: what and why`.
pub(super) fn find_broken_rules(files: &[File]) -> Vec<String> {
    let mut broken = Vec::new();
    let mut types = BTreeMap::new();
    for file in files {
        let lines = file.text.lines().count();
        if lines > LONGEST_FILE {
            broken.push(format!(
                "{}:{LONGEST_FILE}: {lines} lines are two ideas; the most is {LONGEST_FILE}",
                file.path
            ));
        }
        if !file.path.ends_with(".rs") {
            continue;
        }
        let scan = file.scan();
        check_opening(file, &mut broken);
        check_shortness(file, &scan.tokens, &mut broken);
        check_functions(file, &scan.tokens, &mut broken);
        if let Some(module) = find_module(&file.path) {
            check_purity(file, &scan.tokens, &module, &mut broken);
            check_sql(file, scan, &module, &mut broken);
            check_type_names(file, &scan.tokens, &mut types, &mut broken);
        }
    }
    check_cycles(files, &mut broken);
    broken
}

fn check_opening(file: &File, broken: &mut Vec<String>) {
    if !file.text.starts_with("//!") {
        broken.push(format!(
            "{}:1: a file opens with `//!` and what it is for",
            file.path
        ));
    }
}

/// A file with next to no code belongs into another one. The root of a crate must be there, however little it holds.
fn check_shortness(file: &File, tokens: &[Token], broken: &mut Vec<String>) {
    let is_root = ["/lib.rs", "/main.rs"]
        .iter()
        .any(|root| file.path.ends_with(root));
    let mut lines: Vec<usize> = tokens.iter().map(|token| token.line).collect();
    lines.dedup();
    if lines.len() <= SHORTEST_FILE && !is_root {
        broken.push(format!(
            "{}:1: {} lines of code are no file of their own",
            file.path,
            lines.len()
        ));
    }
}

fn check_functions(file: &File, tokens: &[Token], broken: &mut Vec<String>) {
    for index in 0..tokens.len() {
        let name = text_at(tokens, index + 1);
        if text_at(tokens, index) != "fn" || !is_word(name) {
            continue;
        }
        let first = tokens[index].line;
        let lines = find_last_line(&tokens[index..]).map_or(0, |last| last + 1 - first);
        if lines > LONGEST_FUNCTION {
            broken.push(format!(
                "{}:{first}: the function {name} has {lines} lines; the most is {LONGEST_FUNCTION}",
                file.path
            ));
        }
    }
}

/// The line of the brace that closes the function which begins here; none where it has no body.
fn find_last_line(tokens: &[Token]) -> Option<usize> {
    let (mut braces, mut brackets) = (0_usize, 0_usize);
    for token in tokens {
        match token.text.as_str() {
            "(" | "[" => brackets += 1,
            ")" | "]" => brackets = brackets.saturating_sub(1),
            "{" => braces += 1,
            "}" if braces <= 1 => return Some(token.line),
            "}" => braces -= 1,
            ";" if braces == 0 && brackets == 0 => return None,
            _ => {}
        }
    }
    None
}

/// No two types that others can name have the same name: one that needs its module to be understood says too little.
fn check_type_names(
    file: &File,
    tokens: &[Token],
    types: &mut BTreeMap<String, String>,
    broken: &mut Vec<String>,
) {
    for [before, kind, name] in tokens.array_windows() {
        // `pub struct` or `pub(super) struct`.
        let is_shown = matches!(before.text.as_str(), "pub" | ")");
        // A macro gives its types names elsewhere.
        if !is_shown
            || !is_word(&name.text)
            || !["struct", "enum", "trait", "type", "union"].contains(&kind.text.as_str())
        {
            continue;
        }
        let place = format!("{}:{}", file.path, name.line);
        if let Some(first) = types.get(&name.text) {
            broken.push(format!(
                "{place}: the type {} has the name of another ({first})",
                name.text
            ));
        }
        types.entry(name.text.clone()).or_insert(place);
    }
}

/// The module a source file is, from the crate's root; none for files that are not part of the library.
pub(super) fn find_module(path: &str) -> Option<Vec<String>> {
    let inside = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    let mut module: Vec<String> = inside.split('/').map(str::to_owned).collect();
    if module.get(1).is_some_and(|folder| folder == "tests") {
        return None;
    }
    if module
        .last()
        .is_some_and(|last| ["mod", "lib"].contains(&last.as_str()))
    {
        module.pop();
    }
    if module.is_empty() {
        module.push("kith".to_owned());
    }
    Some(module)
}

fn check_purity(file: &File, tokens: &[Token], module: &[String], broken: &mut Vec<String>) {
    if module[0] != "core" {
        return;
    }
    for WrittenPath { line, path } in find_paths(tokens, module) {
        let written = path.join("::");
        if IMPURE.iter().any(|impure| is_within(&written, impure)) {
            broken.push(format!(
                "{}:{line}: core is pure and must not know `{written}`",
                file.path
            ));
        }
    }
}

fn check_sql(file: &File, scan: &Scan, module: &[String], broken: &mut Vec<String>) {
    if module[0] == "store" {
        return;
    }
    for (line, literal) in &scan.literals {
        let words = literal.trim_start();
        if let Some(word) = SQL.iter().find(|word| words.starts_with(**word)) {
            broken.push(format!(
                "{}:{line}: SQL (`{}`) stands in store/ only",
                file.path,
                word.trim()
            ));
        }
    }
}
