//! `kith persona`: personas out of what people already have.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use kith_cards::{CARD_BYTES, CardFile, read_card};
use kith_language::{Language, cards};

use super::failure::CommandFailure;
use super::{ConfigArgs, print_line};
use crate::settings::{self, ImportFailure, ImportResult, SettingProblem};

/// Arguments of `kith persona`.
#[derive(Args, Debug)]
pub struct PersonaArgs {
    #[command(subcommand)]
    what: PersonaCommand,
}

#[derive(Debug, Subcommand)]
enum PersonaCommand {
    Import(ImportArgs),
}

#[derive(Args, Debug)]
struct ImportArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(value_name = "CARD")]
    card: PathBuf,
    #[arg(long, value_name = "FOLDER", conflicts_with = "into")]
    out: Option<PathBuf>,
    #[arg(long, value_name = "PERSONA")]
    into: Option<PathBuf>,
}

pub fn run(args: &PersonaArgs, language: Language) -> ExitCode {
    let PersonaCommand::Import(args) = &args.what;
    match import(args) {
        Ok(imported) => {
            for file in &imported.files {
                print_line(cards::card_written(display(file)).in_language(language));
            }
            if !imported.notes.is_empty() {
                print_line(cards::card_not_kept().in_language(language));
            }
            for note in &imported.notes {
                print_line(format_args!("- {}", note.in_language(language)));
            }
            print_line(cards::card_hears(imported.names.join(", ")).in_language(language));
            let persona = display(&imported.persona);
            print_line(cards::card_use_it(persona).in_language(language));
            ExitCode::SUCCESS
        }
        Err(failure) => CommandFailure::from(failure).report(language),
    }
}

fn display(path: &Path) -> String {
    path.display().to_string()
}

fn import(args: &ImportArgs) -> Result<ImportResult, ImportFailure> {
    match (read_card(&read_bounded(&args.card)?)?, &args.into) {
        (CardFile::Character(card), None) => {
            settings::import_character(&card, args.out.as_deref().unwrap_or(Path::new("")))
        }
        (CardFile::World(world), Some(persona)) => {
            settings::import_world(&world, &args.card, persona)
        }
        (CardFile::World(_), None) => {
            Err(ImportFailure::Message(cards::card_world_needs_persona()))
        }
        (CardFile::Character(_), Some(_)) => {
            Err(ImportFailure::Message(cards::card_into_is_for_worlds()))
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
