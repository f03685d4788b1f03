//! `kith export`: everything that is kept about a person, as JSON.

use std::process::ExitCode;

use clap::Args;

use super::person::{PersonArgs, PersonQuery, wait_with_progress};
use super::{print_line, print_problems};

/// Arguments of `kith export`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kith export --person 80351110224678912 > anna.json
  kith export --person 80351110224678912 --guild 197038439483310086

For the host, while kith is not running. Members ask for their own with `/kith export me`.
Exit codes: 0 written, also where nothing is kept; 1 it failed.")]
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
