//! A third language is files and nothing else: this one is Polish, whose plurals have four forms, and no code knows it.

use std::fs;
use std::path::{Path, PathBuf};

use super::catalog_files::{REFERENCE, read_languages};
use super::catalogs::project;
use super::missing_messages::find_differences;
use kith_language::{Catalog, announce, closed_room, durations, embeds, tool_descriptions};

/// What of it is translated; the rest of its catalogs is a copy of the English ones, as a translator begins.
const POLISH: [(&str, &str, &str); 2] = [
    (
        "announce.ftl",
        "kept-for",
        "kept-for =
    { $days ->
        [one] Wiadomości są przechowywane przez { $days } dzień
       *[other] Wiadomości są przechowywane przez { $days } dni
    }
",
    ),
    (
        "embeds.ftl",
        "note-count",
        "note-count =
    { $count ->
        [one] { $count } uwaga
        [few] { $count } uwagi
        [many] { $count } uwag
       *[other] { $count } uwagi
    }
",
    ),
];

/// A folder of catalogs as `data/messages` with one language more.
fn add_polish(root: &Path) -> PathBuf {
    let english = project().join("data/messages").join(REFERENCE);
    for language in [REFERENCE, "pl"] {
        fs::create_dir_all(root.join(language)).unwrap();
        for file in fs::read_dir(&english).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), root.join(language).join(file.file_name())).unwrap();
        }
    }
    for (file, key, message) in POLISH {
        let path = root.join("pl").join(file);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, replace_message(&text, key, message)).unwrap();
    }
    root.join("pl")
}

fn replace_message(text: &str, key: &str, message: &str) -> String {
    let start = text.find(&format!("{key} =")).unwrap();
    let length = text[start..]
        .match_indices('\n')
        .map(|(at, _)| at + 1)
        .find(|at| !text[start + at..].starts_with([' ', '}']))
        .unwrap();
    format!("{}{message}{}", &text[..start], &text[start + length..])
}

fn read_catalog(folder: &Path) -> Catalog {
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        });
    Catalog::new("pl", files)
}

#[test]
fn a_third_language_is_read_and_chooses_its_own_plurals() {
    let root = tempfile::tempdir().unwrap();
    let polish = read_catalog(&add_polish(root.path()));
    let kept = |days: u32| announce::kept_for(days).render(&polish);
    assert_eq!(kept(1), "Wiadomości są przechowywane przez 1 dzień");
    assert_eq!(kept(5), "Wiadomości są przechowywane przez 5 dni");
    assert_eq!(
        [1, 2, 5, 22, 25].map(|count: u32| embeds::note_count(count).render(&polish)),
        ["1 uwaga", "2 uwagi", "5 uwag", "22 uwagi", "25 uwag"]
    );
    // A message in a message is in the same language; what nobody translated yet is English.
    let inner = embeds::note_count(5_u32);
    assert_eq!(embeds::woken(inner).render(&polish), "Woken 5 uwag.");
    assert_eq!(durations::days(3_u32).render(&polish), "3 d");
}

#[test]
fn its_catalogs_pass_the_check_of_the_build_until_one_lacks_a_key() {
    let root = tempfile::tempdir().unwrap();
    let folder = add_polish(root.path());
    let differences = || {
        let languages = read_languages(root.path()).unwrap();
        find_differences(&languages[REFERENCE], "pl", &languages["pl"])
    };
    assert_eq!(differences(), [""; 0]);
    let path = folder.join("embeds.ftl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, replace_message(&text, "note-count", "")).unwrap();
    assert_eq!(differences(), ["pl/embeds.ftl: note-count is missing"]);
}

#[test]
fn it_says_what_tools_are_for_and_the_words_of_the_page() {
    let root = tempfile::tempdir().unwrap();
    let folder = add_polish(root.path());
    for (file, key, message) in [
        (
            "tool_descriptions.ftl",
            "send-message",
            "send-message = Wyślij wiadomość.\n",
        ),
        (
            "closed_room.ftl",
            "title",
            "title = Ten pokój jest zamknięty\n",
        ),
    ] {
        let path = folder.join(file);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, replace_message(&text, key, message)).unwrap();
    }
    let polish = read_catalog(&folder);
    let told = tool_descriptions::send_message().render(&polish);
    assert_eq!(told, "Wyślij wiadomość.");
    let title = closed_room::title().render(&polish);
    assert_eq!(title, "Ten pokój jest zamknięty");
}
