//! `kith check`: everything that is wrong with settings, personas and prompts, before it goes wrong.

pub(super) mod discord;
mod file_exposure;
mod tools;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use kith_language::{Language, LocalizedMessage, cli};

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

pub fn check(args: &CheckArgs, language: Language) -> ExitCode {
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
        problems.extend(broken.into_iter().map(|problem| {
            let [message, cure] = [problem.message(), problem.cure()];
            SettingProblem::error(message.in_language(language), cure.in_language(language))
                .with_location(problem.file, problem.line)
        }));
    }
    let mut fine = Vec::new();
    for file in &args.personas {
        let (persona, found) = settings::inspect_persona(file);
        if let (Some(persona), true) = (persona, found.is_empty()) {
            let file = file.display().to_string();
            let names = persona.names().join(", ");
            fine.push(cli::persona_fine(file, persona.name, names).in_language(language));
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
            Ok(runtime) => problems.extend(runtime.block_on(check_online(settings, language))),
            Err(why) => problems.push(SettingProblem::error(why.in_language(language), "")),
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
            let file = options
                .file()
                .map_or_else(cli::the_defaults, |file| file.display().to_string().into());
            print_line(cli::settings_fine(file, settings.summary()).in_language(language));
            let (key, token) = (&settings.model.api_key, &settings.discord.token);
            let has_secret = !key.is_empty() || !token.is_empty();
            if has_secret && !args.online {
                print_line(cli::secrets_not_tried().in_language(language));
            }
        }
        _ => {
            let warnings = cli::warning_count(problems.len() - errors);
            let counts = cli::problem_counts(cli::error_count(errors), warnings);
            print_line(counts.in_language(language));
        }
    }
    if errors == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

pub(super) fn build_runtime() -> Result<tokio::runtime::Runtime, LocalizedMessage> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.map_err(|error| cli::no_threads(error.to_string()))
}

/// Asks the model and Discord, tries servers and tools, tells what they say, and answers with what is wrong.
async fn check_online(settings: &Settings, language: Language) -> Vec<SettingProblem> {
    let mut problems = Vec::new();
    let native = settings.model.protocol == OutputProtocol::Native;
    if settings.model.provider == Provider::None {
        print_line(cli::no_model_to_ask().in_language(language));
    } else {
        problems.extend(ask_model(&settings.model, native, language).await);
    }
    for (name, further) in &settings.model_set().further {
        let natively = native && settings.roles.chat.contains(name);
        problems.extend(ask_model(further, natively, language).await);
    }
    if !settings.discord.token.is_empty() {
        let (line, wrong) = discord::check(settings, language).await;
        line.into_iter().for_each(print_line);
        problems.extend(wrong);
    }
    problems.extend(tools::check(settings, language).await);
    problems
}

/// Tells what a model says, or answers with why it says nothing, or would say nothing where it is asked natively.
async fn ask_model(
    settings: &ModelSettings,
    natively: bool,
    language: Language,
) -> Option<SettingProblem> {
    match test_model(settings, &CallLedger::in_memory(BudgetSettings::default())).await {
        Ok(mut tested) => {
            let cannot = tested.tool_call_problem.take().filter(|_| natively);
            print_line(describe_model_test(tested).in_language(language));
            let problem =
                |why: LocalizedMessage| SettingProblem::error(why.in_language(language), "");
            cannot.map(|why| problem(why).into_warning())
        }
        Err(failure) => Some(SettingProblem::error(failure.describe(language), "")),
    }
}

pub(super) fn describe_model_test(tested: ModelTest) -> LocalizedMessage {
    let ModelTest {
        line,
        text,
        first,
        total,
        notes,
        ..
    } = tested;
    let [first, total] = [first, total].map(|time| format!("{:.1}", time.as_secs_f32()));
    let answers = cli::model_answers(first, line, text, total);
    notes
        .into_iter()
        .fold(answers, |text, note| cli::with_note(note, text))
}
