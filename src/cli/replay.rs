//! `kith replay`: recorded chats through the real core in simulated time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use super::{ConfigArgs, print_line, print_problems};
use crate::settings::{self, LoadOptions, SettingProblem, Settings};
use kith_agent::prompt::PromptTemplates;
use kith_core::chat::ChannelId;
use kith_core::policy::{ChannelPolicy, InitiativeSettings};
use kith_core::willingness::Weights;
use kith_model::resolve_model;
use kith_replay::plot::{Plot, PlotPoint};
use kith_replay::sweep::{Sweep, SweepLevels, SweepStep};
use kith_replay::{self as replay, ReplayOptions, ReplaySource, TurnOptions, compare, sweep};

/// Arguments of `kith replay`.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[arg(
        value_name = "LOG",
        required_unless_present = "points",
        conflicts_with = "points"
    )]
    logs: Vec<PathBuf>,
    #[arg(
        long = "as",
        value_name = "AUTHOR",
        required_unless_present_any = ["points", "live_in"],
        conflicts_with = "points"
    )]
    me: Option<String>,
    #[arg(long, conflicts_with_all = ["me", "points", "prompts", "turns", "sweep", "compare"])]
    live_in: bool,
    #[arg(long, value_name = "FILE", conflicts_with = "points")]
    persona: Option<String>,
    #[arg(long, value_name = "FILE", requires = "root")]
    points: Option<PathBuf>,
    #[arg(long, value_name = "FOLDER", requires = "points")]
    root: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[arg(long, value_name = "FOLDER")]
    prompts: Option<PathBuf>,
    #[arg(long)]
    reply_links: bool,
    #[arg(long)]
    turns: bool,
    #[arg(long, requires = "turns")]
    lint: bool,
    #[arg(long, value_name = "LEVELS", conflicts_with_all = ["out", "prompts", "turns", "compare"])]
    sweep: Option<SweepLevels>,
    #[arg(long, value_name = "FILE", requires = "sweep")]
    plot: Option<PathBuf>,
    #[arg(long, value_name = "FILE", conflicts_with_all = ["points", "out", "prompts", "turns"])]
    compare: Option<PathBuf>,
}

