//! `kith persona`: personas out of what people already have.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use kith_cards::{
    CARD_BYTES, CardError, CardFile, CharacterCard, convert_card, convert_world, make_file_stem,
    read_card, render_lorebook, render_persona,
};
use kith_core::lore::Lorebook;
use kith_language::{Language, LocalizedMessage, cards as messages};
use serde_json::Value;

use super::{ConfigArgs, print_line, print_problems};
use crate::settings::{self, SettingProblem};

/// Arguments of `kith persona`.
#[derive(Args, Debug)]
pub struct PersonaArgs {
    #[command(subcommand)]
    what: PersonaCommand,
}

#[derive(Debug, Subcommand)]
enum PersonaCommand {
    /// Make a persona of a character card, or add a lorebook to one
    #[command(after_help = IMPORT)]
    Import(ImportArgs),
}

const IMPORT: &str = "\
Examples:
  kith persona import robin.png                        robin.toml, robin.lore.toml and robin.avatar.png
  kith persona import robin.charx --out persona        the same in the folder persona
  kith persona import island.json --into robin.toml    a lorebook or world info, for a persona that is there

Character cards V1, V2 and V3 are read as JSON, PNG or CHARX, lorebooks as JSON (V3, SillyTavern). What cannot be kept is
listed. Nothing of a card is run, fetched or filled in, and no file is overwritten.
Exit codes: 0 imported, 1 it failed.";

#[derive(Args, Debug)]
struct ImportArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// The card or lorebook
    #[arg(value_name = "CARD")]
    card: PathBuf,
    /// The folder the files go to [default: the working directory]
    #[arg(long, value_name = "FOLDER", conflicts_with = "into")]
    out: Option<PathBuf>,
    /// The persona file that a lorebook belongs to; it stands beside it
    #[arg(long, value_name = "PERSONA")]
    into: Option<PathBuf>,
}

/// Runs the subcommand.
pub fn run(args: &PersonaArgs) -> ExitCode {
    let PersonaCommand::Import(args) = &args.what;
    let language = find_language(&args.config);
    match import(args) {
        Ok(imported) => {
            for file in &imported.files {
                print_line(messages::card_written(display(file)).in_language(language));
            }
            if !imported.notes.is_empty() {
                print_line(messages::card_not_kept().in_language(language));
            }
            for note in &imported.notes {
                print_line(format_args!("- {}", note.in_language(language)));
            }
            let persona = display(&imported.persona);
            print_line(messages::card_use_it(persona).in_language(language));
            ExitCode::SUCCESS
        }
        Err(ImportFailure::Told(message)) => {
            eprintln!("error: {}", message.in_language(language));
            ExitCode::FAILURE
        }
        Err(ImportFailure::Problems(problems)) => {
            print_problems(&problems);
            ExitCode::FAILURE
        }
    }
}

/// The language the settings say, where they can be read; else the machine's own.
fn find_language(config: &ConfigArgs) -> Language {
    let options = config.options();
    let settings = settings::load(&options).or_else(|_| settings::load_without_file(&options));
    settings
        .ok()
        .and_then(|settings| settings.language)
        .unwrap_or_default()
}

fn display(path: &Path) -> String {
    path.display().to_string()
}

/// Why nothing was imported.
#[derive(Debug)]
enum ImportFailure {
    /// Something is wrong with the card or the arguments.
    Told(LocalizedMessage),
    /// Something is wrong with files of this machine.
    Problems(Vec<SettingProblem>),
}

impl From<CardError> for ImportFailure {
    fn from(error: CardError) -> Self {
        Self::Told(error.0)
    }
}

impl From<SettingProblem> for ImportFailure {
    fn from(problem: SettingProblem) -> Self {
        Self::Problems(vec![problem])
    }
}

/// What an import wrote.
struct ImportResult {
    files: Vec<PathBuf>,
    persona: PathBuf,
    notes: Vec<LocalizedMessage>,
}

fn import(args: &ImportArgs) -> Result<ImportResult, ImportFailure> {
    match (read_card(&read_bounded(&args.card)?)?, &args.into) {
        (CardFile::Character(card), None) => {
            import_character(&card, args.out.as_deref().unwrap_or(Path::new("")))
        }
        (CardFile::World(world), Some(persona)) => import_world(&world, &args.card, persona),
        (CardFile::World(_), None) => {
            Err(ImportFailure::Told(messages::card_world_needs_persona()))
        }
        (CardFile::Character(_), Some(_)) => {
            Err(ImportFailure::Told(messages::card_into_is_for_worlds()))
        }
    }
}

/// Reads a file, and one byte more than a card may have where it is larger.
fn read_bounded(file: &Path) -> Result<Vec<u8>, SettingProblem> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let read = std::fs::File::open(file)
        .and_then(|opened| opened.take(CARD_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| settings::explain_unreadable(file, &error))?;
    Ok(bytes)
}

fn import_character(card: &CharacterCard, folder: &Path) -> Result<ImportResult, ImportFailure> {
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
    check_persona(&persona)?;
    Ok(ImportResult {
        files: written,
        persona,
        notes: imported.notes,
    })
}

fn import_world(world: &Value, card: &Path, persona: &Path) -> Result<ImportResult, ImportFailure> {
    let known = settings::load_persona(persona).map_err(ImportFailure::Problems)?;
    let imported = convert_world(world, &known.name)?;
    let own = persona.file_stem().unwrap_or_default().to_string_lossy();
    let name = find_book_name(&imported.book, card);
    let name = format!("{own}.{name}.lore.toml");
    let text = std::fs::read_to_string(persona)
        .map_err(|error| settings::explain_unreadable(persona, &error))?;
    let changed = settings::add_lore_file(persona, &text, &name)?;
    let file = persona.parent().unwrap_or(Path::new("")).join(name);
    let text = render_lorebook(&imported.book, imported.language);
    let mut files = write_new_files(vec![(file, text.into_bytes())])?;
    std::fs::write(persona, changed).map_err(|error| explain_unwritable(persona, &error))?;
    files.push(persona.to_owned());
    check_persona(persona)?;
    Ok(ImportResult {
        files,
        persona: persona.to_owned(),
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
    use std::io::Write;
    if let Some((taken, _)) = files
        .iter()
        .find(|(file, _)| file.symlink_metadata().is_ok())
    {
        return Err(ImportFailure::Told(messages::card_file_exists(display(
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

/// Reads what was written as `kith check` does.
fn check_persona(persona: &Path) -> Result<(), ImportFailure> {
    settings::load_persona(persona)
        .map(|_| ())
        .map_err(ImportFailure::Problems)
}
