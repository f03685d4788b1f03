//! `kith export`: everything that is kept about a person, as JSON.

use std::process::ExitCode;

use clap::Args;

use super::person::{PersonArgs, PersonQuery, wait_with_progress};
use super::{print_line, print_problems};

/// Arguments of `kith export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    #[command(flatten)]
    person: PersonArgs,
}

/// Prints everything that is kept about the person.
pub fn export(args: &ExportArgs) -> ExitCode {
    let PersonQuery {
        store,
        user,
        channels,
    } = match args.person.open("/kith export me") {
        Ok(asked) => asked,
        Err(problems) => {
            print_problems(&problems);
            return ExitCode::FAILURE;
        }
    };
    match wait_with_progress(
        store.export_person(user, channels),
        "gathering what is kept",
    ) {
        Ok(export) => {
            print_line(format_args!("{export:#}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
