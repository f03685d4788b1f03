//! docs/CAPABILITIES.md against the tree: every capability has its row, what it names is there, and so is the test that
//! shows it.

use std::collections::BTreeMap;
use std::path::Path;

const TABLE: &str = include_str!("../../docs/CAPABILITIES.md");

/// The capabilities by letter, and how many of each there are.
const ALL: [(char, usize); 6] = [
    ('A', 11),
    ('S', 11),
    ('T', 6),
    ('C', 12),
    ('L', 9),
    ('O', 4),
];

/// The cells of each row, by its id.
fn rows() -> BTreeMap<String, Vec<&'static str>> {
    let cells = |line: &'static str| -> Vec<&str> {
        line.trim_matches('|').split('|').map(str::trim).collect()
    };
    let is_id = |id: &str| id.len() > 1 && id[1..].bytes().all(|b| b.is_ascii_digit());
    TABLE
        .lines()
        .map(cells)
        .filter(|cells| is_id(cells[0]))
        .map(|cells| (cells[0].to_owned(), cells))
        .collect()
}

/// What stands in backticks.
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

#[test]
fn the_tests_that_show_a_capability_are_there() {
    for (id, cells) in rows() {
        let tests: Vec<&str> = named(cells[3]).collect();
        assert!(!tests.is_empty(), "{id} is shown by nothing");
        for test in tests {
            let (file, name) = test
                .split_once("::")
                .unwrap_or_else(|| panic!("{id}: {test} names no test"));
            assert!(
                read(file).contains(&format!("fn {name}(")),
                "{id}: {file} has no test {name}"
            );
        }
    }
}
