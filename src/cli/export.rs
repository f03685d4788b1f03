//! `kith export`: everything that is kept about a person, as JSON. `kith people`: of whom something is kept.

use std::process::ExitCode;

use clap::Args;
use kith_language::{Language, cli};
use serde_json::Value;

use super::failure::CommandFailure;
use super::person::{PersonArgs, format_people, list_people, open_all, wait_with_progress};
use super::{ConfigArgs, print_line};

/// Arguments of `kith export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    #[command(flatten)]
    person: PersonArgs,
}

pub fn export(args: &ExportArgs, language: Language) -> ExitCode {
    let exported = args.person.open("/kith export me").and_then(|query| {
        let parts = query.parts.into_iter().map(|part| {
            let export = part.store.export_person(query.user, part.channels);
            wait_with_progress(export, &cli::gathering(), language).map_err(CommandFailure::from)
        });
        parts.collect::<Result<Vec<Value>, _>>()
    });
    match exported {
        Ok(mut exports) => {
            // Where the database is in parts, each has its own.
            let export = match exports.len() {
                1 => exports.remove(0),
                _ => Value::Array(exports),
            };
            print_line(format_args!("{export:#}"));
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(language),
    }
}

/// Arguments of `kith people`.
#[derive(Args, Debug)]
pub struct PeopleArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

pub fn people(args: &PeopleArgs, language: Language) -> ExitCode {
    let stores = open_all(&args.config, "/kith export me");
    match stores.and_then(|stores| Ok(list_people(&stores)?)) {
        Ok(people) => {
            print_line(format_people(&people));
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(language),
    }
}
