//! `kith backup`: a copy of the database in one file, also while kith is running.

use std::path::PathBuf;
use std::process::ExitCode;

use chrono::DateTime;
use clap::Args;

use super::person::find_database;
use super::{ConfigArgs, print_line, print_problems};
use kith_store::BackupSummary;

/// Arguments of `kith backup`.
#[derive(Args, Debug)]
pub struct BackupArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Writes the backup, and tells what is in it.
pub fn backup(args: &BackupArgs) -> ExitCode {
    let path = match find_database(&args.config) {
        Ok(path) => path,
        Err(problems) => {
            print_problems(&problems);
            return ExitCode::FAILURE;
        }
    };
    match kith_store::backup(&path, &args.file) {
        Ok(summary) => {
            let file = args.file.display();
            print_line(format_args!("{file}: {}", describe_summary(&summary)));
            print_line(
                "It holds what people wrote until you delete it, also what they delete or have forgotten later",
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: there is no backup: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Size and contents in a line.
pub(super) fn describe_summary(summary: &BackupSummary) -> String {
    let count = |count: u64, one: &str, many: &str| {
        format!("{count} {}", if count == 1 { one } else { many })
    };
    let day = |at| DateTime::from_timestamp_millis(at).map(|time| time.format("%Y-%m-%d"));
    let days = summary
        .time_range
        .and_then(|(first, last)| Some(format!(" from {} to {}", day(first)?, day(last)?)));
    format!(
        "{:.1} MB with {} in {} by {}{}, and {}",
        summary.bytes as f64 / 1e6,
        count(summary.messages, "message", "messages"),
        count(summary.channels, "channel", "channels"),
        count(summary.people, "person", "people"),
        days.unwrap_or_default(),
        count(summary.memories, "memory", "memories"),
    )
}
