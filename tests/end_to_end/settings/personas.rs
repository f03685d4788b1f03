//! Persona files: the shipped ones, and everything that can be wrong in one.

use std::path::Path;

use kith::settings::{inspect_persona, parse_persona};
use kith_core::persona::Language;

use crate::settings::{put, shown};

#[test]
fn the_shipped_personas_have_no_problem() {
    for language in Language::ALL {
        let (file, text) = language.persona();
        let persona = parse_persona(Path::new(file), text).unwrap();
        assert_eq!(persona.language, language);
    }
}

#[test]
fn a_personas_picture_is_looked_for_beside_its_file() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "bo.gif", "GIF89a");
    let file = folder.path().join("bo.toml");
    let says =
        |avatar: &str| parse_persona(&file, &format!("name = \"Bo\"\navatar = \"{avatar}\"\n"));
    assert_eq!(
        says("bo.gif").unwrap().avatar,
        Some(folder.path().join("bo.gif"))
    );
    assert_eq!(
        shown(&says("bo.png").unwrap_err(), folder.path()),
        "bo.toml:2: error: `avatar` cannot be bo.png: there is no such file; check the path, or create the file"
    );
}

#[test]
fn an_identity_that_is_too_long_for_every_prompt_is_refused() {
    let text = format!("name = \"Bo\"\nidentity = \"{}\"", "x".repeat(5_000));
    let problems = parse_persona(Path::new("bo.toml"), &text).unwrap_err();
    let expected = "bo.toml:2: error: `identity` has 5000 characters and stands in every prompt; shorten it to 4000 characters or less";
    assert_eq!(shown(&problems, Path::new(".")), expected);
}

#[test]
fn what_is_probably_not_meant_in_a_persona_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bo.toml");
    let text = "name = \"Bo\"\naliases = [\"sunny\", \"bobo\"]\n[schedule]\ntimezone = \"UTC\"\nday = [\n\
                { from = \"22:00\", to = \"07:00\", asleep = true },\n{ from = \"07:00\", to = \"12:00\" },\n\
                { from = \"11:00\", to = \"12:30\" },\n{ from = \"06:30\", to = \"06:40\" },\n]\n";
    std::fs::write(&file, text).unwrap();
    let (persona, doubts) = inspect_persona(&file);
    assert_eq!(persona.unwrap().name, "Bo");
    let cure = "let one end where the other begins";
    assert_eq!(
        shown(&doubts, folder.path()),
        format!(
            "bo.toml:1: warning: `identity` is missing: it does not know who it is; say it in a sentence or two\n\
             bo.toml:2: warning: \"sunny\" is an everyday word; it counts only as an @ or at the start with a comma; \
             choose a rarer one if it should be known anywhere\n\
             bo.toml:8: warning: the part of the day from 11:00 to 12:30 overlaps that from 07:00 to 12:00, which counts where both do; {cure}\n\
             bo.toml:9: warning: the part of the day from 06:30 to 06:40 overlaps that from 22:00 to 07:00, which counts where both do; {cure}"
        )
    );
    for language in Language::ALL {
        let (name, text) = language.persona();
        std::fs::write(&file, text).unwrap();
        assert_eq!(inspect_persona(&file).1, [], "{name}");
    }
}
