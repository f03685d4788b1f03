//! `kith check`: everything that is wrong with settings, personas and prompts, before it goes wrong.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{ConfigArgs, say};
use crate::model::{self, ModelSettings, Provider, Tested};
use crate::settings::{self, Problem, Severity};
use crate::turn::prompt::Prompts;

/// Arguments of `kith check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kith check                      kith.toml and all it names
  kith check bo.toml              and a persona file that is not in use yet
  kith check --config other.toml  another settings file
  kith check --online             and does the model answer? (costs some tokens)

Problems go to standard output as FILE:LINE: error: what is wrong; how to mend it.
Exit codes: 0 no errors (there may be warnings), 1 at least one error.")]
pub struct CheckArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Also ask the model for one word
    #[arg(long)]
    online: bool,
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
    if let Some(settings) = &loaded {
        let broken = Prompts::load(settings.prompts_dir.as_deref()).err().unwrap_or_default();
        problems.extend(broken.into_iter().map(|p| Problem::error(p.message, p.cure).at(p.file, p.line)));
    }
    for file in &args.personas {
        problems.extend(settings::load_persona(file).err().unwrap_or_default());
    }
    if let Some(settings) = loaded.as_ref().filter(|_| args.online) {
        match ask_model(&settings.model) {
            Ok(line) => say(line),
            Err(problem) => problems.push(problem),
        }
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

/// Asks the model for one word, and answers with one line of what came of it.
fn ask_model(settings: &ModelSettings) -> Result<String, Problem> {
    if settings.provider == Provider::None {
        return Ok("no model to ask: `model.provider` is \"none\"".into());
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Problem::error(format!("the system gives no threads: {error}"), ""))?;
    let tested =
        runtime.block_on(model::test_model(settings)).map_err(|failure| Problem::error(failure.message, ""))?;
    let Tested { line, text, first, total, notes, .. } = tested;
    let seconds = (first.as_secs_f32(), total.as_secs_f32());
    let mut said =
        format!("{line}; answers \"{text}\", first token after {:.1} s, all after {:.1} s", seconds.0, seconds.1);
    for note in notes {
        said.push_str("; ");
        said.push_str(&note);
    }
    Ok(said)
}

fn count(errors: usize, warnings: usize) -> String {
    let counted = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    format!("{}, {}", counted(errors, "error"), counted(warnings, "warning"))
}
