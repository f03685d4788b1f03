//! The embedded catalogs, read again: every message can be said in every language, and somebody says it.

use std::fs;
use std::path::{Path, PathBuf};

use super::catalog_files::{
    CatalogFile, REFERENCE, find_differences, read_languages, read_messages,
};

pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_message_of_the_catalogs_is_used_in_the_sources() {
    let languages = read_languages(&project().join("data/messages")).unwrap();
    let mut sources = String::new();
    collect_sources(&project().join("src"), &mut sources);
    let mut unused = Vec::new();
    for CatalogFile { name, messages, .. } in &languages[REFERENCE] {
        for key in messages.keys() {
            let call = format!("{name}::{}", key.replace('-', "_"));
            let is_call = |at: usize| {
                !sources[at + call.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
            };
            if !sources.match_indices(&call).any(|(at, _)| is_call(at)) {
                unused.push(call);
            }
        }
    }
    assert!(unused.is_empty(), "nobody says {unused:#?}");
}

/// All Rust below a folder but tests in files of their own, which must not keep a sentence alive.
fn collect_sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("tests") {
            collect_sources(&path, text);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn catalogs_that_do_not_match_are_named_with_file_and_key() {
    let file = |text: &str| {
        [CatalogFile {
            name: "embeds".into(),
            text: text.into(),
            messages: read_messages(text).unwrap(),
        }]
    };
    let english = file(
        "spoke = Spoke in { $place }\nrounds = { $rounds -> [one] a round *[other] { $rounds } rounds }\n",
    );
    let differ = |text: &str| find_differences(&english, "zh", &file(text));
    assert_eq!(
        differ("spoke = 说话了：{ $place }\nrounds = { $rounds } 轮\n"),
        [""; 0]
    );
    assert_eq!(
        differ("spoke = 说话了：{ $ort }\nextra = 多了\n"),
        [
            "zh/embeds.ftl: rounds is missing",
            "zh/embeds.ftl: spoke has the variables [\"ort\"], in en it has [\"place\"]",
            "zh/embeds.ftl: extra is not in en",
        ]
    );
}

#[test]
fn what_cannot_be_a_function_of_its_variables_is_refused() {
    for (text, why) in [
        (
            "a = b\nc = { a }\n",
            "c: a is neither a variable nor a term",
        ),
        (
            "a = { NUMBER($x) }\n",
            "a: NUMBER is neither a variable nor a term",
        ),
        (
            "a = b\n    .title = c\n",
            "a must have a text and no attributes",
        ),
        ("a = b\na = c\n", "a is there twice"),
        ("a = { $x\n", "line 1: "),
    ] {
        let error = read_messages(text).unwrap_err();
        assert!(error.starts_with(why), "{text}: {error}");
    }
}
