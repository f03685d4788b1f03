//! `kith-lab`: where the numbers in `data/weights.json` come from, and how good they are.
//!
//! Annotated logs of a public corpus are heard by the real senses in simulated time, with people of these logs in the
//! companion's place. Two models are fitted, both by Newton's method, deterministic and drawn to [`prior`]: which earlier
//! line a message answers (a conditional logit over the clues), and whether the person answered this very message (a
//! logistic regression over the signals, seen with the links just learnt). Signals that the logs never show keep the
//! weight they are drawn to, which is judgement; those of small rooms, which they show hardly, stay near it.
//!
//! Decides nothing while the companion runs: the core reads the weights, never this.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod baseline;
pub mod corpus;
pub mod cross_validation;
pub mod dataset;
pub mod fitted_model;
pub mod friends;
pub mod gold_points;
pub mod log_features;
pub mod logistic;
pub mod newton;
pub mod next_turns;
pub mod point_files;
pub mod prior;
pub mod reply_choice;
mod report;
pub mod score;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use corpus::Corpus;
use dataset::Dataset;
use kith_core::willingness::{Signal, Weights};
use kith_system::clock;
pub use report::{Ablation, EvaluationSplit, LearnReport};

const TRAIN: &str = "train";
/// The splits what was learnt is tried on, where they are there.
const TRIED: [&str; 2] = ["dev", "casual3"];
const SOURCE: &str = "Learnt by `kith-lab learn` from the annotated #ubuntu logs of Kummerfeld et al. 2019 (train split, CC BY 4.0, doi 10.18653/v1/P19-1374, https://github.com/jkkummerfeld/irc-disentanglement) and from marked chats of friends that language models wrote for this project (48 in tests/friends/train, 20 not in the repository), and from recordings of people in which it is known who writes next: LLMafia (github.com/niveck/LLMafia, MIT) and, counting little, CABNC (github.com/saulalbert/CABNC, CC BY 3.0); drawn to judgement where these logs show too little (lab/prior.rs); the judgement of small rooms is round numbers guided by the dialogues of casual3-train (Tsuda et al. 2025, CC BY-SA 4.0). No text of the logs is in this file. docs/WEIGHTS.md says more.";

#[derive(Clone, Debug)]
pub struct LearnOptions {
    pub root: PathBuf,
    pub out: Option<PathBuf>,
    pub extra_split: Option<String>,
    pub friends: Option<PathBuf>,
    pub people: Option<PathBuf>,
    pub run_ablation: bool,
}

/// Learns, tries what was learnt, and writes it.
///
/// # Errors
/// A folder, log or place to write to that cannot be used: which, and why.
pub fn run(options: &LearnOptions) -> anyhow::Result<LearnReport> {
    let started = clock::monotonic();
    let corpus = Corpus::open(&options.root)?;
    let datasets = read_datasets(&corpus, TRAIN)?;
    if datasets.is_empty() {
        bail!(
            "{}: there are no logs of the split {TRAIN}",
            options.root.join("manifest.json").display()
        );
    }
    let extra = match &options.extra_split {
        Some(split) => read_datasets(&corpus, split)?,
        None => Vec::new(),
    };
    let chats = match &options.friends {
        Some(folder) => friends::read_chats(folder)?,
        None => Vec::new(),
    };
    let recordings = match &options.people {
        Some(folder) => next_turns::read_recordings(folder)?,
        None => Vec::new(),
    };
    let removable: &[Signal] = if options.run_ablation {
        &Signal::ALL
    } else {
        &[]
    };
    let progress =
        create_progress_bar(cross_validation::fold_count(datasets.len()) + 2 + removable.len());
    let trial = cross_validation::cross_validate(&datasets, &extra, &chats, &recordings, || {
        progress.inc(1)
    })?;
    let fitted = dataset::learn_model(datasets.iter().chain(&extra), &chats, &recordings)?;
    let learnt = fitted.to_weights()?;
    let among_friends = (!chats.is_empty())
        .then(|| friends::evaluation::run_trial(&chats, &fitted))
        .transpose()?;
    progress.inc(1);
    let splits = evaluate_splits(&corpus, &learnt)?;
    progress.inc(1);
    let mut ablations = Vec::new();
    for signal in removable {
        let exclusion = prior::exclude_signal(*signal);
        let (without, _) =
            cross_validation::evaluate_folds(&trial.folds, &exclusion, |seen| &seen.signals);
        ablations.push(Ablation {
            signal: *signal,
            without,
        });
        progress.inc(1);
    }
    progress.finish_and_clear();
    let source = match &options.extra_split {
        Some(extra_split) => format!("{SOURCE} Also learnt from the split {extra_split}."),
        None => SOURCE.to_owned(),
    };
    if let Some(out) = &options.out {
        fs::write(out, fitted.to_json(&source))
            .with_context(|| format!("{}: cannot be written", out.display()))?;
    }
    Ok(LearnReport {
        logs: datasets.len() + extra.len(),
        trial,
        friends: among_friends,
        splits,
        ablations,
        duration: started.elapsed(),
    })
}

fn read_datasets(corpus: &Corpus, split: &str) -> anyhow::Result<Vec<Dataset>> {
    Ok(corpus
        .read_split(split)?
        .into_iter()
        .map(Dataset::new)
        .collect())
}

/// Tries the shipped and the learnt weights on logs that nothing was learnt from.
fn evaluate_splits(corpus: &Corpus, learnt: &Weights) -> anyhow::Result<Vec<EvaluationSplit>> {
    let shipped = Weights::load_embedded();
    let mut splits = Vec::new();
    for split in TRIED {
        let datasets = read_datasets(corpus, split)?;
        for (name, weights) in [("shipped", &shipped), ("learnt", learnt)] {
            splits.extend(EvaluationSplit::evaluate(split, name, &datasets, weights));
        }
    }
    Ok(splits)
}

fn create_progress_bar(steps: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {eta} left");
    // Draws on standard error, and only on a terminal.
    ProgressBar::new(steps as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
