//! Files of lore beside a persona, and everything that can be wrong in one.

use kith::settings::{load_persona, parse_persona};

use crate::settings::shown;

#[test]
fn a_persona_brings_the_lore_that_stands_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("bo.lore.toml"),
        "name = \"the island\"\n[[entries]]\nkeys = [\"mill\", '/tower\\b/i']\ntext = \"It burnt down.\"\n",
    )
    .unwrap();
    let file = folder.path().join("bo.toml");
    std::fs::write(&file, "name = \"Bo\"\nlore = [\"bo.lore.toml\"]\n").unwrap();
    let persona = load_persona(&file).unwrap();
    assert_eq!(persona.lore, [folder.path().join("bo.lore.toml")]);
    assert_eq!(persona.lorebooks[0].name, "the island");
    assert_eq!(
        persona.lorebooks[0].entries[0].keys[1].as_str(),
        "/tower\\b/i"
    );
}

/// What is told of a persona with this file of lore.
fn told(lore: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bo.lore.toml"), lore).unwrap();
    let file = folder.path().join("bo.toml");
    let text = "name = \"Bo\"\nlore = [\"bo.lore.toml\", \"none.toml\"]\n";
    shown(&parse_persona(&file, text).unwrap_err(), folder.path())
}

#[test]
fn every_problem_in_a_file_of_lore_is_told_with_its_line() {
    assert_eq!(
        told(
            "scan_depth = 70\n\
             [[entries]]\nname = \"mill\"\nkeys = [\"mill\"]\n\
             [[entries]]\ntext = \"nobody calls for it\"\n\
             [[entries]]\nkeys = [\"a\"]\ntext = \"x\"\nprobability = 101\n"
        ),
        "bo.lore.toml:1: error: `scan_depth` is 70; write 0 to 50 messages\n\
         bo.lore.toml:2: error: the entry \"mill\" has no text; write what it is to know\n\
         bo.toml:2: error: `lore` names none.toml: there is no such file; check the path, or create the file\n\
         bo.lore.toml:5: error: an entry has no `keys` and never comes into the prompt; write keys, or `constant = true`\n\
         bo.lore.toml:10: error: the `probability` of an entry is 101; write 0 to 100"
    );
}

#[test]
fn a_key_that_cannot_be_searched_for_is_told_with_its_reason() {
    let cure = "write a word, a phrase, or /an expression/ with none but the flags i, m and s";
    assert_eq!(
        told(
            "[[entries]]\nkeys = [\"/(?=a)/\"]\ntext = \"x\"\n\
             [[entries]]\nkeys = [\"/a/x\"]\ntext = \"x\"\n\
             [[entries]]\nkey = [\"a\"]\nconstant = true\ntext = \"x\"\n"
        ),
        format!(
            "bo.lore.toml:2: error: `entries.keys` cannot be searched for: it is no regular expression: \
             look-around, including look-ahead and look-behind, is not supported; {cure}\n\
             bo.toml:2: error: `lore` names none.toml: there is no such file; check the path, or create the file\n\
             bo.lore.toml:5: error: `entries.keys` cannot be searched for: there is no flag `x` for an expression; {cure}\n\
             bo.lore.toml:8: error: there is no setting `entries.key`; did you mean `keys`?"
        )
    );
}
