//! Files of lore beside a persona, and everything that can be wrong in one.

use crate::settings::put;
use kith::settings::load_persona;

#[test]
fn a_persona_brings_the_lore_that_stands_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    put(
        &folder,
        "bo.lore.toml",
        "name = \"the island\"\n[[entries]]\nkeys = [\"mill\", '/tower\\b/i']\ntext = \"It burnt down.\"\n",
    );
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
