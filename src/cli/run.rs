//! `kith run`: loads the settings, starts log and runtime, and hands over to the daemon until a signal stops it.

use std::process::ExitCode;

use super::{RunArgs, coloured, complain, log, say};
use crate::{daemon, settings};

/// The exit code of a process that was interrupted.
const INTERRUPTED: i32 = 130;

/// Runs the daemon until it is told to stop.
pub fn run(args: &RunArgs) -> ExitCode {
    let options = args.options();
    let settings = match settings::load(&options) {
        Ok(settings) => settings,
        Err(problems) => {
            complain(&problems);
            return ExitCode::FAILURE;
        }
    };
    complain(&settings.warnings);
    log::start(&settings.log, coloured(&options));
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: the system gives no threads: {error}; stop other programs or raise its limits");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(daemon::run(settings, options, announce, stop_signal())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Tells where the page is, who answers and what may be spent: the first thing a newcomer reads.
fn announce(started: &daemon::Started) {
    say(format_args!("Kith is here: http://{}", started.address));
    say(&started.model);
    say(format_args!("Daily cap: {} tokens (budget.daily_tokens). Stop with Ctrl-C.", started.daily_tokens));
    if let Some(problem) = &started.problem {
        eprintln!("warning: {problem}");
    }
}

/// Ends with the first Ctrl-C or SIGTERM; a second one no longer waits for the graceful stop.
async fn stop_signal() {
    signal().await;
    tokio::spawn(async {
        signal().await;
        std::process::exit(INTERRUPTED);
    });
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        return interrupt().await;
    };
    tokio::select! {
        () = interrupt() => {}
        _ = terminate.recv() => {}
    }
}

#[cfg(not(unix))]
async fn signal() {
    interrupt().await;
}

async fn interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without a handler the system's own way to stop a process is left.
        std::future::pending::<()>().await;
    }
}