pub fn replay(args: ReplayArgs) -> ExitCode {
    let loaded = settings::load(&make_load_options(&args)).and_then(|settings| {
        let other = args
            .compare
            .as_deref()
            .map(|file| load_compared_settings(&args, file))
            .transpose()?;
        Ok((settings, other))
    });
    let (settings, other) = match loaded {
        Ok(loaded) => loaded,
        Err(problems) => {
            print_problems(&problems);
            return ExitCode::FAILURE;
        }
    };
    let templates = match PromptTemplates::load(settings.prompts_dir.as_deref()) {
        Ok(templates) => templates,
        Err(problems) => {
            print_problems(&problems);
            return ExitCode::FAILURE;
        }
    };
    match run(args, &settings, other.as_ref(), templates) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(
    args: ReplayArgs,
    settings: &Settings,
    other: Option<&Settings>,
    templates: PromptTemplates,
) -> anyhow::Result<()> {
    let baseline_name = match (&args.persona, &args.config.config) {
        (Some(file), _) => file.clone(),
        (None, Some(file)) => file.display().to_string(),
        (None, None) => "as it is set".to_owned(),
    };
    let source = match (args.points, args.root, args.me) {
        (Some(points), Some(root), _) => ReplaySource::Points { points, root },
        (_, _, me) => ReplaySource::Logs {
            me: me
                .map(|wanted| replay::find_companion(&args.logs, &wanted))
                .transpose()?,
            files: args.logs,
            policy: Box::new(build_policy(settings)),
        },
    };
    let options = ReplayOptions {
        source,
        out: args.out,
        prompts: args.prompts,
        reply_links: args.reply_links,
        weights: Arc::new(Weights::load_embedded()),
        templates,
        turns: args
            .turns
            .then(|| resolve_turn_options(settings))
            .transpose()?,
    };
    if let Some(levels) = &args.sweep {
        return sweep(&options, levels, args.plot.as_deref());
    }
    if let (Some(file), Some(other)) = (&args.compare, other) {
        print_line(compare::run(
            &options,
            &build_policy(other),
            [baseline_name, file.display().to_string()],
        )?);
        return Ok(());
    }
    let summary = replay::run(&options)?;
    if args.live_in {
        let tables = summary.live_in.iter().map(ToString::to_string);
        print_line(tables.collect::<Vec<_>>().join("\n\n"));
        return Ok(());
    }
    print_line(&summary);
    if let Some(sound) = summary.lint_report.filter(|_| args.lint) {
        print_line(format_args!("\nhow it sounds\n{sound}"));
    }
    Ok(())
}

fn make_load_options(args: &ReplayArgs) -> LoadOptions {
    let persona = args
        .persona
        .clone()
        .map(|file| ("--persona", "persona", file));
    LoadOptions {
        flags: persona.into_iter().collect(),
        ..args.config.options()
    }
}

/// The other settings of a comparison: with a name, the file is a persona.
fn load_compared_settings(args: &ReplayArgs, file: &Path) -> Result<Settings, Vec<SettingProblem>> {
    // What cannot be read as TOML is told, with its line, where it is read as settings.
    let table = fs::read_to_string(file)
        .ok()
        .and_then(|text| text.parse::<toml::Table>().ok());
    if table
        .as_ref()
        .is_some_and(|table| table.contains_key("name"))
    {
        let flags = vec![("--compare", "persona", file.display().to_string())];
        return settings::load(&LoadOptions {
            flags,
            ..make_load_options(args)
        });
    }
    settings::load(&LoadOptions {
        config: Some(file.to_owned()),
        flags: Vec::new(),
        ..make_load_options(args)
    })
    .map_err(|mut problems| {
        if table.is_some() {
            let message =
                "the file has no name at its top and so was read as settings, like kith.toml";
            problems.push(
                SettingProblem::error(message, "if it is a persona, give it a name")
                    .with_location(file, None),
            );
        }
        problems
    })
}

/// Replays at every level, and draws what came of it where that is wanted.
fn sweep(options: &ReplayOptions, levels: &SweepLevels, plot: Option<&Path>) -> anyhow::Result<()> {
    let swept = sweep::run(options, levels)?;
    if let Some(file) = plot {
        fs::write(file, draw_speech(&swept).to_string())
            .with_context(|| format!("{}: cannot be written", file.display()))?;
    }
    print_line(swept);
    Ok(())
}

/// How often it would speak at each level.
fn draw_speech(swept: &Sweep) -> Plot {
    let place = |step: &SweepStep| PlotPoint {
        x: step.level.into(),
        y: step.speaks as f64 / step.decisions.max(1) as f64,
    };
    let decisions = swept.steps.first().map_or(0, |step| step.decisions);
    let marks = swept.steps.iter();
    Plot {
        title: format!("{decisions} messages, spoken on at each talkativeness"),
        axes: [
            "talkativeness".to_owned(),
            "share of the messages it would speak on".to_owned(),
        ],
        curve: swept.steps.iter().map(place).collect(),
        marks: marks
            .map(|step| (place(step), step.speaks.to_string()))
            .collect(),
        legend: "so many messages".to_owned(),
    }
}

/// The configured model, and what it may cost.
fn resolve_turn_options(settings: &Settings) -> anyhow::Result<TurnOptions> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let chosen = runtime.block_on(resolve_model(&settings.model));
    if let Some(problem) = chosen.problem {
        anyhow::bail!("{problem}");
    }
    eprintln!("{}", chosen.line);
    Ok(TurnOptions {
        model: chosen.model,
        budget: settings.budget.clone(),
    })
}

/// The settings of a channel nobody has set anything for.
fn build_policy(settings: &Settings) -> ChannelPolicy {
    let policy = settings.resolve_plain_policy(ChannelId(0), &settings.build_registry(Vec::new()));
    // What it would have begun by itself is no part of what was said.
    let tools = policy.tools.iter();
    let tools = tools.filter(|tool| tool.name != "wait_for").cloned();
    ChannelPolicy {
        tools: tools.collect(),
        is_replay: true,
        initiative: InitiativeSettings::none(),
        ..policy
    }
}
