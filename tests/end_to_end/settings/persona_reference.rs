//! docs/PERSONA.md lists every key of a persona and of its lore as the code has them: name, type, default, meaning.

use crate::settings::put;
use kith_core::lore::{LoreEntry, Lorebook};
use kith_core::persona::{MemoryBlock, Persona};
use serde_json::Value;

const PERSONA: &str = include_str!("../../../src/core/persona.rs");
const LORE: &str = include_str!("../../../src/core/lore/mod.rs");
const PAGE: &str = include_str!("../../../docs/PERSONA.md");

/// The structs a persona is made of: where they are, their name, what stands before their keys, and their defaults.
fn list_structs() -> [(&'static str, &'static str, &'static str, Value); 7] {
    let defaults = |value: Result<Value, serde_json::Error>| value.unwrap();
    [
        (
            PERSONA,
            "Persona",
            "",
            defaults(serde_json::to_value(Persona::default())),
        ),
        (
            PERSONA,
            "PersonaVoice",
            "voice.",
            defaults(serde_json::to_value(Persona::default().voice)),
        ),
        (PERSONA, "PersonaSchedule", "schedule.", Value::Null),
        (PERSONA, "DailyRoutine", "schedule.day[].", Value::Null),
        (
            PERSONA,
            "MemoryBlock",
            "core_memory.LABEL.",
            defaults(serde_json::to_value(MemoryBlock::default())),
        ),
        (
            LORE,
            "Lorebook",
            "",
            defaults(serde_json::to_value(Lorebook::default())),
        ),
        (
            LORE,
            "LoreEntry",
            "entries[].",
            defaults(serde_json::to_value(LoreEntry::default())),
        ),
    ]
}

/// A type as people write it in a file; none for tables, whose keys follow by themselves.
fn describe_type(written: &str) -> Option<&'static str> {
    Some(match written {
        "String" => "text",
        "Vec<String>" => "list of texts",
        "Vec<LoreKey>" => "list of keys",
        "Option<Vec<String>>" => "list of names",
        "Option<PathBuf>" => "path",
        "Vec<PathBuf>" => "list of paths",
        "Language" => "`\"en\"` or `\"zh\"`",
        "Option<Talkativeness>" => "0 to 1, or a rate",
        "Tz" => "time zone",
        "bool" => "true or false",
        "usize" | "u32" | "u8" | "i32" | "Option<u32>" => "number",
        "SecondaryKeyLogic" => "`\"any_of\"`, `\"all_of\"`, `\"none_of\"`, `\"not_all_of\"`",
        "PersonaVoice"
        | "Option<PersonaSchedule>"
        | "Vec<DailyRoutine>"
        | "BTreeMap<String, MemoryBlock>"
        | "Vec<LoreEntry>" => return None,
        unknown => panic!("docs/PERSONA.md has no word for the type {unknown}"),
    })
}

fn render_rows(source: &str, name: &str, before: &str, defaults: &Value) -> Vec<String> {
    let start = source.find(&format!("pub struct {name} {{")).unwrap();
    let body = &source[start..start + source[start..].find("\n}").unwrap()];
    let (mut rows, mut meaning, mut is_optional, mut is_skipped) =
        (Vec::new(), Vec::new(), false, false);
    for line in body.lines().skip(1).map(str::trim) {
        if let Some(told) = line.strip_prefix("/// ") {
            meaning.push(told);
        } else if line.starts_with("#[serde(skip") {
            is_skipped = true;
        } else if line.starts_with("#[serde(default") {
            is_optional = true;
        } else if let Some((key, kind)) = line
            .strip_prefix("pub ")
            .and_then(|field| field.split_once(": "))
        {
            let kind = kind.trim_end_matches(',');
            if let Some(kind) = (!is_skipped).then(|| describe_type(kind)).flatten() {
                let default = match defaults.get(key) {
                    // Of a struct whose every field has a default, no field says so itself.
                    Some(_) if name == "Persona" && !is_optional => "required".to_owned(),
                    Some(Value::Null) => "none".to_owned(),
                    Some(Value::Array(_)) => "`[]`".to_owned(),
                    Some(value) => format!("`{value}`"),
                    None if is_optional && kind == "text" => "`\"\"`".to_owned(),
                    None if is_optional => "`false`".to_owned(),
                    None => "required".to_owned(),
                };
                rows.push(format!(
                    "| `{before}{key}` | {kind} | {default} | {} |",
                    meaning.join(" ")
                ));
            }
            (meaning, is_optional, is_skipped) = (Vec::new(), false, false);
        }
    }
    rows
}

#[test]
fn the_page_lists_every_key_as_the_code_has_it() {
    const HEAD: &str = "| key | what it is | default | meaning |\n|---|---|---|---|\n";
    let rows = |from: &str| {
        let structs = list_structs();
        let of = structs.iter().filter(|(source, ..)| *source == from);
        of.flat_map(|(source, name, before, defaults)| render_rows(source, name, before, defaults))
            .collect::<Vec<_>>()
            .join("\n")
    };
    for source in [PERSONA, LORE] {
        let table = format!("{HEAD}{}\n", rows(source));
        assert!(
            PAGE.contains(&table),
            "docs/PERSONA.md is stale; this is the table:\n{table}"
        );
    }
}

#[test]
fn the_example_on_the_page_is_a_persona_without_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    let blocks: Vec<&str> = PAGE.split("```toml\n").skip(1).collect();
    let example = |number: usize| blocks[number].split("```").next().unwrap();
    put(&folder, "robin.toml", example(0));
    put(&folder, "robin.lore.toml", example(1));
    let (persona, doubts) = kith::settings::inspect_persona(&folder.path().join("robin.toml"));
    assert_eq!(doubts, []);
    assert_eq!(persona.unwrap().lorebooks[0].entries.len(), 2);
}
