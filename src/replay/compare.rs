//! The same recordings under two settings: the decisions that differ, with what was said before and the reasons that make
//! the difference. Judges neither side.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::path::Path;

use chrono::DateTime;
use indicatif::ProgressBar;

use super::event::FinalDecision;
use super::log;
use super::recorded_message::RecordedMessage;
use super::{
    ReplayOptions, ReplayRecording, ReplaySource, ReplaySummary, create_progress_bar,
    load_recordings, replay_recording,
};
use kith_core::persona::Language;
use kith_core::policy::ChannelPolicy;
use kith_core::report::MessageDecision;
use kith_core::willingness::{
    describe_threshold, explain_decision, format_signed, list_differences,
};

const LINES_BEFORE: usize = 3;
/// How much of a line is shown, in characters.
const LINE_SHOWN: usize = 160;
const REASONS_TOLD: usize = 3;

#[derive(Clone, Debug, PartialEq)]
pub struct DecisionDifference {
    pub file: String,
    pub id: String,
    /// The lines of its channel before it, oldest first, and its own: author and text.
    pub lines: Vec<(String, String)>,
    pub sides: [MessageDecision; 2],
}

#[derive(Clone, Debug, Default)]
pub struct ReplayComparison {
    pub names: [String; 2],
    pub decisions: u64,
    /// On how many messages either side would speak.
    pub speaks: [u64; 2],
    /// In the order of the logs.
    pub differences: Vec<DecisionDifference>,
    /// What makes the recordings doubtful, for people.
    pub doubts: Vec<String>,
}

/// Replays the logs of `options` twice: as they say, and under `other`. Nothing is written.
///
/// # Errors
/// As [`super::run`]; points instead of logs, whose settings are fixed.
pub fn run(
    options: &ReplayOptions,
    other: &ChannelPolicy,
    names: [String; 2],
) -> anyhow::Result<ReplayComparison> {
    let ReplaySource::Logs { files, me, .. } = &options.source else {
        anyhow::bail!("points are decided under fixed settings: name a log and --as to compare");
    };
    let second = ReplaySource::Logs {
        files: files.clone(),
        me: me.clone(),
        policy: Box::new(other.clone()),
    };
    let both = [load_recordings(&options.source)?, load_recordings(&second)?];
    let progress = create_progress_bar(both.iter().flatten());
    let mut summaries = [ReplaySummary::default(), ReplaySummary::default()];
    let mut differences = Vec::new();
    let [first, second] = &both;
    for recordings in first.iter().zip(second) {
        let mut sides = [Vec::new(), Vec::new()];
        for ((recording, decided), summary) in [recordings.0, recordings.1]
            .into_iter()
            .zip(&mut sides)
            .zip(&mut summaries)
        {
            let mut take = |_: &ReplayRecording, heard: FinalDecision<'_>| {
                decided.push((heard.id.to_owned(), heard.decision.clone()));
                Ok(())
            };
            replay_recording(recording, options, &progress, &mut take, summary, &mut None)?;
        }
        let [one, two] = sides;
        // Both sides heard the same messages in the same order.
        let differing = one
            .into_iter()
            .zip(two)
            .filter(|((_, one), (_, two))| one.speak != two.speak);
        let mut differing: Vec<DecisionDifference> = differing
            .map(|((id, one), (_, two))| DecisionDifference {
                file: recordings.0.name.clone(),
                id,
                lines: Vec::new(),
                sides: [one, two],
            })
            .collect();
        read_context_lines(&recordings.0.path, &mut differing)?;
        differences.append(&mut differing);
    }
    progress.finish_and_clear();
    let [one, two] = summaries;
    let (decisions, speaks) = (one.decisions, [one.speaks, two.speaks]);
    Ok(ReplayComparison {
        names,
        decisions,
        speaks,
        differences,
        doubts: one.warnings(),
    })
}

fn read_context_lines(path: &Path, differing: &mut [DecisionDifference]) -> anyhow::Result<()> {
    let mut open: HashMap<String, &mut Vec<(String, String)>> = differing
        .iter_mut()
        .map(|difference| (difference.id.clone(), &mut difference.lines))
        .collect();
    let mut before: HashMap<String, VecDeque<(String, String)>> = HashMap::new();
    log::read_log(
        path,
        &ProgressBar::hidden(),
        &mut |RecordedMessage {
                  id,
                  channel,
                  author,
                  text,
                  ..
              }| {
            let lines = before.entry(channel).or_default();
            lines.push_back((to_one_line(&author.name), to_one_line(&text)));
            if let Some(shown) = open.remove(&id) {
                shown.extend(lines.iter().cloned());
            }
            if lines.len() > LINES_BEFORE {
                lines.pop_front();
            }
            Ok(())
        },
    )?;
    Ok(())
}

/// What a person wrote, in one line that does nothing to a terminal.
fn to_one_line(text: &str) -> String {
    let mut line: String = text
        .chars()
        .map(|c| {
            if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
                ' '
            } else {
                c
            }
        })
        .take(LINE_SHOWN + 1)
        .collect();
    if line.chars().count() > LINE_SHOWN {
        line.pop();
        line.push('…');
    }
    line
}

impl DecisionDifference {
    fn format_difference(&self, f: &mut fmt::Formatter<'_>, names: &[String; 2]) -> fmt::Result {
        let time = DateTime::from_timestamp_millis(self.sides[0].at)
            .unwrap_or_default()
            .format("%Y-%m-%d %H:%M:%S");
        write!(
            f,
            "\n\n{}, message {}, {time} UTC",
            self.file,
            to_one_line(&self.id)
        )?;
        for (place, (author, text)) in self.lines.iter().enumerate() {
            let sign = if place + 1 == self.lines.len() {
                '>'
            } else {
                ' '
            };
            write!(f, "\n  {sign} {author}: {text}")?;
        }
        let wide = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or_default();
        for (name, decision) in names.iter().zip(&self.sides) {
            let does = if decision.speak { "speaks" } else { "silent" };
            let against = match decision.is_weighed() {
                true => describe_threshold(
                    decision.score,
                    decision.threshold,
                    decision.shift,
                    Language::EN,
                ),
                false => explain_decision(decision, Language::EN),
            };
            write!(f, "\n    {name:wide$}  {does}  {against}")?;
            if decision.address.is_some() {
                write!(f, ", spoken to")?;
            }
        }
        let reasons = list_differences(&self.sides, REASONS_TOLD, Language::EN);
        if reasons.is_empty() {
            write!(f, "\n    the reasons are the same")?;
        }
        for (reason, [one, two]) in reasons {
            write!(
                f,
                "\n    {} and {}  {reason}",
                format_signed(one),
                format_signed(two)
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for ReplayComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, two] = &self.names;
        let only_first = self
            .differences
            .iter()
            .filter(|difference| difference.sides[0].speak)
            .count();
        let count = self.differences.len();
        writeln!(f, "{count} of {} decisions differ", self.decisions)?;
        writeln!(
            f,
            "{one} would speak on {}, on {only_first} of them alone",
            self.speaks[0]
        )?;
        write!(
            f,
            "{two} would speak on {}, on {} of them alone",
            self.speaks[1],
            count - only_first
        )?;
        for difference in &self.differences {
            difference.format_difference(f, &self.names)?;
        }
        for doubt in &self.doubts {
            write!(f, "\n{doubt}")?;
        }
        Ok(())
    }
}
