//! One recording at several levels of talkativeness: on how many messages it would speak at each and, where somebody
//! can judge the decisions, how good they are. Judges nothing itself.

use std::fmt;
use std::str::FromStr;

use super::{
    ReplayOptions, ReplayRecording, ReplaySummary, create_progress_bar, load_recordings,
    replay_recording,
};
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

/// One decision on a gold point.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepDecision {
    /// The log, as the file of points names it.
    pub file: String,
    /// Who is the companion.
    pub persona: String,
    /// The message's id in the log.
    pub id: String,
    /// The willingness as a probability.
    pub score: f32,
    pub speak: bool,
}

/// How good the decisions of one step are; shares are 0 … 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SweepMeasures {
    /// Of the messages it would speak on, the share that was answered.
    pub precision: f64,
    /// Of the messages that were answered, the share it would speak on.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
    /// Of its turns, the share that was wanted.
    pub turn_precision: f64,
    /// Of the wanted turns, the share it takes.
    pub turn_recall: f64,
    /// Its turns for each of the person's; none where the person has none.
    pub overtalk: Option<f64>,
    /// Of the messages to nobody that the person left alone, the share it would speak on.
    pub butt_in: f64,
}

/// What came of one level.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepStep {
    /// The talkativeness, 0 … 1.
    pub level: f32,
    pub decisions: u64,
    /// On how many of them it would speak.
    pub speaks: u64,
    /// How good they are, where that is known.
    pub measures: Option<SweepMeasures>,
}

/// What came of all levels; shown as a table.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// In the order they were asked for.
    pub steps: Vec<SweepStep>,
    /// What makes the recordings doubtful, for people.
    pub doubts: Vec<String>,
}

pub type SweepJudge<'a> = dyn FnMut(&[SweepDecision]) -> anyhow::Result<SweepMeasures> + 'a;

/// Replays once for every level. Nothing else of the settings is changed, and nothing is written.
///
/// # Errors
/// As [`super::run`]; or the judge failed.
pub fn run(
    options: &ReplayOptions,
    levels: &SweepLevels,
    mut judge: Option<&mut SweepJudge<'_>>,
) -> anyhow::Result<Sweep> {
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
        let mut decided = Vec::new();
        for recording in recordings {
            let mut take = |recording: &ReplayRecording, heard: super::event::FinalDecision<'_>| {
                if judge.is_some() {
                    decided.push(SweepDecision {
                        file: recording.name.clone(),
                        persona: recording.role.me.clone(),
                        id: heard.id.to_owned(),
                        score: heard.decision.score,
                        speak: heard.decision.speak,
                    });
                }
                Ok(())
            };
            replay_recording(
                recording,
                options,
                &progress,
                &mut take,
                &mut summary,
                &mut None,
            )?;
        }
        let measures = judge.as_mut().map(|judge| judge(&decided)).transpose()?;
        sweep.steps.push(SweepStep {
            level: *level,
            decisions: summary.decisions,
            speaks: summary.speaks,
            measures,
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
        if self.steps.iter().any(|step| step.measures.is_some()) {
            write!(
                f,
                "  precision  recall     F1  turn P  turn R  overtalk  butt-in"
            )?;
        }
        for SweepStep {
            level,
            decisions,
            speaks,
            measures,
        } in &self.steps
        {
            write!(f, "\n{level:>13}  {speaks:>14}  {decisions:>11}")?;
            if let Some(values) = measures {
                let overtalk = values
                    .overtalk
                    .map_or_else(|| "-".to_owned(), |overtalk| format!("{overtalk:.2}"));
                write!(
                    f,
                    "  {:>9.3}  {:>6.3}  {:>5.3}",
                    values.precision, values.recall, values.f1
                )?;
                write!(
                    f,
                    "  {:>6.3}  {:>6.3}  {overtalk:>8}",
                    values.turn_precision, values.turn_recall
                )?;
                write!(f, "  {:>7.3}", values.butt_in)?;
            }
        }
        for doubt in &self.doubts {
            write!(f, "\n{doubt}")?;
        }
        Ok(())
    }
}
