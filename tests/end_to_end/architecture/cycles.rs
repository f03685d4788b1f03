//! No two modules need each other, whether at once or by way of others.

use std::collections::{BTreeMap, BTreeSet};

use super::File;
use super::paths::{WrittenPath, find_paths};
use super::rules::find_module;
use super::scan::Token;

/// The folders of the program's own crate.
const PROGRAM: &[&str] = &["cli", "daemon", "settings"];

/// Each folder of `src` whose modules need each other, with the way from one back to itself.
pub(super) fn check_cycles(files: &[File], broken: &mut Vec<String>) {
    let folders: BTreeSet<String> = files
        .iter()
        .filter_map(|file| find_module(&file.path)?.into_iter().next())
        .collect();
    for folder in folders {
        broken.extend(find_cycle(files, &folder).map(|cycle| {
            format!("src/{folder}: modules need each other: {cycle}; what both need goes below")
        }));
    }
}

/// The modules of a folder that need each other, if any do, in the order of their arrows. That a module names its own
/// children is no arrow: it declares them.
fn find_cycle(files: &[File], folder: &str) -> Option<String> {
    let modules: BTreeMap<String, &File> = files
        .iter()
        .filter_map(|file| Some((find_module(&file.path)?.join("::"), file)))
        .filter(|(name, _)| is_below(name, folder))
        .collect();
    let mut arrows: BTreeMap<String, BTreeSet<String>> = modules
        .iter()
        .map(|(name, file)| (name.clone(), find_arrows(name, file, folder, &modules)))
        .collect();
    // What needs nothing that is left is in no cycle.
    loop {
        let left: BTreeSet<String> = arrows.keys().cloned().collect();
        for needed in arrows.values_mut() {
            needed.retain(|needed| left.contains(needed));
        }
        arrows.retain(|_, needed| !needed.is_empty());
        if arrows.len() == left.len() {
            break;
        }
    }
    let mut way = vec![arrows.keys().next()?.clone()];
    loop {
        let next = arrows[way.last()?].first()?.clone();
        let seen = way.iter().position(|known| *known == next);
        way.push(next);
        if let Some(start) = seen {
            return Some(way[start..].join(" -> "));
        }
    }
}

/// The other modules of a folder that a module names.
fn find_arrows(
    name: &str,
    file: &File,
    folder: &str,
    modules: &BTreeMap<String, &File>,
) -> BTreeSet<String> {
    let here: Vec<String> = name.split("::").map(str::to_owned).collect();
    let is_program = PROGRAM.contains(&folder);
    let mut arrows = BTreeSet::new();
    for WrittenPath { path, .. } in find_paths(without_tests(&file.scan().tokens), &here) {
        if path[0] != "crate" {
            continue;
        }
        let mut path = path[1..].to_vec();
        // In a crate of its own, paths from `crate` begin below the folder.
        if !is_program && path[0] != folder {
            path.insert(0, folder.to_owned());
        }
        let longest = (1..=path.len())
            .rev()
            .map(|length| path[..length].join("::"));
        let needed = longest.into_iter().find(|path| modules.contains_key(path));
        arrows.extend(needed.filter(|needed| !is_below(needed, name)));
    }
    arrows
}

/// What stands before the tests of a file.
fn without_tests(tokens: &[Token]) -> &[Token] {
    let tests = tokens
        .array_windows()
        .position(|[first, second]| first.text == "mod" && second.text == "tests");
    &tokens[..tests.unwrap_or(tokens.len())]
}

/// Whether a module is another or lies in it.
fn is_below(name: &str, other: &str) -> bool {
    name == other || name.starts_with(&format!("{other}::"))
}

#[test]
fn sees_modules_that_need_each_other() {
    let check = |files: &[File]| {
        let mut broken = Vec::new();
        check_cycles(files, &mut broken);
        broken
    };
    assert_eq!(
        check(&[
            File::new("src/daemon/a.rs", "use super::b::c::D;"),
            File::new("src/daemon/b/c.rs", "fn f() { crate::daemon::e::g(); }"),
            File::new("src/daemon/e.rs", "use crate::daemon::{a::H, z};"),
        ]),
        [
            "src/daemon: modules need each other: daemon::a -> daemon::b::c -> daemon::e -> daemon::a; what both need \
             goes below"
        ]
    );
    assert_eq!(
        check(&[
            File::new("src/store/a.rs", "use crate::b::C;"),
            File::new("src/store/b.rs", "use super::a::D;"),
        ])
        .len(),
        1,
        "in a crate of its own paths begin below its folder"
    );
    assert_eq!(
        check(&[
            File::new("src/daemon/mod.rs", "mod a;\npub use self::a::B;"),
            File::new("src/daemon/a.rs", "use super::C;\nuse crate::settings::S;"),
            File::new("src/settings/s.rs", "use crate::daemon::a::B;"),
        ]),
        [""; 0],
        "a parent names its children, and folders are looked at each for itself"
    );
}
