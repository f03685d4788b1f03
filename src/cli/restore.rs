//! `kith restore`: a backup takes the place of the database.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use kith_language::{Language, LocalizedMessage, cli};

use super::backup::describe_summary;
use super::failure::CommandFailure;
use super::{ConfigArgs, print_lines};
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

pub fn restore(args: &RestoreArgs, language: Language) -> ExitCode {
    match restore_database(args) {
        Ok((path, report)) => {
            print_lines(describe_report(&path, &report), language);
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(language),
    }
}

fn restore_database(args: &RestoreArgs) -> Result<(PathBuf, RestoreReport), CommandFailure> {
    let settings = settings::load(&args.config.options())?;
    let place = settings.database_place();
    let path = place
        .file()
        .map_err(|error| error.to_message())?
        .to_path_buf();
    let report = kith_store::restore_backup(&path, &args.file, clock::now())
        .map_err(|error| cli::nothing_changed(explain(&error)))?;
    Ok((path, report))
}

/// Another data_dir, as the store advises for a start, is no way out here.
fn explain(error: &StoreError) -> LocalizedMessage {
    match error {
        StoreError::InUse { path, holder } => cli::stop_holder(path.display().to_string(), holder),
        other => other.to_message(),
    }
}

/// One sentence a line.
fn describe_report(path: &Path, report: &RestoreReport) -> Vec<LocalizedMessage> {
    let mut lines = vec![describe_summary(path, &report.summary)];
    let Some(kept) = &report.kept else {
        lines.push(cli::wishes_unknown());
        return lines;
    };
    lines.push(cli::since_backup(
        cli::message_count(report.deleted),
        cli::message_count(report.edited),
        cli::person_count(report.forgotten),
    ));
    if !report.unread.is_empty() {
        lines.push(cli::partly_unreadable(report.unread.join(", ")));
    }
    if report.lost_wishes > 0 {
        lines.push(cli::wishes_lost(report.lost_wishes));
    }
    lines.push(cli::former_database(kept.display().to_string()));
    lines
}
