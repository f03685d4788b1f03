//! `kith replay`: recorded chats through the real lane in simulated time.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use super::{ConfigArgs, complain, say};
use crate::core::chat::{Channel, ChannelId, ChannelKind};
use crate::core::policy::Policy;
use crate::core::willingness::Weights;
use crate::model::resolve;
use crate::replay::{self, ReplayOptions, Source, Turns};
use crate::settings::{self, LoadOptions, Settings};
use crate::tools::Registry;
use crate::turn::prompt::Prompts;

/// Arguments of `kith replay`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kith replay friends.jsonl --as 42                   would it have spoken where person 42 did?
  kith replay export.json --as 42 --out decisions.jsonl --prompts prompts-sent/
  kith replay friends.jsonl --as 42 --turns --lint    what would it have said, and how does it sound?
  kith replay --points eval/dev.points.jsonl --root groupchat/ --out decisions.jsonl

The person named by --as is taken as the companion: what that person wrote is its own past.
--out gets one decision a line for each message of another person, the score being the
willingness as a probability: {\"f\",\"p\",\"id\",\"score\",\"speak\",\"why\":{…}}.
A summary follows on standard output.")]
pub struct ReplayArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Recorded chats: JSON Lines, or a JSON export of DiscordChatExporter
    #[arg(value_name = "LOG", required_unless_present = "points", conflicts_with = "points")]
    logs: Vec<PathBuf>,
    /// Who in the chat is the companion
    #[arg(long = "as", value_name = "AUTHOR_ID", required_unless_present = "points", conflicts_with = "points")]
    me: Option<String>,
    /// The persona file
    #[arg(long, value_name = "FILE", conflicts_with = "points")]
    persona: Option<String>,
    /// Replay every person and decide every message that this file of points names
    #[arg(long, value_name = "FILE", requires = "root")]
    points: Option<PathBuf>,
    /// The folder the points' logs are in, with eval/personas.json
    #[arg(long, value_name = "FOLDER", requires = "points")]
    root: Option<PathBuf>,
    /// Where the decisions go
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Where the prompts go that would have been sent, one file each
    #[arg(long, value_name = "FOLDER")]
    prompts: Option<PathBuf>,
    /// Take `reply_to` in JSON Lines as typed by its author; in Discord exports it always is
    #[arg(long)]
    reply_links: bool,
    /// Run the turns against the configured model and print what it would have said
    #[arg(long)]
    turns: bool,
    /// With --turns: also print how the companion sounds
    #[arg(long, requires = "turns")]
    lint: bool,
}

/// Replays and prints a summary.
pub fn replay(args: ReplayArgs) -> ExitCode {
    let persona = args.persona.clone().map(|file| ("--persona", "persona", file));
    let options = LoadOptions { flags: persona.into_iter().collect(), ..args.config.options() };
    let settings = match settings::load(&options) {
        Ok(settings) => settings,
        Err(problems) => {
            complain(&problems);
            return ExitCode::FAILURE;
        }
    };
    let templates = match Prompts::load(settings.prompts_dir.as_deref()) {
        Ok(templates) => templates,
        Err(problems) => {
            complain(&problems);
            return ExitCode::FAILURE;
        }
    };
    let source = match (args.points, args.root, args.me) {
        (Some(points), Some(root), _) => Source::Points { points, root },
        (_, _, me) => Source::Logs { files: args.logs, me: me.unwrap_or_default(), policy: policy(&settings) },
    };
    let turns = match args.turns.then(|| turns(&settings)).transpose() {
        Ok(turns) => turns,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    let options = ReplayOptions {
        source,
        out: args.out,
        prompts: args.prompts,
        reply_links: args.reply_links,
        weights: Arc::new(Weights::embedded()),
        templates,
        turns,
    };
    match replay::run(&options) {
        Ok(summary) => {
            say(&summary);
            if let Some(sound) = summary.sound.filter(|_| args.lint) {
                say(format_args!("\nhow it sounds\n{sound}"));
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The configured model, and what it may cost.
fn turns(settings: &Settings) -> anyhow::Result<Turns> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let chosen = runtime.block_on(resolve(&settings.model));
    if let Some(problem) = chosen.problem {
        anyhow::bail!("{problem}");
    }
    eprintln!("{}", chosen.line);
    Ok(Turns { model: chosen.model, budget: settings.budget.clone() })
}

/// The settings of a channel nobody has set anything for.
fn policy(settings: &Settings) -> Policy {
    let channel =
        Channel { id: ChannelId(0), guild: None, name: "".into(), topic: "".into(), kind: ChannelKind::Group };
    let policy = settings.policy(&channel);
    Policy { tools: settings.allowed_tools(&Registry::builtin().specs(policy.persona.language)), ..policy }
}
