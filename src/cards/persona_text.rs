//! The text of the files an imported persona becomes: TOML with what differs from the defaults, and what its maker says
//! as a comment at the top.

use kith_core::lore::{LoreEntry, Lorebook};
use kith_core::persona::Persona;
use kith_language::{Language, cards};
use serde::Serialize;
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

pub fn render_lorebook(book: &Lorebook, language: Language) -> String {
    let mut table = write_changes(book, &Lorebook::default());
    let entries = book.entries.iter();
    let entries = entries.map(|entry| write_changes(entry, &LoreEntry::default()).into());
    table.insert("entries".into(), entries.collect::<Vec<Value>>().into());
    let comment = cards::imported_lore().in_language(language);
    render([comment.as_str()], table)
}

fn write_changes<T: Serialize>(value: &T, default: &T) -> Table {
    // Structs of texts, numbers, flags and lists of them can always be written.
    let write = |value: &T| Table::try_from(value).unwrap_or_default();
    let (mut table, default) = (write(value), write(default));
    table.retain(|key, value| default.get(key) != Some(value));
    table
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
