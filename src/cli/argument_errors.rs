//! What is wrong with the arguments, in the language of the settings.

use std::error::Error as _;
use std::process::ExitCode;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use kith_language::{Language, LocalizedMessage, cli};

use super::{print_error, to_exit_code};

/// Tells what is wrong, or the help that was asked for.
pub fn report(error: &Error, language: Language) -> ExitCode {
    match explain(error) {
        None => {
            // Nothing can be told where even this cannot be written.
            let _ = error.print();
        }
        Some(why) => {
            print_error(&why, language);
            for hint in list_hints(error) {
                eprintln!("\n{}", hint.in_language(language));
            }
        }
    }
    to_exit_code(error.exit_code())
}

/// None for help, and for what clap says better.
fn explain(error: &Error) -> Option<LocalizedMessage> {
    let text = |kind| find_text(error, kind);
    let argument = || text(ContextKind::InvalidArg);
    Some(match error.kind() {
        ErrorKind::UnknownArgument => cli::unknown_argument(argument()?),
        ErrorKind::InvalidSubcommand => cli::unknown_command(text(ContextKind::InvalidSubcommand)?),
        ErrorKind::MissingRequiredArgument => cli::argument_missing(argument()?),
        ErrorKind::ArgumentConflict => {
            let given = argument().or_else(|| text(ContextKind::InvalidSubcommand))?;
            match text(ContextKind::PriorArg)? {
                other if other == given => cli::argument_twice(given),
                other => cli::argument_conflict(given, other),
            }
        }
        ErrorKind::InvalidValue => match text(ContextKind::InvalidValue)? {
            value if value.is_empty() => cli::value_missing(argument()?),
            value => cli::invalid_value(argument()?, text(ContextKind::ValidValue)?, value),
        },
        ErrorKind::ValueValidation => {
            let source = error.source()?;
            let why = source.downcast_ref().cloned();
            let why = why.unwrap_or_else(|| LocalizedMessage::from(source.to_string()));
            cli::refused_value(argument()?, text(ContextKind::InvalidValue)?, why)
        }
        _ => return None,
    })
}

/// What to write instead, and where it stands.
fn list_hints(error: &Error) -> Vec<LocalizedMessage> {
    let similar = [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedValue,
    ];
    let similar = similar.into_iter().find_map(|kind| find_text(error, kind));
    let mut hints: Vec<LocalizedMessage> = similar.map(cli::similar).into_iter().collect();
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        // Clap puts its own heading before it.
        let usage = usage.to_string();
        let usage = usage.split_once(' ').map(|(_, usage)| usage.to_owned());
        hints.extend(usage.map(cli::usage_of));
    }
    hints.push(cli::see_help());
    hints
}

fn find_text(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(", ")),
        _ => None,
    }
}
