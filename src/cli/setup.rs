//! `kith setup`: the guided first start. Asks the language here, then each file of `setup/` its own questions (model,
//! persona, Discord), tries what was answered, and writes `kith.toml` with what differs from the defaults; secrets go
//! into files of their own. It never shows a secret and never overwrites settings unasked.

mod discord;
mod draft;
mod model;
mod persona;
mod terminal_input;

use kith_language::{LocalizedMessage, setup};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;

use super::{print_error, print_line, print_problems};
use crate::settings::{self, LoadOptions, Settings};
use draft::SetupDraft;
use kith_core::persona::Language;
use terminal_input::SetupTerminal;

/// Arguments of `kith setup`: each answers the question of its name.
#[derive(Args, Debug)]
pub struct SetupArgs {
    #[arg(long, value_name = "FILE", default_value = "kith.toml")]
    config: PathBuf,
    #[arg(long, value_name = "en|zh", value_parser = parse_language)]
    language: Option<Language>,
    #[arg(long, value_name = "URL")]
    model_url: Option<String>,
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    #[arg(long, value_name = "FILE")]
    model_key_file: Option<PathBuf>,
    #[arg(long, conflicts_with_all = ["model_url", "model", "model_key_file"])]
    no_model: bool,
    #[arg(long, value_name = "FILE")]
    discord_token_file: Option<PathBuf>,
    #[arg(long, conflicts_with_all = ["discord_token_file", "log_channel"])]
    no_discord: bool,
    #[arg(long, value_name = "FILE")]
    persona: Option<PathBuf>,
    #[arg(long, value_name = "ID", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    log_channel: Option<u64>,
    #[arg(long)]
    yes: bool,
}

fn parse_language(code: &str) -> Result<Language, LocalizedMessage> {
    Language::from_code(code)
        .ok_or_else(|| setup::unknown_language(Language::ALL.map(Language::code).join(", ")))
}

/// What the steps share.
struct Setup {
    terminal: SetupTerminal,
    runtime: tokio::runtime::Runtime,
    language: Language,
    draft: SetupDraft,
    /// What still stands in the way of a start, told again at the end.
    obstacles: Vec<String>,
}

pub fn setup(args: SetupArgs, machine: Language) -> ExitCode {
    let language = args.language.unwrap_or(machine);
    match run(args, machine) {
        Ok(code) => code,
        Err(error) => {
            let text = format!("{error:#}");
            // Problems of settings say it themselves, each on its line.
            if text.starts_with("error: ") {
                eprintln!("{text}");
            } else {
                print_error(&text.into(), language);
            }
            ExitCode::FAILURE
        }
    }
}

fn run(args: SetupArgs, machine: Language) -> anyhow::Result<ExitCode> {
    let SetupArgs {
        config,
        language,
        yes,
        ..
    } = &args;
    let mut terminal = if *yes {
        SetupTerminal::with_defaults(machine)
    } else {
        SetupTerminal::from_stdin(machine)
    };
    let bare = SetupDraft::new(config).load_settings(&settings::read_environment())?;
    if !confirm_overwrite(&mut terminal, config, machine)? {
        return Ok(ExitCode::FAILURE);
    }
    let language = match language {
        Some(language) => *language,
        None => ask_language(&mut terminal, machine)?,
    };
    terminal.language = language;
    if terminal.is_interactive() {
        print_line(setup::welcome().in_language(language));
    }
    let draft = SetupDraft {
        language: (Some(language) != bare.language).then_some(language),
        ..SetupDraft::new(config)
    };
    let runtime = super::check::build_runtime();
    let runtime = runtime.map_err(|why| anyhow::anyhow!(why.in_language(language)))?;
    let mut setup = Setup {
        terminal,
        runtime,
        language,
        draft,
        obstacles: Vec::new(),
    };
    setup.ask_model(&args)?;
    setup.ask_persona(args.persona.clone())?;
    setup.ask_discord(&args)?;
    setup.write(config)
}

/// Whether there is no such file yet, or it may be put aside.
fn confirm_overwrite(
    terminal: &mut SetupTerminal,
    config: &Path,
    language: Language,
) -> anyhow::Result<bool> {
    if !config.exists() {
        return Ok(true);
    }
    let file = config.display();
    let question = setup::overwrite(
        draft::find_backup_path(config).display().to_string(),
        file.to_string(),
    )
    .in_language(language);
    let agreed = terminal.ask_yes_no(&question, terminal_input::DefaultAnswer::No)?;
    if !agreed {
        let kept = setup::kept(file.to_string());
        print_error(&kept, language);
    }
    Ok(agreed)
}

fn ask_language(terminal: &mut SetupTerminal, machine: Language) -> anyhow::Result<Language> {
    // Nobody knows yet which language this is asked in.
    let asked = Language::ALL.map(|language| setup::language_prompt().in_language(language));
    let codes = Language::ALL.map(Language::code);
    let question = format!(
        "{}: {} [{}]",
        asked.join(" / "),
        codes.join(", "),
        machine.code()
    );
    loop {
        let answer = terminal.ask_line(&question)?;
        if answer.is_empty() {
            return Ok(machine);
        }
        match parse_language(&answer) {
            Ok(language) => return Ok(language),
            Err(wrong) => print_line(wrong.in_language(machine)),
        }
    }
}

impl Setup {
    /// The settings as answered so far, with what the environment adds.
    fn load_settings(&self) -> anyhow::Result<Settings> {
        self.draft.load_settings(&settings::read_environment())
    }

    fn print_localized(&self, message: LocalizedMessage) {
        print_line(message.in_language(self.language));
    }

    /// Waits for an answer from elsewhere, and shows that it does.
    fn wait<T>(&self, message: &str, answer: impl Future<Output = T>) -> T {
        let spinner = ProgressBar::new_spinner().with_message(message.to_owned());
        spinner.enable_steady_tick(Duration::from_millis(100));
        let answer = self.runtime.block_on(answer);
        spinner.finish_and_clear();
        answer
    }

    /// Writes all down, and has it read as `kith run` will read it.
    fn write(&mut self, config: &Path) -> anyhow::Result<ExitCode> {
        for file in self.draft.write(config, self.language)? {
            self.print_localized(setup::written(file.display().to_string()));
        }
        let options = LoadOptions {
            config: Some(config.to_owned()),
            environment: settings::read_environment(),
            flags: Vec::new(),
        };
        match settings::load(&options) {
            Ok(settings) => {
                print_problems(&settings.warnings);
                self.print_localized(settings.summary());
            }
            Err(problems) => {
                print_problems(&problems);
                return Ok(ExitCode::FAILURE);
            }
        }
        let config_flag = if config == Path::new("kith.toml") {
            String::new()
        } else {
            format!(" --config {}", config.display())
        };
        if self.obstacles.is_empty() {
            self.print_localized(setup::start_it(config_flag));
            return Ok(ExitCode::SUCCESS);
        }
        self.print_localized(setup::before_start(config_flag));
        self.obstacles
            .iter()
            .for_each(|left| print_line(format_args!("  - {left}")));
        Ok(ExitCode::FAILURE)
    }
}
