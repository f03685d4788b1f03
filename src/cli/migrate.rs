//! `kith migrate`: a database moves from a file to a PostgreSQL server, or back.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use kith_language::{Language, LocalizedMessage, cli};

use super::failure::CommandFailure;
use super::{ConfigArgs, print_lines};
use crate::settings;
use kith_store::{
    DatabasePlace, MalformedAddress, MigrationError, MigrationProgress, MigrationStep,
    MigrationSummary, StoreError,
};
use kith_system::clock::monotonic;

/// Arguments of `kith migrate`.
#[derive(Args, Debug)]
pub struct MigrateArgs {
    #[command(flatten)]
    config: ConfigArgs,
    // Never read by clap, which would repeat an address that is wrong, and with it a password.
    #[arg(long, value_name = "PLACE")]
    from: Option<String>,
    #[arg(long, value_name = "PLACE")]
    to: Option<String>,
}

struct MigrationRoute {
    from: DatabasePlace,
    to: DatabasePlace,
    /// Whether the settings name the database already that is filled.
    is_to_set: bool,
}

pub fn migrate(args: &MigrateArgs, language: Language) -> ExitCode {
    match find_route(args).and_then(|route| run(&route, language)) {
        Ok(lines) => {
            print_lines(lines, language);
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(language),
    }
}

/// What is not named is the database of the settings.
fn find_route(args: &MigrateArgs) -> Result<MigrationRoute, CommandFailure> {
    let of_settings = || -> Result<DatabasePlace, CommandFailure> {
        Ok(settings::load(&args.config.options())?.database_place())
    };
    let (from, to) = match (&args.from, &args.to) {
        (None, None) => return Err(cli::name_a_database().into()),
        (Some(from), Some(to)) => (read_place(from)?, read_place(to)?),
        (Some(from), None) => (read_place(from)?, of_settings()?),
        (None, Some(to)) => (of_settings()?, read_place(to)?),
    };
    Ok(MigrationRoute {
        from,
        to,
        is_to_set: args.to.is_none(),
    })
}

fn read_place(named: &str) -> Result<DatabasePlace, LocalizedMessage> {
    if !named.contains("://") {
        return Ok(DatabasePlace::File(PathBuf::from(named)));
    }
    let address = named
        .parse()
        .map_err(|MalformedAddress| cli::no_address())?;
    Ok(DatabasePlace::Server(Box::new(address)))
}

fn run(
    route: &MigrationRoute,
    language: Language,
) -> Result<Vec<LocalizedMessage>, CommandFailure> {
    let begun = monotonic();
    // Draws on standard error, and only on a terminal.
    let bar = ProgressBar::no_length();
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let moved = kith_store::migrate(&route.from, &route.to, &mut |progress| {
        bar.set_length(progress.all_rows);
        bar.set_position(progress.rows);
        bar.set_message(describe_step(progress).in_language(language));
    });
    bar.finish_and_clear();
    match moved {
        Ok(moved) => Ok(describe(route, &moved, begun.elapsed())),
        Err(error) => Err(cli::not_moved(route.from.to_string(), explain(&error)).into()),
    }
}

fn describe_step(progress: MigrationProgress) -> LocalizedMessage {
    match progress.step {
        MigrationStep::Copying => cli::copying_table(progress.table),
        MigrationStep::Comparing => cli::comparing_table(progress.table),
        MigrationStep::Completing => cli::completing(),
    }
}

/// Another data_dir, as the store advises for a start, is no way out here.
fn explain(error: &MigrationError) -> LocalizedMessage {
    match error {
        MigrationError::Store(StoreError::InUse { path, holder }) => {
            cli::stop_holder(path.display().to_string(), holder)
        }
        other => other.to_message(),
    }
}

/// One sentence a line.
fn describe(
    route: &MigrationRoute,
    moved: &MigrationSummary,
    taken: Duration,
) -> Vec<LocalizedMessage> {
    let (from, to) = (route.from.to_string(), route.to.to_string());
    let mut lines = vec![cli::moved(
        cli::channel_count(moved.channels),
        cli::memory_count(moved.memories),
        cli::message_count(moved.messages),
        cli::person_count(moved.people),
        to.clone(),
        moved.rows.to_string(),
        format!("{:.1}", taken.as_secs_f64()),
    )];
    if moved.is_resumed {
        lines.push(cli::moved_on());
    }
    if !moved.copied_again.is_empty() {
        lines.push(cli::copied_again(moved.copied_again.join(", ")));
    }
    lines.push(match &route.to {
        _ if route.is_to_set => cli::start_on_it(to),
        DatabasePlace::Server(_) => cli::name_server(to),
        DatabasePlace::File(_) => cli::name_folder(to),
    });
    lines.push(cli::keep_old_database(from));
    lines
}
