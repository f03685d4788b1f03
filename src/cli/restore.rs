//! `kith restore`: a backup takes the place of the database.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::backup::describe_summary;
use super::{ConfigArgs, print_line, print_problems};
use crate::settings;
use kith_store::{RestoreReport, StoreError};
use kith_system::clock;

/// Arguments of `kith restore`.
#[derive(Args, Debug)]
pub struct RestoreArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Puts the backup in place, and tells what that did.
pub fn restore(args: &RestoreArgs) -> ExitCode {
    let settings = match settings::load(&args.config.options()) {
        Ok(settings) => settings,
        Err(problems) => {
            print_problems(&problems);
            return ExitCode::FAILURE;
        }
    };
    let path = settings.data_dir.join("kith.db");
    match kith_store::restore_backup(&path, &args.file, clock::now()) {
        Ok(report) => {
            let summary = describe_summary(&report.summary);
            print_line(format_args!("{}: {summary}", path.display()));
            describe_report(&report).iter().for_each(print_line);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: nothing was changed: {}", explain(&error));
            ExitCode::FAILURE
        }
    }
}

/// Another data_dir, as the store advises for a start, is no way out here.
fn explain(error: &StoreError) -> String {
    match error {
        StoreError::InUse { path, holder } => {
            format!(
                "the database {} is in use by {holder}; stop it and try again",
                path.display()
            )
        }
        other => other.to_string(),
    }
}

/// One sentence a line.
fn describe_report(report: &RestoreReport) -> Vec<String> {
    let mut lines = Vec::new();
    let Some(kept) = &report.kept else {
        lines.push(
            "there was no database here, so nobody knows what was deleted, forgotten or wished since the backup: ask \
             people to say it again"
                .into(),
        );
        return lines;
    };
    lines.push(format!(
        "since the backup: {} forgotten, {} deleted, {} edited; that holds in it, and so do wishes of people",
        count(report.forgotten, "person", "people"),
        count(report.deleted, "message", "messages"),
        count(report.edited, "message", "messages"),
    ));
    if !report.unread.is_empty() {
        lines.push(format!(
            "of the database that was here not all could be read of: {}. What was deleted, forgotten or wished since the \
             backup may be back: ask people to say it again",
            report.unread.join(", ")
        ));
    }
    if report.lost_wishes > 0 {
        lines.push(format!(
            "{} could not be carried over, for the backup is of another database: ask people to say it again",
            count(report.lost_wishes, "wish", "wishes")
        ));
    }
    lines.push(format!(
        "the database that was here is {}. What is deleted from now on stays in that, and in the backup: delete it when \
         all is well, within days",
        kept.display()
    ));
    lines
}

fn count(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
