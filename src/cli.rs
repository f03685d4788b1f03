//! Arguments and exit codes; each subcommand is one call into the library. 0: well; 1: a problem was found or it
//! failed; 2: the arguments are wrong.

mod approvals;
mod backup;
mod check;
mod export;
mod forget;
mod learn;
mod log;
mod memory;
mod memory_view;
mod parse;
mod person;
mod persona;
mod recall;
mod recover;
mod replay;
mod restore;
mod run;
mod running_room;
mod score;
mod setup;
mod shell_support;
mod tools;
mod usage;

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::settings::{self, LoadOptions, Settings};

/// Reads the arguments, runs the subcommand, and answers with its exit code.
pub fn main() -> ExitCode {
    keep_files_private();
    disable_process_dumps();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing can be told where even this cannot be written.
            let _ = error.print();
            return to_exit_code(error.exit_code());
        }
    };
    match cli.command.unwrap_or(Command::Run(cli.run)) {
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::check(&args),
        Command::Parse(args) => parse::parse(&args),
        Command::Replay(args) => replay::replay(args),
        Command::Learn(args) => learn::learn(args),
        Command::Score(args) => score::score(&args),
        Command::Setup(args) => setup::setup(args),
        Command::Export(args) => export::export(&args),
        Command::Forget(args) => forget::forget(&args),
        Command::Tools(args) => tools::run(&args),
        Command::Approvals(args) => approvals::run(&args),
        Command::Usage(args) => usage::run(&args),
        Command::Memory(args) => memory::run(&args),
        Command::Persona(args) => persona::run(&args),
        Command::Recall(args) => recall::run(args),
        Command::Completions(args) => shell_support::print_completions(&args),
        Command::Man(args) => shell_support::write_pages(&args),
        Command::Backup(args) => backup::backup(&args),
        Command::Restore(args) => restore::restore(&args),
        Command::Recover(args) => recover::recover(&args),
    }
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

/// Kith is a companion for group chats: it reads along, decides when a good friend would speak, and then says
/// something in character. Most of the time it is silent, and silence costs nothing.
///
/// Without a command it runs: on Discord where it has a token, else in a chat room on this machine, whose address it
/// prints.
#[derive(Debug, Parser)]
#[command(name = "kith", version, args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: RunArgs,
}

const EXAMPLES: &str = "\
Examples:
  kith                                      open the room, with an Ollama on this machine if there is one
  OPENAI_API_KEY=sk-… KITH_MODEL=gpt-4.1-mini kith
                                            the same with a model of OpenAI
  kith setup                                step by step: a model, a persona, a Discord bot
  kith --persona persona/ayou.toml          be somebody else
  kith check                                what is wrong with my settings?
  kith replay friends.jsonl --as 42         would it have spoken where person 42 did?
  kith tools call get_time '{}'             what does a tool answer?

Settings are read from kith.toml; kith.example.toml explains every one of them.
Exit codes: 0 well, 1 a problem was found or it failed, 2 the arguments are wrong.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the companion (also without any command)
    Run(RunArgs),
    /// Set it up for the first time: asks, tries the model and the Discord token, and writes kith.toml
    Setup(setup::SetupArgs),
    /// Check settings, personas and prompts: every problem on its own line, with file, line and cure
    Check(check::CheckArgs),
    /// Read a model's raw answer from standard input and print the calls in it as JSON
    Parse(parse::ParseArgs),
    /// Replay recorded chats: when would it have spoken, and why?
    Replay(replay::ReplayArgs),
    /// Learn the weights of the willingness from annotated logs, and tell how good they are
    Learn(learn::LearnArgs),
    /// Score a replay's decisions on gold points
    Score(score::ScoreArgs),
    /// List the tools, show one as the model sees it, or call one by hand
    Tools(tools::ToolsArgs),
    /// List what waits for approval in a running room, approve it or deny it
    Approvals(approvals::ApprovalsArgs),
    /// Print what the models took, and what the month will come to
    Usage(usage::UsageArgs),
    /// Print everything that is kept about a person, as JSON
    Export(export::ExportArgs),
    /// Erase a person: what they wrote, and every trace of them
    Forget(forget::ForgetArgs),
    /// What is remembered of people and of what happened: list, search, show, edit, forget, undo
    Memory(memory::MemoryArgs),
    /// Make a persona of a character card, or add a lorebook to one
    Persona(persona::PersonaArgs),
    /// What would it remember of recorded chats? Answers questions with the lines that recall finds
    Recall(recall::RecallArgs),
    /// Copy the database into a file, also while kith is running
    Backup(backup::BackupArgs),
    /// Put a backup in the place of the database; what was forgotten since stays forgotten
    Restore(restore::RestoreArgs),
    /// Copy what can be read of a damaged database into a new one, and keep the damaged one
    Recover(recover::RecoverArgs),
    /// Print what a shell needs to complete commands and flags
    Completions(shell_support::CompletionsArgs),
    /// Print the manual page, or write one for each command
    Man(shell_support::ManArgs),
}

/// Where the settings come from.
#[derive(Args, Clone, Debug)]
struct ConfigArgs {
    /// The settings file [default: kith.toml, if it exists]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// What can be set for one run.
#[derive(Args, Clone, Debug)]
struct RunArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Where the room is served: a port, or an address of this machine alone; port 0 takes any free one
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// The persona file
    #[arg(long, value_name = "FILE")]
    persona: Option<String>,
    /// The folder of the database
    #[arg(long, value_name = "FOLDER")]
    data_dir: Option<String>,
    /// The model's name, as its server spells it
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

/// Starts the process anew without the secrets its environment holds, before anything else is started: programs may read
/// the environment of their parent.
fn restart_without_secrets(options: &LoadOptions, settings: &Settings) {
    if let Err(error) =
        settings::restart_without_secrets(&options.environment, &settings.redactor())
    {
        eprintln!(
            "warning: the environment keeps its secrets, where programs may read them: {error}"
        );
    }
}

/// Tells problems on standard error, one a line.
fn print_problems(problems: &[impl Display]) {
    for problem in problems {
        eprintln!("{problem}");
    }
}

/// Whether standard error may be coloured.
fn can_colour_stderr(options: &LoadOptions) -> bool {
    let refused = options
        .environment
        .get("NO_COLOR")
        .is_some_and(|value| !value.is_empty());
    !refused && std::io::stderr().is_terminal()
}
