//! The embedded catalogs, read again: every message can be said in every language, and somebody says it.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};

use super::catalog_files::{CatalogFile, REFERENCE, VariableUse, read_languages, read_messages};
use super::missing_messages::find_differences;

/// The catalogs of the pages in the browser.
const PAGES: [&str; 2] = ["page", "console"];
/// The catalog of the command line's help, which is held against the arguments beside them.
const HELP: &str = "cli_help";

pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_message_of_the_catalogs_is_used_in_the_sources() {
    let languages = read_languages(&project().join("data/messages")).unwrap();
    let mut sources = String::new();
    collect_sources(&project().join("src"), &mut sources);
    let words = collect_words(&sources);
    let page = read_page();
    let mut unused = Vec::new();
    let files = languages[REFERENCE].iter().filter(|file| file.name != HELP);
    for CatalogFile { name, messages, .. } in files {
        for key in messages.keys() {
            let function = key.replace('-', "_");
            let call = format!("{name}::{function}");
            // A macro may make the calls, for one entry of its own after the other.
            let by_macro = words.contains(&*format!("{name}::$"));
            if PAGES.contains(&name.as_str()) {
                unused.extend(Some(function).filter(|key| !is_on_page(&page, key)));
                continue;
            }
            let is_said = words.contains(call.as_str()) || by_macro && words.contains(&*function);
            if !is_said {
                unused.push(call);
            }
        }
    }
    assert!(unused.is_empty(), "nobody says {unused:#?}");
}

/// The scripts of the room's page and the page itself.
fn read_page() -> String {
    let files = fs::read_dir(project().join("src/room/page")).unwrap();
    files
        .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
        .collect()
}

/// Whether the page says a message: by its key, or by a key that is put together behind this beginning.
fn is_on_page(page: &str, key: &str) -> bool {
    let is_named = page.contains(&format!("\"{key}\"")) || page.contains(&format!(".{key};"));
    let ends = key.match_indices('_').map(|(at, _)| &key[..=at]);
    is_named
        || ends
            .into_iter()
            .any(|begin| page.contains(&format!("`{begin}${{")))
}

#[test]
fn every_message_a_page_asks_for_is_in_its_catalog() {
    let languages = read_languages(&project().join("data/messages")).unwrap();
    let catalogs = languages[REFERENCE].iter();
    let catalogs = catalogs.filter(|file| PAGES.contains(&file.name.as_str()));
    let messages: HashSet<&String> = catalogs.flat_map(|file| file.messages.keys()).collect();
    let page = read_page();
    let asked = page.split(" t(\"").chain(page.split("(t(\"")).skip(1);
    let asked = asked.chain(page.split("data-t=\"").skip(1));
    let mut missing: Vec<String> = asked
        .filter_map(|rest| Some(rest.split_once('"')?.0.replace('_', "-")))
        .filter(|key| key.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter(|key| !messages.contains(key))
        .collect();
    missing.dedup();
    assert!(missing.is_empty(), "the catalog has no {missing:#?}");
}

/// The words of sources, and what is called by its module alone: `embeds::spoke`.
fn collect_words(sources: &str) -> HashSet<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$');
    let paths = sources.split(|c| !is_part(c));
    paths
        .map(|path| {
            let mut ends = path.rmatch_indices("::").map(|(at, mark)| at + mark.len());
            &path[ends.nth(1).unwrap_or(0)..]
        })
        .map(|path| path.find("::$").map_or(path, |at| &path[..at + 3]))
        .collect()
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
fn every_message_can_be_said_in_every_language() {
    let languages = read_languages(&project().join("data/messages")).unwrap();
    for (language, files) in &languages {
        for file in files {
            let resource = FluentResource::try_new(file.text.clone()).unwrap();
            let mut bundle = FluentBundle::new(vec![language.parse().unwrap()]);
            bundle.add_resource(&resource).unwrap();
            for (key, variables) in &file.messages {
                let arguments: FluentArgs<'_> = variables
                    .iter()
                    .map(|(name, how)| match how {
                        VariableUse::Count => (name.as_str(), FluentValue::from(2)),
                        VariableUse::Text => (name.as_str(), FluentValue::from("text")),
                    })
                    .collect();
                let pattern = bundle.get_message(key).unwrap().value().unwrap();
                let mut errors = Vec::new();
                bundle.format_pattern(pattern, Some(&arguments), &mut errors);
                assert!(
                    errors.is_empty(),
                    "{language}/{}: {key}: {errors:?}",
                    file.name
                );
            }
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
        "spoke = Spoke in { $place }\nrounds = { $rounds ->\n    [one] a round\n   *[other] { $rounds } rounds\n    }\n",
    );
    let differ = |text: &str| find_differences(&english, "zh", &file(text));
    assert_eq!(
        differ("spoke = 说话了：{ $place }\nrounds = { $rounds } 轮\n"),
        [""; 0]
    );
    assert_eq!(
        differ("# Leaves out: $place\nspoke = 说话了\nrounds = { $rounds } 轮\n"),
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
            "a = b\n    .zh-TW = { $c }\n",
            "a must have no variables in its attributes",
        ),
        ("a = b\na = c\n", "a is there twice"),
        ("a = { $x\n", "line 2: "),
    ] {
        let error = read_messages(text).unwrap_err();
        assert!(error.starts_with(why), "{text}: {error}");
    }
}
