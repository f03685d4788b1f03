//! Writes what character cards and lorebooks become: files beside each other, none of which is overwritten.

use std::io::Write;
use std::path::{Path, PathBuf};

use kith_cards::{
    CardError, CharacterCard, convert_card, convert_world, make_file_stem, render_lorebook,
    render_persona,
};
use kith_core::lore::Lorebook;
use kith_language::{LocalizedMessage, cards};
use serde_json::Value;

use super::lorebooks::add_lore_file;
use super::persona::load as load_persona;
use super::problem::SettingProblem;
use super::toml_reader::explain_unreadable;

#[derive(Debug)]
pub enum ImportFailure {
    /// Something is wrong with the card or the arguments.
    Message(LocalizedMessage),
    /// Something is wrong with files of this machine.
    Problems(Vec<SettingProblem>),
}

impl From<CardError> for ImportFailure {
    fn from(error: CardError) -> Self {
        Self::Message(error.0)
    }
}

impl From<SettingProblem> for ImportFailure {
    fn from(problem: SettingProblem) -> Self {
        Self::Problems(vec![problem])
    }
}

#[derive(Debug)]
pub struct ImportResult {
    /// In the order they were written.
    pub files: Vec<PathBuf>,
    /// The file of the persona they belong to.
    pub persona: PathBuf,
    /// What it is called, its name first.
    pub names: Vec<String>,
    /// What was lost, a sentence each.
    pub notes: Vec<LocalizedMessage>,
}

/// Makes a persona of a card, in a folder that is made where it is missing.
pub fn import_character(
    card: &CharacterCard,
    folder: &Path,
) -> Result<ImportResult, ImportFailure> {
    let imported = convert_card(card)?;
    let stem = make_file_stem(&imported.persona.name);
    let picture_name = imported
        .picture
        .as_ref()
        .map(|picture| format!("{stem}.avatar.{}", picture.extension));
    let lore_name = imported.book.as_ref().map(|_| format!("{stem}.lore.toml"));
    let persona = folder.join(format!("{stem}.toml"));
    let text = render_persona(&imported, picture_name.as_deref(), lore_name.as_deref());
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    if let (Some(name), Some(picture)) = (picture_name, imported.picture) {
        files.push((folder.join(name), picture.bytes));
    }
    if let (Some(name), Some(book)) = (lore_name, &imported.book) {
        let text = render_lorebook(book, imported.persona.language);
        files.push((folder.join(name), text.into_bytes()));
    }
    // The persona comes last: it names the others, and a running Kith may watch for it.
    files.push((persona.clone(), text.into_bytes()));
    std::fs::create_dir_all(folder).map_err(|error| explain_unwritable(folder, &error))?;
    let written = write_new_files(files)?;
    let names = check_persona(&persona)?;
    Ok(ImportResult {
        files: written,
        persona,
        names,
        notes: imported.notes,
    })
}

/// Adds a lorebook, read from the file `card`, to a persona.
pub fn import_world(
    world: &Value,
    card: &Path,
    persona: &Path,
) -> Result<ImportResult, ImportFailure> {
    let known = load_persona(persona).map_err(ImportFailure::Problems)?;
    let imported = convert_world(world, &known.name)?;
    let own = persona.file_stem().unwrap_or_default().to_string_lossy();
    let name = find_book_name(&imported.book, card);
    let name = format!("{own}.{name}.lore.toml");
    let text =
        std::fs::read_to_string(persona).map_err(|error| explain_unreadable(persona, &error))?;
    let changed = add_lore_file(persona, &text, &name)?;
    let file = persona.parent().unwrap_or(Path::new("")).join(name);
    let text = render_lorebook(&imported.book, imported.language);
    let mut files = write_new_files(vec![(file, text.into_bytes())])?;
    std::fs::write(persona, changed).map_err(|error| explain_unwritable(persona, &error))?;
    files.push(persona.to_owned());
    let names = check_persona(persona)?;
    Ok(ImportResult {
        files,
        persona: persona.to_owned(),
        names,
        notes: imported.notes,
    })
}

/// What a book is called: by itself, or as its file.
fn find_book_name(book: &Lorebook, card: &Path) -> String {
    let file = card.file_stem().unwrap_or_default().to_string_lossy();
    make_file_stem(if book.name.trim().is_empty() {
        &file
    } else {
        &book.name
    })
}

/// Writes files that are not there yet; where one is, none is written.
fn write_new_files(files: Vec<(PathBuf, Vec<u8>)>) -> Result<Vec<PathBuf>, ImportFailure> {
    if let Some((taken, _)) = files
        .iter()
        .find(|(file, _)| file.symlink_metadata().is_ok())
    {
        return Err(ImportFailure::Message(cards::card_file_exists(display(
            taken,
        ))));
    }
    let mut written = Vec::new();
    for (file, bytes) in files {
        std::fs::File::create_new(&file)
            .and_then(|mut created| created.write_all(&bytes))
            .map_err(|error| explain_unwritable(&file, &error))?;
        written.push(file);
    }
    Ok(written)
}

fn explain_unwritable(file: &Path, error: &std::io::Error) -> SettingProblem {
    SettingProblem::error(
        format!("this cannot be written: {error}"),
        "check the path and the rights of its folder",
    )
    .with_location(file, None)
}

/// Reads what was written as `kith check` does; answers with the persona's names.
fn check_persona(persona: &Path) -> Result<Vec<String>, ImportFailure> {
    load_persona(persona)
        .map(|persona| persona.names())
        .map_err(ImportFailure::Problems)
}

fn display(path: &Path) -> String {
    path.display().to_string()
}
