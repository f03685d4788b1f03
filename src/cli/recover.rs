//! `kith recover`: a new database with what can be read of a damaged one.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use kith_language::{Language, LocalizedMessage, cli};

use super::person::find_database_file;
use super::{ConfigArgs, print_lines};
use kith_store::RecoveryReport;

/// Arguments of `kith recover`.
#[derive(Args, Debug)]
pub struct RecoverArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

pub fn recover(args: &RecoverArgs, language: Language) -> ExitCode {
    let recovered = find_database_file(&args.config).and_then(|path| {
        let found =
            kith_store::recover(&path).map_err(|error| cli::nothing_changed(error.to_message()))?;
        Ok((path, found))
    });
    match recovered {
        Ok((path, found)) => {
            print_lines(describe_recovery(&path, &found), language);
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(language),
    }
}

/// One sentence a line.
fn describe_recovery(path: &Path, found: &RecoveryReport) -> Vec<LocalizedMessage> {
    let rows = found.tables.iter();
    let rows = rows.map(|(table, rows)| cli::table_rows(*rows, table.to_string()));
    let mut lines: Vec<LocalizedMessage> = rows.collect();
    lines.push(if found.incomplete.is_empty() {
        cli::all_recovered()
    } else {
        cli::partly_recovered(found.incomplete.join(", "))
    });
    let lost = found.lost_preferences();
    if !lost.is_empty() {
        lines.push(cli::preferences_lost(lost.join(", ")));
    }
    let kept = found.kept.display().to_string();
    lines.push(cli::recovered(path.display().to_string(), kept));
    lines
}
