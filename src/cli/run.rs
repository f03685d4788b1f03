//! `kith run`: loads the settings, starts log and runtime, and hands over to the daemon until a signal stops it.

use std::io::IsTerminal;
use std::process::ExitCode;

use anyhow::Context as _;
use kith_agent::prompt::PromptTemplates;
use kith_language::{Language, LocalizedMessage, cli};
use kith_store::StoreError;
use kith_system::service_manager;

use super::failure::CommandFailure;
use super::{
    RunArgs, can_colour_stderr, log, print_error, print_line, print_lines, print_problems,
    restart_without_secrets,
};
use crate::cluster::{self, ClusterNews};
use crate::daemon::{self, PartitionContext};
use crate::settings;

/// The exit code of a process that was interrupted.
const INTERRUPTED: i32 = 130;

pub fn run(args: &RunArgs, language: Language) -> ExitCode {
    let options = args.options();
    let settings = match settings::load(&options) {
        Ok(settings) => settings,
        Err(problems) => {
            print_problems(&problems);
            return ExitCode::FAILURE;
        }
    };
    restart_without_secrets(&options, &settings, language);
    print_problems(&settings.warnings);
    log::start(&settings.log, can_colour_stderr(&options));
    let prompts = match PromptTemplates::load(settings.prompts_dir.as_deref()) {
        Ok(prompts) => prompts,
        Err(problems) => {
            for problem in &problems {
                print_error(&problem.to_message(), language);
            }
            return ExitCode::FAILURE;
        }
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            return CommandFailure::from(cli::no_threads(error.to_string())).report(language);
        }
    };
    let running = async move {
        // Before anybody is told that it runs: whoever reads that may stop it at once.
        let mut signals =
            Signals::listen().with_context(|| cli::no_signals().in_language(language))?;
        let stop = async move {
            signals.wait_for_signal().await;
            service_manager::notify_stopping();
            tokio::spawn(async move {
                signals.wait_for_signal().await;
                std::process::exit(INTERRUPTED);
            });
        };
        if let Some(address) = cluster::find_shared_server(&settings) {
            let mut is_told = false;
            let on_news = move |news: &ClusterNews| match news {
                ClusterNews::Waiting => print_line(cli::waits_for_others().in_language(language)),
                ClusterNews::Started(info) if !is_told => {
                    is_told = true;
                    print_startup(info, language);
                }
                ClusterNews::Started(_) => {}
            };
            return cluster::run(settings, prompts, options, address, on_news, stop).await;
        }
        anyhow::ensure!(settings.store.partitions == 1, cli::room_is_undivided());
        let started = |info: &daemon::StartupInfo| print_startup(info, language);
        let share = PartitionContext::whole(&settings);
        daemon::run(settings, prompts, options, share, started, stop).await
    };
    // Within the runtime, not beside it: what comes in then passes through the daemon without waking a further thread.
    let ended = runtime.block_on(runtime.spawn(running));
    match ended
        .with_context(|| cli::daemon_died().in_language(language))
        .flatten()
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => CommandFailure::from(explain_end(error)).report(language),
    }
}

fn explain_end(error: anyhow::Error) -> LocalizedMessage {
    if let Some(error) = error.downcast_ref::<StoreError>() {
        return error.to_message();
    }
    let other = |error: anyhow::Error| format!("{error:#}").into();
    error.downcast().unwrap_or_else(other)
}

/// Tells where the page is, who answers and what may be spent: the first thing a newcomer reads.
fn print_startup(started: &daemon::StartupInfo, language: Language) {
    // A terminal is read by who started Kith; what else it is written to, others may read: a journal, a file behind a pipe.
    let others_read_along = !std::io::stdout().is_terminal();
    print_lines(started.place.describe(others_read_along), language);
    print_line(started.model.in_language(language));
    print_line(cli::daily_cap(started.daily_tokens.to_string()).in_language(language));
    if let Some(problem) = &started.problem {
        eprintln!("{}", cli::warning(problem).in_language(language));
    }
}

/// Ctrl-C and SIGTERM: the first asks for a graceful stop, the second no longer waits for it.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn wait_for_signal(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// Ctrl-C: the first asks for a graceful stop, the second no longer waits for it.
#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    async fn wait_for_signal(&mut self) {
        self.0.recv().await;
    }
}
