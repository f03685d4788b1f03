//! Keeps the house in order by reading its text, where Cargo does not: what of the standard library the core may use,
//! where SQL may stand, how long a file is and how it opens, that no two types have one name, and that no two modules need
//! each other. A broken rule is named with file and line. The rules themselves are tested on broken examples below.

mod cycles;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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
const LONGEST: usize = 500;

/// A file of the project, its path from the root, with `/`.
struct File {
    path: String,
    text: String,
}

#[test]
fn the_house_is_in_order() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches"] {
        read(root, &root.join(folder), &mut files);
    }
    assert!(files.len() > 20, "the source is not where it should be");
    let broken = check(&files);
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
    let mut lines: Vec<usize> = files
        .iter()
        .filter(|file| file.path.starts_with("src/"))
        .map(|file| file.text.lines().count())
        .collect();
    lines.sort_unstable();
    assert!(
        lines[lines.len() / 2] < 200,
        "half of the files have {} lines and more",
        lines[lines.len() / 2]
    );
}

fn read(root: &Path, folder: &Path, files: &mut Vec<File>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            read(root, &path, files);
        } else if path.extension().is_some_and(|ending| {
            ["rs", "js", "css", "html"]
                .iter()
                .any(|known| ending == *known)
        }) {
            let text = fs::read_to_string(&path).unwrap();
            let path = path
                .strip_prefix(root)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            files.push(File { path, text });
        }
    }
}

/// Every broken rule, one line each: `file:line: what and why`.
fn check(files: &[File]) -> Vec<String> {
    let mut broken = Vec::new();
    let mut types = BTreeMap::new();
    for file in files {
        let lines = file.text.lines().count();
        if lines > LONGEST {
            broken.push(format!(
                "{}:{LONGEST}: {lines} lines are two ideas; the most is {LONGEST}",
                file.path
            ));
        }
        if !file.path.ends_with(".rs") {
            continue;
        }
        if !file.text.starts_with("//!") {
            broken.push(format!(
                "{}:1: a file opens with `//!` and what it is for",
                file.path
            ));
        }
        if let Some(module) = module(&file.path) {
            check_source(file, &module, &mut broken);
            check_type_names(file, &mut types, &mut broken);
        }
    }
    cycles::check_cycles(files, &mut broken);
    broken
}

