//! `kith check`: everything that is wrong with settings and personas, before it goes wrong.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{ConfigArgs, say};
use crate::settings::{self, Severity};

/// Arguments of `kith check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kith check                      kith.toml and all it names
  kith check bo.toml              and a persona file that is not in use yet
  kith check --config other.toml  another settings file

Problems go to standard output as FILE:LINE: error: what is wrong; how to mend it.
Exit codes: 0 no errors (there may be warnings), 1 at least one error.")]
pub struct CheckArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Persona files to check besides those the settings name
    #[arg(value_name = "PERSONA")]
    personas: Vec<PathBuf>,
}

/// Checks everything and tells every problem.
pub fn check(args: &CheckArgs) -> ExitCode {
    let options = args.config.options();
    let mut problems = Vec::new();
    let loaded = match settings::load(&options) {
        Ok(settings) => {
            problems.extend(settings.warnings.iter().cloned());
            Some(settings)
        }
        Err(found) => {
            problems.extend(found);
            None
        }
    };
    for file in &args.personas {
        problems.extend(settings::load_persona(file).err().unwrap_or_default());
    }
    for problem in &problems {
        say(problem);
    }
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    match loaded {
        Some(settings) if problems.is_empty() => {
            let file = options.file().map_or("the defaults".to_string(), |file| file.display().to_string());
            say(format_args!("no problems in {file}: {}", settings.summary()));
        }
        _ => say(count(errors, problems.len() - errors)),
    }
    if errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn count(errors: usize, warnings: usize) -> String {
    let counted = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    format!("{}, {}", counted(errors, "error"), counted(warnings, "warning"))
}
