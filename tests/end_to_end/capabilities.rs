//! docs/CAPABILITIES.md and docs/THREAT_MODEL.md against the tree: every capability has its row and every attacker a table,
//! what a row names is there, and so is the test that shows it.

use std::collections::BTreeMap;
use std::path::Path;

const TABLE: &str = include_str!("../../docs/CAPABILITIES.md");
const THREATS: &str = include_str!("../../docs/THREAT_MODEL.md");

/// The capabilities by letter, and how many of each there are.
const ALL: [(char, usize); 6] = [
    ('A', 12),
    ('S', 14),
    ('T', 7),
    ('C', 14),
    ('L', 11),
    ('O', 7),
];

/// Against whom something is promised: the headings of their sections.
const ATTACKERS: [&str; 9] = [
    "A hostile member",
    "A hostile server owner or moderator",
    "Hostile text",
    "Tool output and MCP servers",
    "The model",
    "Another user of the machine",
    "A hostile or frozen second process",
    "A stolen log, report or backup",
    "A stolen database",
];

fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

/// The cells of each row, by its id.
fn rows() -> BTreeMap<String, Vec<&'static str>> {
    let is_id = |id: &str| id.len() > 1 && id[1..].bytes().all(|b| b.is_ascii_digit());
    TABLE
        .lines()
        .map(cells)
        .filter(|cells| is_id(cells[0]))
        .map(|cells| (cells[0].to_owned(), cells))
        .collect()
}

fn named(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap_or_default()
}

#[test]
fn every_capability_has_a_row_and_no_row_is_without_one() {
    let known: Vec<String> = ALL
        .iter()
        .flat_map(|(letter, count)| (1..=*count).map(move |number| format!("{letter}{number}")))
        .collect();
    let mut rows: Vec<String> = rows().into_keys().collect();
    rows.sort_by_key(|id| known.iter().position(|other| other == id));
    assert_eq!(rows, known);
}

#[test]
fn where_a_capability_lives_there_is_a_file() {
    for (id, cells) in rows() {
        let paths: Vec<&str> = named(cells[2]).filter(|name| name.contains('/')).collect();
        assert!(!paths.is_empty(), "{id} lives nowhere");
        for path in paths {
            assert!(
                Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists(),
                "{id}: there is no {path}"
            );
        }
    }
}

/// What is wrong with the tests that a cell names for a row.
fn find_missing_tests(row: &str, cell: &str) -> Vec<String> {
    let tests: Vec<&str> = named(cell).collect();
    if tests.is_empty() {
        return vec![format!("{row}: shown by nothing")];
    }
    let is_there = |test: &str| {
        test.split_once("::")
            .is_some_and(|(file, name)| read(file).contains(&format!("fn {name}(")))
    };
    tests
        .into_iter()
        .filter(|test| !is_there(test))
        .map(|test| format!("{row}: there is no test {test}"))
        .collect()
}

#[test]
fn the_tests_that_show_a_capability_are_there() {
    let rows = rows();
    let missing: Vec<String> = rows
        .iter()
        .flat_map(|(id, cells)| find_missing_tests(id, cells[3]))
        .collect();
    assert!(missing.is_empty(), "\n{}\n", missing.join("\n"));
}

#[test]
fn the_tests_that_show_a_promise_are_there() {
    let mut missing = Vec::new();
    for attacker in ATTACKERS {
        let section = THREATS
            .split("\n## ")
            .find(|section| section.lines().next() == Some(attacker))
            .unwrap_or_else(|| panic!("there is no section {attacker}"));
        assert!(
            section.contains("\n**Not promised.** "),
            "{attacker}: nothing is said to be not promised"
        );
        let table = section.lines().filter(|line| line.starts_with('|'));
        let promises: Vec<Vec<&str>> = table.skip(2).map(cells).collect();
        assert!(!promises.is_empty(), "{attacker}: nothing is promised");
        for promise in promises {
            let [promise, shown_by] = promise[..] else {
                panic!("{attacker}: a row with other cells: {promise:?}")
            };
            missing.extend(find_missing_tests(promise, shown_by));
        }
    }
    assert!(missing.is_empty(), "\n{}\n", missing.join("\n"));
}
