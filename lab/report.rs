//! What learning tells: how good what was learnt is, on what it never saw.

use std::fmt;
use std::time::Duration;

use super::cross_validation::{CrossValidation, TrialResult};
use super::dataset::{self, Dataset, LinkCount};
use super::friends::evaluation::FriendsTrial;
use super::log_features;
use super::score::{self, GoldPart, HitCounts, Ranking, ScoreTable};
use kith_core::willingness::{Signal, Weights};

pub struct LearnReport {
    pub logs: usize,
    pub trial: CrossValidation,
    /// The same with chats of friends; none where there are none.
    pub friends: Option<FriendsTrial>,
    pub splits: Vec<EvaluationSplit>,
    /// What each signal is worth; empty where that was not asked.
    pub ablations: Vec<Ablation>,
    pub duration: Duration,
}

/// Logs that were not learnt from, judged with some weights.
pub struct EvaluationSplit {
    name: &'static str,
    weights_name: &'static str,
    pub table: ScoreTable,
    /// The links, where they are annotated.
    pub links: Option<HitCounts>,
}

pub struct Ablation {
    pub signal: Signal,
    pub without: TrialResult,
}

impl EvaluationSplit {
    /// Judges a split; none if it has no logs.
    pub fn evaluate(
        name: &'static str,
        weights_name: &'static str,
        datasets: &[Dataset],
        weights: &Weights,
    ) -> Option<EvaluationSplit> {
        let decide = |dataset: &Dataset| -> Vec<GoldPart> {
            dataset
                .personas
                .iter()
                .map(|persona| log_features::decide_points(&dataset.log, persona, weights))
                .collect()
        };
        let parts: Vec<GoldPart> = datasets.iter().flat_map(decide).collect();
        let linked = datasets.iter().any(|dataset| dataset.log.linked);
        let links = linked.then(|| {
            dataset::count_link_hits(datasets.iter(), weights)
                .0
                .compute_hits()
        });
        (!parts.is_empty()).then(|| EvaluationSplit {
            name,
            weights_name,
            table: score::score_parts(&parts),
            links,
        })
    }
}

impl fmt::Display for LearnReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CrossValidation {
            senses,
            cheap,
            difference,
            links,
            ..
        } = &self.trial;
        let folds = self.trial.folds.len();
        writeln!(
            f,
            "cross-validated by log, {} logs in {folds} parts, {} points",
            self.logs,
            count_points(&self.trial)
        )?;
        writeln!(f, "                    ap     auc    p      r      f1")?;
        writeln!(f, "signals             {}", Row(senses))?;
        writeln!(f, "cheap features      {}", Row(cheap))?;
        let [low, middle, high] = difference;
        writeln!(
            f,
            "difference of ap    {middle:+.3}, in 95 % of draws of logs {low:+.3} to {high:+.3}"
        )?;
        let row = |count: &LinkCount| {
            let HitCounts {
                precision,
                recall,
                f1,
            } = count.compute_hits();
            format!("p={precision:.3}  r={recall:.3}  f1={f1:.3}")
        };
        writeln!(f, "links               {}", row(&links.0))?;
        writeln!(f, "links to others     {}", row(&links.1))?;
        if let Some(friends) = &self.friends {
            writeln!(f, "\n{friends}")?;
        }
        if !self.ablations.is_empty() {
            writeln!(
                f,
                "\nwithout             ap     auc    (and what the signal is worth)"
            )?;
        }
        for Ablation { signal, without } in &self.ablations {
            let (all, rest) = (
                extract_values(&senses.ranking),
                extract_values(&without.ranking),
            );
            let gain = [0, 1].map(|place| all[place] - rest[place]);
            let name = signal.name();
            writeln!(
                f,
                "{name:<19} {:.4} {:.4}  {:+.4} {:+.4}",
                rest[0], rest[1], gain[0], gain[1]
            )?;
        }
        for EvaluationSplit {
            name,
            weights_name,
            table,
            links,
        } in &self.splits
        {
            writeln!(f, "\n{name}, {weights_name}\n{table}")?;
            if let Some(HitCounts {
                precision,
                recall,
                f1,
            }) = links
            {
                writeln!(f, "links      p={precision:.3}  r={recall:.3}  f1={f1:.3}")?;
            }
        }
        write!(f, "\ntime       {:.1} s", self.duration.as_secs_f64())
    }
}

fn count_points(trial: &CrossValidation) -> usize {
    trial.folds.iter().map(|fold| fold.held_out.len()).sum()
}

fn extract_values(ranking: &Ranking) -> [f64; 2] {
    [ranking.precision, ranking.auc].map(|value| value.unwrap_or(f64::NAN))
}

struct Row<'a>(&'a TrialResult);

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [ap, auc] = extract_values(&self.0.ranking);
        let HitCounts {
            precision,
            recall,
            f1,
        } = self.0.hits;
        write!(f, "{ap:.4} {auc:.4} {precision:.4} {recall:.4} {f1:.4}")
    }
}
