//! `kith replay`: the same core over recorded chats in simulated time. Stores what it hears in a database of its own
//! that is gone afterwards, asks no model, and says nothing.

mod companion;
pub mod compare;
pub mod discord;
pub mod event;
pub mod ids;
pub mod lint;
mod live_in;
pub mod log;
pub mod player;
pub mod plot;
pub mod points;
pub mod recall;
pub mod recorded_message;
mod recording;
mod report;
pub mod sweep;
mod turn_runner;
mod undecided_messages;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

pub use companion::find_companion;
use event::{FinalDecision, ReplayEvent};
use kith_agent::prompt::PromptTemplates;
use kith_core::policy::ChannelPolicy;
use kith_core::willingness::Weights;
use kith_store::Store;
use kith_system::clock;
use live_in::{LIVE_IN, LiveIn, LiveInTable};
use player::{ReplayPlayer, ReplayRole};
use recording::ReplayRecording;
pub use report::ReplaySummary;
pub use turn_runner::TurnOptions;
use turn_runner::TurnRunner;

#[derive(Clone)]
pub struct ReplayOptions {
    pub source: ReplaySource,
    /// Where the decisions go, one JSON object a line.
    pub out: Option<PathBuf>,
    /// The folder for the prompts that would have been sent, one file for each message it would speak on.
    pub prompts: Option<PathBuf>,
    /// Whether `reply_to` in JSON Lines is taken as typed. In Discord exports it always is.
    pub reply_links: bool,
    pub weights: Arc<Weights>,
    pub templates: PromptTemplates,
    /// With which model turns are run; their transcripts go to standard output. None asks no model.
    pub turns: Option<TurnOptions>,
}

#[derive(Clone, Debug)]
pub enum ReplaySource {
    /// Logs, one after the other, each from a fresh start.
    Logs {
        files: Vec<PathBuf>,
        /// The author who is the companion, by the log's id; none if somebody new lives in.
        me: Option<String>,
        /// The companion's settings; to its names come those of the author.
        policy: Box<ChannelPolicy>,
    },
    /// Every persona and message named in a file of gold points: names from `eval/personas.json` below the root,
    /// talkativeness 0.5, nothing else.
    Points {
        points: PathBuf,
        /// The folder the logs' names in it are relative to.
        root: PathBuf,
    },
}

/// Replays and answers with what came of it.
///
/// # Errors
/// A log, a file of points or a place to write to that cannot be used: which, where and why.
pub fn run(options: &ReplayOptions) -> anyhow::Result<ReplaySummary> {
    let started = clock::monotonic();
    let recordings = load_recordings(&options.source)?;
    let mut output = Output::open(options)?;
    let progress = create_progress_bar(&recordings);
    let mut summary = ReplaySummary::default();
    let mut turn_runner = options.turns.as_ref().map(TurnRunner::new).transpose()?;
    let mut take = |recording: &ReplayRecording, decided: FinalDecision<'_>| {
        output.write_decision(recording, &decided)?;
        decided.prompt.map_or(Ok(()), |prompt| {
            output.write_prompt(recording, decided.id, &prompt)
        })
    };
    for recording in &recordings {
        replay_recording(
            recording,
            options,
            &progress,
            &mut take,
            &mut summary,
            &mut turn_runner,
        )?;
    }
    progress.finish_and_clear();
    summary.lint_report = turn_runner.map(|stage| stage.lint.report());
    output.finish()?;
    summary.duration = started.elapsed();
    Ok(summary)
}

fn load_recordings(source: &ReplaySource) -> anyhow::Result<Vec<ReplayRecording>> {
    match source {
        ReplaySource::Points { points, root } => points::read_recordings(points, root),
        ReplaySource::Logs { files, .. } if files.is_empty() => {
            bail!("no log is named: give at least one file to replay")
        }
        ReplaySource::Logs { files, me, policy } => Ok(files
            .iter()
            .map(|path| ReplayRecording {
                name: path.display().to_string(),
                path: path.clone(),
                role: ReplayRole {
                    me: me.clone().unwrap_or_else(|| LIVE_IN.to_owned()),
                    policy: ChannelPolicy::clone(policy),
                    learns_names: me.is_some(),
                },
                wanted: None,
            })
            .collect()),
    }
}

/// Takes the decisions that are wanted one by one, each with its message's id in the log and the prompt that would have
/// been sent, where prompts are wanted.
type TakeDecision<'a> = dyn FnMut(&ReplayRecording, FinalDecision<'_>) -> anyhow::Result<()> + 'a;

