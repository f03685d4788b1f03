//! The messages that the page on troubleshooting quotes are those of the program, so that searching for one finds it.

use std::fs;
use std::path::Path;

use super::root;

#[test]
fn every_message_of_the_troubleshooting_page_is_one_of_the_program() {
    let page = fs::read_to_string(root().join("docs/TROUBLESHOOTING.md")).unwrap();
    let mut sources = String::new();
    read_sources(&root().join("src"), "rs", &mut sources);
    read_sources(&root().join("data/messages/en"), "ftl", &mut sources);
    let (mut unknown, mut quoted) = (Vec::new(), 0);
    for line in page.lines() {
        let Some((message, _)) = line
            .strip_prefix("| `")
            .and_then(|rest| rest.split_once('`'))
        else {
            continue;
        };
        quoted += 1;
        let pieces = message
            .split('\u{2026}')
            .map(|piece| piece.trim_matches([' ', '(', ')']));
        for piece in pieces.filter(|piece| piece.len() > 2) {
            if !sources.contains(piece) {
                unknown.push(format!("{message}: nothing says \"{piece}\""));
            }
        }
    }
    assert!(quoted > 40, "only {quoted} messages were found");
    assert!(unknown.is_empty(), "\n{}\n", unknown.join("\n"));
}

/// All sources below a folder, with texts that go over lines of code in one piece.
fn read_sources(folder: &Path, ending: &str, sources: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_sources(&path, ending, sources);
        } else if path.extension().is_some_and(|found| found == ending) {
            let text = fs::read_to_string(path).unwrap();
            let mut pieces = text.split("\\\n");
            *sources += pieces.next().unwrap_or_default();
            for piece in pieces {
                *sources += piece.trim_start();
            }
        }
    }
}
