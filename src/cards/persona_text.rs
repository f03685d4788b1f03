//! The text of the files an imported persona becomes: TOML with what differs from the defaults, and what its maker says
//! as a comment at the top.

use kith_core::lore::{LoreEntry, LoreKey, Lorebook, SecondaryKeyLogic};
use kith_core::persona::Persona;
use kith_language::{Language, cards};
use toml::{Table, Value};

use crate::conversion::ImportedPersona;

/// The file of a persona. The files of its picture and its lore stand beside it.
pub fn render_persona(
    imported: &ImportedPersona,
    picture_file: Option<&str>,
    lore_file: Option<&str>,
) -> String {
    let Persona {
        name,
        aliases,
        language,
        identity,
        personality,
        background,
        voice,
        ..
    } = &imported.persona;
    let mut table = Table::new();
    table.insert("name".into(), name.as_str().into());
    insert_list(&mut table, "aliases", aliases);
    insert_text(&mut table, "avatar", picture_file.unwrap_or_default());
    table.insert("language".into(), language.code().into());
    insert_text(&mut table, "identity", identity);
    insert_text(&mut table, "personality", personality);
    insert_text(&mut table, "background", background);
    if let Some(lore_file) = lore_file {
        insert_list(&mut table, "lore", &[lore_file.to_owned()]);
    }
    if !voice.examples.is_empty() {
        let mut voice_table = Table::new();
        insert_list(&mut voice_table, "examples", &voice.examples);
        table.insert("voice".into(), voice_table.into());
    }
    render(imported.comment.iter().map(String::as_str), table)
}

/// The file of a book of lore.
pub fn render_lorebook(book: &Lorebook, language: Language) -> String {
    let default = Lorebook::default();
    let mut table = Table::new();
    insert_text(&mut table, "name", &book.name);
    if book.scan_depth != default.scan_depth {
        table.insert("scan_depth".into(), i64::from(book.scan_depth).into());
    }
    if book.recursive != default.recursive {
        table.insert("recursive".into(), book.recursive.into());
    }
    let entries: Vec<Value> = book.entries.iter().map(write_entry).collect();
    table.insert("entries".into(), entries.into());
    let comment = cards::imported_lore().in_language(language);
    render([comment.as_str()], table)
}

fn write_entry(entry: &LoreEntry) -> Value {
    let default = LoreEntry::default();
    let mut table = Table::new();
    insert_text(&mut table, "name", &entry.name);
    let list = |keys: &[LoreKey]| -> Vec<String> {
        keys.iter().map(|key| key.as_str().to_owned()).collect()
    };
    insert_list(&mut table, "keys", &list(&entry.keys));
    insert_list(&mut table, "secondary_keys", &list(&entry.secondary_keys));
    if entry.secondary_logic != default.secondary_logic {
        let logic = match entry.secondary_logic {
            SecondaryKeyLogic::AnyOf => "any_of",
            SecondaryKeyLogic::AllOf => "all_of",
            SecondaryKeyLogic::NoneOf => "none_of",
            SecondaryKeyLogic::NotAllOf => "not_all_of",
        };
        table.insert("secondary_logic".into(), logic.into());
    }
    insert_text(&mut table, "text", &entry.text);
    if entry.order != default.order {
        table.insert("order".into(), i64::from(entry.order).into());
    }
    if let Some(depth) = entry.scan_depth {
        table.insert("scan_depth".into(), i64::from(depth).into());
    }
    if entry.probability != default.probability {
        table.insert("probability".into(), i64::from(entry.probability).into());
    }
    let flags = [
        ("constant", entry.constant, default.constant),
        ("enabled", entry.enabled, default.enabled),
        (
            "case_sensitive",
            entry.case_sensitive,
            default.case_sensitive,
        ),
        ("whole_words", entry.whole_words, default.whole_words),
        (
            "reached_by_entries",
            entry.reached_by_entries,
            default.reached_by_entries,
        ),
        (
            "leads_to_entries",
            entry.leads_to_entries,
            default.leads_to_entries,
        ),
    ];
    for (name, flag, usual) in flags {
        if flag != usual {
            table.insert(name.into(), flag.into());
        }
    }
    table.into()
}

fn insert_text(table: &mut Table, name: &str, text: &str) {
    if !text.is_empty() {
        table.insert(name.into(), text.into());
    }
}

fn insert_list(table: &mut Table, name: &str, texts: &[String]) {
    if !texts.is_empty() {
        let texts: Vec<Value> = texts.iter().map(|text| text.as_str().into()).collect();
        table.insert(name.into(), texts.into());
    }
}

fn render<'a>(comment: impl IntoIterator<Item = &'a str>, table: Table) -> String {
    let mut out = String::new();
    for line in comment {
        // A comment may hold no control character, and its lines are clean already.
        let line = line.replace(char::is_control, " ");
        out.push_str(format!("# {line}").trim_end());
        out.push('\n');
    }
    out.push('\n');
    // Tables of texts, numbers and flags can always be written.
    out.push_str(&toml::to_string_pretty(&table).unwrap_or_default());
    out
}
