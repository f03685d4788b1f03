//! `kith check`: everything that is wrong with settings, personas and prompts, before it goes wrong.

pub(super) mod discord;
mod file_exposure;
mod tools;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{ConfigArgs, print_line};
use crate::settings::{self, SettingProblem, Settings, Severity};
use kith_agent::prompt::PromptTemplates;
use kith_core::policy::OutputProtocol;
use kith_model::{BudgetSettings, CallLedger, ModelSettings, ModelTest, Provider, test_model};

/// Arguments of `kith check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(long)]
    online: bool,
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
        problems.extend(file_exposure::check(settings));
        let broken = PromptTemplates::load(settings.prompts_dir.as_deref())
            .err()
            .unwrap_or_default();
        problems.extend(
            broken
                .into_iter()
                .map(|p| SettingProblem::error(p.message, p.cure).with_location(p.file, p.line)),
        );
    }
    let mut fine = Vec::new();
    for file in &args.personas {
        let (persona, found) = settings::inspect_persona(file);
        if let (Some(persona), true) = (persona, found.is_empty()) {
            let (file, name) = (file.display(), &persona.name);
            fine.push(format!("no problems in {file}: this is {name}"));
        }
        problems.extend(found);
    }
    if let Some(settings) = &loaded {
        let named = settings.persona_files.keys();
        let others = named.filter(|file| !args.personas.contains(file));
        problems.extend(others.flat_map(|file| settings::inspect_persona(file).1));
    }
    if let Some(settings) = loaded.as_ref().filter(|_| args.online) {
        match build_runtime() {
            Ok(runtime) => problems.extend(runtime.block_on(check_online(settings))),
            Err(problem) => problems.push(problem),
        }
    }
    problems.sort_by_key(|problem| (problem.file.is_none(), problem.file.clone(), problem.line));
    for problem in &problems {
        print_line(problem);
    }
    fine.iter().for_each(print_line);
    let errors = problems
        .iter()
        .filter(|problem| problem.severity == Severity::Error)
        .count();
    match loaded {
        Some(settings) if problems.is_empty() => {
            let file = options.file().map_or("the defaults".to_string(), |file| {
                file.display().to_string()
            });
            print_line(format_args!(
                "no problems in {file}: {}",
                settings.summary()
            ));
        }
        _ => print_line(format_counts(errors, problems.len() - errors)),
    }
    if errors == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// A runtime for the few questions of a command.
pub(super) fn build_runtime() -> Result<tokio::runtime::Runtime, SettingProblem> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.map_err(|error| {
        SettingProblem::error(
            format!("the system gives no threads: {error}"),
            "stop other programs",
        )
    })
}

/// Asks the model and Discord, tries servers and tools, tells what they say, and answers with what is wrong.
async fn check_online(settings: &Settings) -> Vec<SettingProblem> {
    let mut problems = Vec::new();
    let native = settings.model.protocol == OutputProtocol::Native;
    if settings.model.provider == Provider::None {
        print_line("no model to ask: `model.provider` is \"none\"");
    } else {
        problems.extend(ask_model(&settings.model, native).await);
    }
    for (name, further) in &settings.model_set().further {
        problems.extend(ask_model(further, native && settings.roles.chat.contains(name)).await);
    }
    if !settings.discord.token.is_empty() {
        let (line, wrong) = discord::check(settings).await;
        line.into_iter().for_each(print_line);
        problems.extend(wrong);
    }
    problems.extend(tools::check(settings).await);
    problems
}

/// Tells what a model says, or answers with why it says nothing, or would say nothing where it is asked natively.
async fn ask_model(settings: &ModelSettings, natively: bool) -> Option<SettingProblem> {
    match test_model(settings, &CallLedger::in_memory(BudgetSettings::default())).await {
        Ok(mut tested) => {
            let cannot = tested.tool_call_problem.take().filter(|_| natively);
            print_line(format_model_test(tested));
            cannot.map(|message| SettingProblem::error(message, "").into_warning())
        }
        Err(failure) => Some(SettingProblem::error(failure.message, "")),
    }
}

/// One line of what came of a test.
pub(super) fn format_model_test(tested: ModelTest) -> String {
    let ModelTest {
        line,
        text,
        first,
        total,
        notes,
        ..
    } = tested;
    let seconds = (first.as_secs_f32(), total.as_secs_f32());
    let mut summary = format!(
        "{line}; answers \"{text}\", first token after {:.1} s, all after {:.1} s",
        seconds.0, seconds.1
    );
    for note in notes {
        summary.push_str("; ");
        summary.push_str(&note);
    }
    summary
}

fn format_counts(errors: usize, warnings: usize) -> String {
    let counted = |number: usize, what: &str| {
        format!("{number} {what}{}", if number == 1 { "" } else { "s" })
    };
    format!(
        "{}, {}",
        counted(errors, "error"),
        counted(warnings, "warning")
    )
}