fn replay_recording(
    recording: &ReplayRecording,
    options: &ReplayOptions,
    progress: &ProgressBar,
    take: &mut TakeDecision<'_>,
    summary: &mut ReplaySummary,
    turn_runner: &mut Option<TurnRunner>,
) -> anyhow::Result<()> {
    let store = Store::open_temporary().context("the replay's own database")?;
    if let Some(turn_runner) = turn_runner {
        turn_runner.begin_replay(store.clone());
    }
    let mut player = ReplayPlayer::new(
        recording.role.clone(),
        options.weights.clone(),
        options.templates.clone(),
        store,
    )?;
    player.reply_links = options.reply_links;
    player.previews = options.prompts.is_some();
    player.turn_runner = turn_runner.take();
    player.live_in = (recording.role.me == LIVE_IN).then(|| LiveIn::new(&recording.role.policy));
    let mut spoken = false;
    let mut left = recording.wanted.clone();
    let mut see = |seen: ReplayEvent<'_>| -> anyhow::Result<()> {
        match seen {
            ReplayEvent::MessageHeard { own } => {
                summary.messages += 1;
                spoken |= own;
            }
            ReplayEvent::ModelAsked { tokens } => {
                summary.turns += 1;
                summary.prompt_tokens += u64::from(tokens);
            }
            ReplayEvent::TurnFinished { transcript } => {
                progress.suspend(|| io::stdout().write_all(transcript.as_bytes()))?
            }
            ReplayEvent::MessageDecided(decided) => {
                if left.as_mut().is_some_and(|left| !left.remove(decided.id)) {
                    return Ok(());
                }
                summary.count(decided.decision);
                take(recording, decided)?;
            }
        }
        Ok(())
    };
    log::read_log(&recording.path, progress, &mut |recorded| {
        player.feed(recorded, &mut see)
    })?;
    player.finish(&mut see)?;
    *turn_runner = player.turn_runner.take();
    let lived_in = player.live_in.map(|live_in| LiveInTable {
        log: recording.name.clone(),
        ..live_in.table
    });
    summary.live_in.extend(lived_in);
    summary.missing += left.map_or(0, |left| left.len() as u64);
    if !spoken {
        summary.silent.push(format!(
            "{}: {} wrote nothing there",
            recording.path.display(),
            recording.role.me
        ));
    }
    Ok(())
}

fn create_progress_bar<'a>(
    recordings: impl IntoIterator<Item = &'a ReplayRecording>,
) -> ProgressBar {
    let bytes = recordings
        .into_iter()
        .map(|recording| fs::metadata(&recording.path).map_or(0, |file| file.len()))
        .sum();
    let style =
        ProgressStyle::with_template("{bar:40} {percent:>3} %  {bytes_per_sec}  {eta} left");
    // Draws on standard error, and only on a terminal.
    ProgressBar::new(bytes).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

struct Output {
    decisions: Option<(PathBuf, BufWriter<File>)>,
    prompts: Option<PathBuf>,
}

impl Output {
    fn open(options: &ReplayOptions) -> anyhow::Result<Output> {
        let decisions = match &options.out {
            Some(path) => {
                let file = File::create(path)
                    .with_context(|| format!("{}: cannot be written", path.display()))?;
                Some((path.clone(), BufWriter::new(file)))
            }
            None => None,
        };
        if let Some(dir) = &options.prompts {
            fs::create_dir_all(dir)
                .with_context(|| format!("{}: the folder cannot be made", dir.display()))?;
        }
        Ok(Output {
            decisions,
            prompts: options.prompts.clone(),
        })
    }

    fn write_decision(
        &mut self,
        recording: &ReplayRecording,
        decided: &FinalDecision<'_>,
    ) -> anyhow::Result<()> {
        if let Some((path, file)) = &mut self.decisions {
            let FinalDecision {
                id,
                decision,
                at_arrival,
                ..
            } = *decided;
            report::write_decision(
                file,
                &recording.name,
                &recording.role.me,
                id,
                decision,
                at_arrival,
            )
            .with_context(|| format!("{}: cannot be written", path.display()))?;
        }
        Ok(())
    }

    fn write_prompt(
        &self,
        recording: &ReplayRecording,
        id: &str,
        prompt: &str,
    ) -> anyhow::Result<()> {
        let Some(dir) = &self.prompts else {
            return Ok(());
        };
        let stem = Path::new(&recording.name)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let plain = |text: &str| {
            text.replace(
                |c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_'),
                "-",
            )
        };
        let path = dir.join(format!(
            "{}.{}.{}.txt",
            plain(&stem),
            plain(&recording.role.me),
            plain(id)
        ));
        fs::write(&path, prompt).with_context(|| format!("{}: cannot be written", path.display()))
    }

    fn finish(mut self) -> anyhow::Result<()> {
        if let Some((path, file)) = &mut self.decisions {
            file.flush()
                .with_context(|| format!("{}: cannot be written", path.display()))?;
        }
        Ok(())
    }
}
