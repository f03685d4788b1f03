//! `kith backup`: a copy of the database in one file, also while kith is running.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chrono::DateTime;
use clap::Args;
use kith_language::{Language, LocalizedMessage, cli};

use super::person::find_database_file;
use super::{ConfigArgs, print_line};
use kith_store::BackupSummary;

/// Arguments of `kith backup`.
#[derive(Args, Debug)]
pub struct BackupArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub fn backup(args: &BackupArgs, language: Language) -> ExitCode {
    let written = find_database_file(&args.config).and_then(|path| {
        kith_store::backup(&path, &args.file)
            .map_err(|error| cli::no_backup(error.to_message()).into())
    });
    match written {
        Ok(summary) => {
            print_line(describe_summary(&args.file, &summary).in_language(language));
            print_line(cli::backup_keeps().in_language(language));
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(language),
    }
}

/// Size and contents in a line.
pub(super) fn describe_summary(file: &Path, summary: &BackupSummary) -> LocalizedMessage {
    let day = |at| DateTime::from_timestamp_millis(at).map(|time| time.format("%Y-%m-%d"));
    let days = summary
        .time_range
        .and_then(|(first, last)| Some((day(first)?.to_string(), day(last)?.to_string())));
    let megabytes = format!("{:.1}", summary.bytes as f64 / 1e6);
    let channels = cli::channel_count(summary.channels);
    let memories = cli::memory_count(summary.memories);
    let messages = cli::message_count(summary.messages);
    let people = cli::person_count(summary.people);
    let summary = match days {
        None => cli::database_summary(channels, megabytes, memories, messages, people),
        Some((first, last)) => cli::database_summary_of_days(
            channels, first, last, megabytes, memories, messages, people,
        ),
    };
    cli::database_holds(file.display().to_string(), summary)
}
