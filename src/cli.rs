//! Arguments and exit codes; each subcommand is one call into the library. 0: well; 1: a problem was found or it
//! failed; 2: the arguments are wrong.

mod approvals;
mod argument_errors;
mod backup;
mod check;
mod export;
mod failure;
mod forget;
mod help;
mod log;
mod memory;
mod memory_view;
mod migrate;
mod parse;
mod person;
mod persona;
mod recall;
mod recover;
mod replay;
mod restore;
mod run;
mod running_room;
mod setup;
mod shell_support;
mod tools;
mod usage;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, FromArgMatches, Parser, Subcommand};
use kith_language::{Language, LocalizedMessage, cli};
use kith_tools::{CALCULATOR_FLAG, run_calculator};

use crate::settings::{self, LoadOptions, Settings};

pub fn main() -> ExitCode {
    keep_files_private();
    disable_process_dumps();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments
        .get(1)
        .is_some_and(|first| first == CALCULATOR_FLAG)
    {
        return run_calculator();
    }
    let language = settings::find_language(&LoadOptions {
        config: find_config_flag(&arguments),
        environment: settings::read_environment(),
        flags: Vec::new(),
    });
    let parsed = help::build_parser(language)
        .try_get_matches_from(&arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let Cli { command, run } = match parsed {
        Ok(cli) => cli,
        Err(error) => return argument_errors::report(&error, language),
    };
    match command.unwrap_or(Command::Run(run)) {
        Command::Run(args) => run::run(&args, language),
        Command::Check(args) => check::check(&args, language),
        Command::Parse(args) => parse::parse(&args),
        Command::Replay(args) => replay::replay(args),
        Command::Setup(args) => setup::setup(args, language),
        Command::Export(args) => export::export(&args, language),
        Command::People(args) => export::people(&args, language),
        Command::Forget(args) => forget::forget(&args, language),
        Command::Tools(args) => tools::run(&args, language),
        Command::Approvals(args) => approvals::run(&args, language),
        Command::Usage(args) => usage::run(&args, language),
        Command::Memory(args) => memory::run(&args, language),
        Command::Persona(args) => persona::run(&args, language),
        Command::Recall(args) => recall::run(args),
        Command::Completions(args) => shell_support::print_completions(&args, language),
        Command::Man(args) => shell_support::write_pages(&args, language),
        Command::Backup(args) => backup::backup(&args, language),
        Command::Restore(args) => restore::restore(&args, language),
        Command::Recover(args) => recover::recover(&args, language),
        Command::Migrate(args) => migrate::migrate(&args, language),
    }
}

/// The settings file in the arguments. It is looked for before they are parsed: it says in which language help is.
fn find_config_flag(arguments: &[OsString]) -> Option<PathBuf> {
    let mut pairs = arguments.windows(2);
    let next = pairs
        .find(|pair| pair[0] == "--config")
        .map(|pair| &pair[1]);
    let joined = || {
        let mut texts = arguments.iter().filter_map(|argument| argument.to_str());
        texts.find_map(|text| text.strip_prefix("--config="))
    };
    next.map(PathBuf::from)
        .or_else(|| joined().map(PathBuf::from))
}

/// Whatever is written from here on, only its owner can open.
fn keep_files_private() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Keeps programs of the same user, tools among them, from reading this process's memory and environment, and a crash
/// from writing them to disk.
fn disable_process_dumps() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        // No kernel refuses it.
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}

fn to_exit_code(code: i32) -> ExitCode {
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

/// The arguments. What each is for stands in `cli_help.ftl`.
#[derive(Debug, Parser)]
#[command(name = "kith", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(RunArgs),
    Setup(setup::SetupArgs),
    Check(check::CheckArgs),
    Parse(parse::ParseArgs),
    Replay(replay::ReplayArgs),
    Tools(tools::ToolsArgs),
    Approvals(approvals::ApprovalsArgs),
    Usage(usage::UsageArgs),
    Export(export::ExportArgs),
    People(export::PeopleArgs),
    Forget(forget::ForgetArgs),
    Memory(memory::MemoryArgs),
    Persona(persona::PersonaArgs),
    Recall(recall::RecallArgs),
    Backup(backup::BackupArgs),
    Restore(restore::RestoreArgs),
    Recover(recover::RecoverArgs),
    Migrate(migrate::MigrateArgs),
    Completions(shell_support::CompletionsArgs),
    Man(shell_support::ManArgs),
}

/// Where the settings come from.
#[derive(Args, Clone, Debug)]
struct ConfigArgs {
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// What can be set for one run.
#[derive(Args, Clone, Debug)]
struct RunArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    #[arg(long, value_name = "FILE")]
    persona: Option<String>,
    #[arg(long, value_name = "FOLDER")]
    data_dir: Option<String>,
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
}

impl ConfigArgs {
    fn options(&self) -> LoadOptions {
        LoadOptions {
            config: self.config.clone(),
            environment: settings::read_environment(),
            flags: Vec::new(),
        }
    }
}

impl RunArgs {
    fn options(&self) -> LoadOptions {
        let flags = [
            ("--listen", "room.listen", &self.listen),
            ("--persona", "persona", &self.persona),
            ("--data-dir", "data_dir", &self.data_dir),
            ("--model", "model.name", &self.model),
        ];
        let given = flags
            .into_iter()
            .filter_map(|(flag, path, value)| Some((flag, path, value.clone()?)));
        LoadOptions {
            flags: given.collect(),
            ..self.config.options()
        }
    }
}

/// Writes a line to standard output; a reader that has gone away, like `head`, is no failure.
fn print_line(line: impl Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn print_lines(lines: impl IntoIterator<Item = LocalizedMessage>, language: Language) {
    for line in lines {
        print_line(line.in_language(language));
    }
}

/// Restarts the process without the secrets in its environment, first of all: programs may read their parent's.
fn restart_without_secrets(options: &LoadOptions, settings: &Settings, language: Language) {
    if let Err(error) =
        settings::restart_without_secrets(&options.environment, &settings.redactor())
    {
        let kept = cli::secrets_kept(error.to_string());
        eprintln!("{}", cli::warning(kept).in_language(language));
    }
}

fn print_error(why: &LocalizedMessage, language: Language) {
    eprintln!("{}", cli::error(why).in_language(language));
}

fn print_problems(problems: &[impl Display]) {
    for problem in problems {
        eprintln!("{problem}");
    }
}

fn can_colour_stderr(options: &LoadOptions) -> bool {
    let refused = options
        .environment
        .get("NO_COLOR")
        .is_some_and(|value| !value.is_empty());
    !refused && std::io::stderr().is_terminal()
}
