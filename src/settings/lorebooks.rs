//! Reads the files of lore that a persona names, and checks what a person can get wrong in them.

use std::path::Path;

use kith_core::lore::{
    LONGEST_SCAN, LORE_ENTRIES, LORE_FILE_EXPRESSIONS, LORE_FILE_KEYS, LORE_KEYS,
    LORE_TEXT_CHARACTERS, LoreEntry, Lorebook,
};
use kith_core::persona::Persona;

use super::problem::SettingProblem;
use super::text_checks;
use super::toml_reader::{self, ParsedFile};

/// The largest file, in bytes: above what the other limits let a file of everyday entries reach.
const FILE_BYTES: u64 = 16 << 20;

/// Reads the lore of `persona`, which was read from `file`, and makes its paths whole. Answers with the problems.
pub fn read_lorebooks(
    file: &Path,
    read: &ParsedFile<Persona>,
    persona: &mut Persona,
) -> Vec<SettingProblem> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut problems = Vec::new();
    for (index, path) in persona.lore.iter_mut().enumerate() {
        *path = folder.join(&*path);
        let place = format!("lore.{index}");
        let size = match std::fs::metadata(&*path) {
            Ok(about) => about.len(),
            Err(error) => {
                let found = toml_reader::explain_unreadable(path, &error);
                let message = format!("`lore` names {}: {}", path.display(), found.message);
                problems.push(read.make_problem(file, &place, message, found.cure));
                continue;
            }
        };
        if size > FILE_BYTES {
            let message = format!(
                "`lore` names {}, which has {} MiB",
                path.display(),
                size >> 20
            );
            let cure = format!("split it, {} MiB at most", FILE_BYTES >> 20);
            problems.push(read.make_problem(file, &place, message, cure));
            continue;
        }
        let mut book: ParsedFile<Lorebook> = toml_reader::read_file(path);
        let is_whole = book.problems.is_empty();
        problems.append(&mut book.problems);
        if let Some(lorebook) = book.value.take() {
            // Of a file that could not be read in full, a part that was cut out would be told as missing.
            if is_whole {
                problems.extend(check_lorebook(path, &book, &lorebook));
            }
            persona.lorebooks.push(lorebook);
        }
    }
    problems
}

fn check_lorebook(
    file: &Path,
    read: &ParsedFile<Lorebook>,
    book: &Lorebook,
) -> Vec<SettingProblem> {
    let mut problems = Vec::new();
    let depths = std::iter::once(("scan_depth".to_owned(), Some(book.scan_depth)));
    let entries = book.entries.iter().enumerate();
    let depths = depths.chain(
        entries
            .clone()
            .map(|(index, entry)| (format!("entries.{index}.scan_depth"), entry.scan_depth)),
    );
    for (path, depth) in depths {
        if let Some(depth) = depth.filter(|depth| *depth as usize > LONGEST_SCAN) {
            let message = format!("`{path}` is {depth}");
            let cure = format!("write 0 to {LONGEST_SCAN} messages");
            problems.push(read.make_problem(file, &path, message, cure));
        }
    }
    if book.entries.len() > LORE_ENTRIES {
        let message = format!("there are {} entries", book.entries.len());
        let cure = format!("keep {LORE_ENTRIES} in a file at most");
        problems.push(read.make_problem(file, "entries", message, cure));
    }
    let (keys, expressions) = book.count_keys();
    if keys > LORE_FILE_KEYS || expressions > LORE_FILE_EXPRESSIONS {
        let message = format!("there are {keys} keys, {expressions} of them expressions");
        let cure = format!(
            "keep {LORE_FILE_KEYS} keys in a file at most, {LORE_FILE_EXPRESSIONS} of them expressions"
        );
        problems.push(read.make_problem(file, "entries", message, cure));
    }
    for (index, entry) in entries {
        let path = format!("entries.{index}");
        if let Some((field, message, cure)) = find_unfit(entry) {
            let path = format!("{path}.{field}");
            let found = read.make_problem(file, &path, message, cure);
            problems.push(match found.line {
                Some(_) => found,
                None => {
                    found.with_location(file, read.lines.get(&format!("entries.{index}")).copied())
                }
            });
        }
    }
    problems
}

/// What makes an entry useless or unfit: the field, what is wrong, and how to mend it.
fn find_unfit(entry: &LoreEntry) -> Option<(&'static str, String, String)> {
    let named = if entry.name.trim().is_empty() {
        "an entry".to_owned()
    } else {
        format!("the entry \"{}\"", entry.name.trim())
    };
    if entry.text.trim().is_empty() {
        return Some((
            "text",
            format!("{named} has no text"),
            "write what it is to know".to_owned(),
        ));
    }
    if let Some((unfit, cure)) = text_checks::check_printable(&entry.text) {
        return Some((
            "text",
            format!("the text of {named} {unfit}"),
            cure.to_owned(),
        ));
    }
    if entry.text.chars().count() > LORE_TEXT_CHARACTERS {
        let message = format!("the text of {named} is too long");
        let cure = format!("write {LORE_TEXT_CHARACTERS} characters at most");
        return Some(("text", message, cure));
    }
    if entry.keys.is_empty() && !entry.constant && entry.enabled {
        let message = format!("{named} has no `keys` and never comes into the prompt");
        return Some((
            "keys",
            message,
            "write keys, or `constant = true`".to_owned(),
        ));
    }
    if entry.keys.len() > LORE_KEYS || entry.secondary_keys.len() > LORE_KEYS {
        let message = format!("{named} has too many keys");
        let cure = format!("write {LORE_KEYS} at most, or one /expression/");
        return Some(("keys", message, cure));
    }
    if entry.probability > 100 {
        let message = format!("the `probability` of {named} is {}", entry.probability);
        return Some(("probability", message, "write 0 to 100".to_owned()));
    }
    None
}

/// A persona file's text with one more file of lore; nothing else changes. An error: the file is no TOML.
pub fn add_lore_file(file: &Path, text: &str, name: &str) -> Result<String, SettingProblem> {
    let root = toml::de::DeTable::parse(text)
        .map_err(|error| toml_reader::explain_syntax(file, text, &error))?;
    let quoted = toml::Value::from(name).to_string();
    let (at, added) = match root.get_ref().get("lore") {
        Some(lore) => {
            let files = lore.get_ref().as_array();
            // Behind the last one, for a comment may follow it.
            match files.and_then(|files| files.iter().last()) {
                Some(last) => (last.span().end, format!(", {quoted}")),
                None => (lore.span().start + 1, quoted),
            }
        }
        None => {
            let keys = root.get_ref().keys();
            let name = keys.into_iter().find(|key| key.get_ref() == "name");
            let at = name.map_or(0, |key| key.span().start);
            (at, format!("lore = [{quoted}]\n"))
        }
    };
    let mut changed = text.to_owned();
    changed.insert_str(at, &added);
    Ok(changed)
}