/// No two types that others can name have the same name: one that needs its module to be understood says too little.
fn check_type_names(file: &File, types: &mut BTreeMap<String, String>, broken: &mut Vec<String>) {
    let tokens = scan(&file.text).tokens;
    for [before, kind, name] in tokens.array_windows() {
        // `pub struct` or `pub(super) struct`.
        let is_shown = matches!(before.text.as_str(), "pub" | ")");
        if !is_shown || !["struct", "enum", "trait", "type", "union"].contains(&kind.text.as_str())
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
fn module(path: &str) -> Option<Vec<String>> {
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

fn check_source(file: &File, module: &[String], broken: &mut Vec<String>) {
    let scan = scan(&file.text);
    if module[0] == "core" {
        for Used { line, path } in used(&scan.tokens, module) {
            let written = path.join("::");
            if IMPURE.iter().any(|impure| within(&written, impure)) {
                broken.push(format!(
                    "{}:{line}: core is pure and must not know `{written}`",
                    file.path
                ));
            }
        }
    }
    if module[0] != "store" {
        for (line, literal) in scan.literals {
            if let Some(word) = SQL
                .iter()
                .find(|word| literal.trim_start().starts_with(**word))
            {
                broken.push(format!(
                    "{}:{line}: SQL (`{}`) stands in store/ only",
                    file.path,
                    word.trim()
                ));
            }
        }
    }
}

/// Whether a path is the forbidden one, lies in it, or imports all of a module that holds it.
fn within(path: &str, forbidden: &str) -> bool {
    let whole_module = path
        .strip_suffix("::*")
        .or_else(|| path.strip_suffix("::self"))
        .unwrap_or(path);
    let below =
        |inner: &str, outer: &str| inner == outer || inner.starts_with(&format!("{outer}::"));
    below(whole_module, forbidden)
        || (whole_module.contains("::")
            && whole_module != "chrono::Utc"
            && below(forbidden, whole_module))
}

/// A path in the code, `crate`, `self` and `super` resolved.
struct Used {
    line: usize,
    path: Vec<String>,
}

/// All paths of two or more parts, groups of a `use` taken apart.
fn used(tokens: &[Token], module: &[String]) -> Vec<Used> {
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text.as_str());
    let mut found = Vec::new();
    // Inline modules, each with the brace depth it ends at: `super` in them is this file.
    let (mut inline, mut depth): (Vec<(usize, String)>, usize) = (Vec::new(), 0);
    let mut at = 0;
    while at < tokens.len() {
        match text(at) {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                inline.retain(|(ends, _)| *ends < depth + 1);
            }
            "mod" if text(at + 2) == "{" => inline.push((depth + 1, text(at + 1).to_owned())),
            word if is_word(word) => {
                let mut paths = Vec::new();
                at = path(tokens, at, &[], &mut paths);
                let here: Vec<String> = module
                    .iter()
                    .cloned()
                    .chain(inline.iter().map(|(_, name)| name.clone()))
                    .collect();
                found.extend(paths.into_iter().filter_map(|used| resolve(used, &here)));
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Reads the path that starts at a word; answers where it ends.
fn path(tokens: &[Token], mut at: usize, prefix: &[String], found: &mut Vec<Used>) -> usize {
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text.as_str());
    let line = tokens[at].line;
    let mut path = prefix.to_vec();
    path.push(text(at).to_owned());
    at += 1;
    while text(at) == "::" {
        match text(at + 1) {
            "{" => {
                at += 2;
                while !["}", ""].contains(&text(at)) {
                    at = if is_word(text(at)) {
                        self::path(tokens, at, &path, found)
                    } else {
                        at + 1
                    };
                }
                return at + 1;
            }
            "*" => {
                path.push("*".into());
                at += 2;
                break;
            }
            word if is_word(word) => {
                path.push(word.to_owned());
                at += 2;
            }
            _ => break,
        }
    }
    found.push(Used { line, path });
    at
}

fn resolve(used: Used, here: &[String]) -> Option<Used> {
    let Used { line, path } = used;
    if path.len() < 2 {
        return None;
    }
    let ups = path.iter().take_while(|part| *part == "super").count();
    let rest = match path[0].as_str() {
        "crate" | "kith" => path[1..].to_vec(),
        "self" => [here, &path[1..]].concat(),
        "super" => [here.get(..here.len().checked_sub(ups)?)?, &path[ups..]].concat(),
        _ => return Some(Used { line, path }),
    };
    let path = std::iter::once("crate".to_owned()).chain(rest).collect();
    Some(Used { line, path })
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

struct Token {
    line: usize,
    text: String,
}

/// A source text without comments: its tokens, and its string literals apart.
struct Scan {
    tokens: Vec<Token>,
    literals: Vec<(usize, String)>,
}

fn scan(source: &str) -> Scan {
    // In this order: a comment may hold quotes, a string may hold slashes, a lifetime is not half a character.
    let pattern = concat!(
        r#"(?s)(?P<comment>//[^\n]*|/\*.*?\*/)"#,
        r###"|[bc]?r(?:"(?P<raw>.*?)"|#"(?P<raw1>.*?)"#|##"(?P<raw2>.*?)"##)"###,
        r#"|[bc]?"(?P<string>(?:\\.|[^"\\])*)""#,
        r#"|(?P<char>b?'(?:\\(?:u\{[0-9a-fA-F]+\}|x..|.)|[^'\\])')"#,
        r#"|(?P<token>\w+|::|[^\w\s])"#,
    );
    let pattern = regex::Regex::new(pattern).unwrap();
    let mut scan = Scan {
        tokens: Vec::new(),
        literals: Vec::new(),
    };
    let (mut line, mut counted) = (1, 0);
    for found in pattern.captures_iter(source) {
        let start = found.get(0).unwrap().start();
        line += source[counted..start].matches('\n').count();
        counted = start;
        if let Some(token) = found.name("token") {
            scan.tokens.push(Token {
                line,
                text: token.as_str().to_owned(),
            });
        } else if let Some(literal) = ["raw", "raw1", "raw2", "string"]
            .iter()
            .find_map(|name| found.name(name))
        {
            scan.literals.push((line, literal.as_str().to_owned()));
        }
    }
    scan
}

mod the_checker {
    use super::*;

    fn check_one(path: &str, text: &str) -> Vec<String> {
        check_all(&[(path, text)])
    }

    fn check_all(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<File> = files
            .iter()
            .map(|(path, text)| File {
                path: (*path).into(),
                text: format!("//! x\n{text}"),
            })
            .collect();
        check(&files)
    }

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
        let long = "// a\n".repeat(LONGEST);
        assert_eq!(
            check_one("tests/a.rs", &long),
            ["tests/a.rs:500: 501 lines are two ideas; the most is 500"]
        );
        let bare = File {
            path: "src/core/a.rs".into(),
            text: "use serde::Serialize;".into(),
        };
        assert_eq!(
            check(&[bare]),
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
}
