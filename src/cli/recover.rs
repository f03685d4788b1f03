//! `kith recover`: a new database with what can be read of a damaged one.

use std::process::ExitCode;

use clap::Args;

use super::person::find_database;
use super::{ConfigArgs, print_line, print_problems};

/// Arguments of `kith recover`.
#[derive(Args, Debug)]
pub struct RecoverArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Recovers the database of the settings, and tells what was found.
pub fn recover(args: &RecoverArgs) -> ExitCode {
    let path = match find_database(&args.config) {
        Ok(path) => path,
        Err(problems) => {
            print_problems(&problems);
            return ExitCode::FAILURE;
        }
    };
    let found = match kith_store::recover(&path) {
        Ok(found) => found,
        Err(error) => {
            eprintln!("error: nothing was changed: {error}");
            return ExitCode::FAILURE;
        }
    };
    for (table, rows) in &found.tables {
        print_line(format_args!(
            "{table}: {rows} row{}",
            if *rows == 1 { "" } else { "s" }
        ));
    }
    if found.incomplete.is_empty() {
        print_line("every table could be read to its end");
    } else {
        print_line(format_args!(
            "not all could be read of: {}",
            found.incomplete.join(", ")
        ));
    }
    let lost = found.lost_preferences();
    if !lost.is_empty() {
        let lost = lost.join(", ");
        print_line(format_args!(
            "{lost} say what people want to be forgotten or ignored: ask them to say it again"
        ));
    }
    let (path, kept) = (path.display(), found.kept.display());
    print_line(format_args!(
        "{path} is new; the damaged one is {kept}. What is deleted from now on stays in that: delete it soon"
    ));
    ExitCode::SUCCESS
}
