//! One recording at several levels of talkativeness: on how many messages it would speak at each.

use std::fmt;
use std::str::FromStr;

use super::{ReplayOptions, ReplaySummary, create_progress_bar, load_recordings, replay_recording};
use kith_core::talkativeness::Talkativeness;

/// What a range of levels goes up by.
const STEPS_IN_ONE: f64 = 10.0;

/// Levels of talkativeness to be tried, each 0 … 1: `talkativeness=0.1..0.9` in steps of 0.1, or
/// `talkativeness=0.2,0.5`.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepLevels(pub Vec<f32>);

impl FromStr for SweepLevels {
    type Err = String;

    fn from_str(text: &str) -> Result<SweepLevels, String> {
        let cure = "expected talkativeness=0.1..0.9 or talkativeness=0.2,0.5,0.8";
        let (name, values) = text
            .split_once('=')
            .ok_or_else(|| format!("no level is named; {cure}"))?;
        if name.trim() != "talkativeness" {
            return Err(format!("only talkativeness can be swept; {cure}"));
        }
        let level = |text: &str| match text.trim().parse::<f64>() {
            Ok(level) if (0.0..=1.0).contains(&level) => Ok(level),
            _ => Err(format!(
                "\"{}\" is not a number from 0 to 1; {cure}",
                text.trim()
            )),
        };
        let levels: Vec<f64> = match values.split_once("..") {
            Some((from, to)) => {
                let (from, to) = (level(from)?, level(to)?);
                if from > to {
                    return Err(format!(
                        "the range {from}..{to} is empty; write the smaller level first"
                    ));
                }
                // A little more than the quotient, for 0.9 - 0.1 is not quite eight tenths in binary.
                let steps = ((to - from) * STEPS_IN_ONE + 1e-6) as u32;
                (0..=steps)
                    .map(|step| from + f64::from(step) / STEPS_IN_ONE)
                    .collect()
            }
            None => values.split(',').map(level).collect::<Result<_, _>>()?,
        };
        Ok(SweepLevels(
            levels.into_iter().map(|level| level as f32).collect(),
        ))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepStep {
    /// 0 … 1.
    pub level: f32,
    pub decisions: u64,
    /// On how many of them it would speak.
    pub speaks: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// In the order they were asked for.
    pub steps: Vec<SweepStep>,
    /// What makes the recordings doubtful, for people.
    pub doubts: Vec<String>,
}

/// Replays once for every level. Nothing else of the settings is changed, and nothing is written.
///
/// # Errors
/// As [`super::run`].
pub fn run(options: &ReplayOptions, levels: &SweepLevels) -> anyhow::Result<Sweep> {
    let mut rounds = Vec::with_capacity(levels.0.len());
    for level in &levels.0 {
        let mut recordings = load_recordings(&options.source)?;
        for recording in &mut recordings {
            recording.role.policy.talkativeness = Talkativeness::Level(*level);
        }
        rounds.push((*level, recordings));
    }
    let progress = create_progress_bar(rounds.iter().flat_map(|(_, recordings)| recordings));
    let mut sweep = Sweep::default();
    for (level, recordings) in &rounds {
        let mut summary = ReplaySummary::default();
        for recording in recordings {
            replay_recording(
                recording,
                options,
                &progress,
                &mut |_, _| Ok(()),
                &mut summary,
                &mut None,
            )?;
        }
        sweep.steps.push(SweepStep {
            level: *level,
            decisions: summary.decisions,
            speaks: summary.speaks,
        });
        // Every step hears the same.
        sweep.doubts = summary.warnings();
    }
    progress.finish_and_clear();
    Ok(sweep)
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "talkativeness  would speak on  of messages")?;
        for SweepStep {
            level,
            decisions,
            speaks,
        } in &self.steps
        {
            write!(f, "\n{level:>13}  {speaks:>14}  {decisions:>11}")?;
        }
        for doubt in &self.doubts {
            write!(f, "\n{doubt}")?;
        }
        Ok(())
    }
}
