//! `kith export`: everything that is kept about a person, as JSON.

use std::process::ExitCode;

use clap::Args;
use kith_language::{Language, cli};

use super::failure::CommandFailure;
use super::person::{PersonArgs, wait_with_progress};
use super::print_line;

/// Arguments of `kith export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    #[command(flatten)]
    person: PersonArgs,
}

/// Prints everything that is kept about the person.
pub fn export(args: &ExportArgs, language: Language) -> ExitCode {
    let exported = args.person.open("/kith export me").and_then(|query| {
        let export = query.store.export_person(query.user, query.channels);
        wait_with_progress(export, &cli::gathering(), language).map_err(CommandFailure::from)
    });
    match exported {
        Ok(export) => {
            print_line(format_args!("{export:#}"));
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(language),
    }
}
