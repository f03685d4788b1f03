//! What a replay tells: one line a decision, and a table at the end.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::lint::LintReport;
use super::live_in::LiveInTable;
use kith_core::persona::Language;
use kith_core::report::{DirectAddress, MessageDecision, ScoreTerm};
use kith_core::willingness::explain_decision;

#[derive(Clone, Debug, Default)]
pub struct ReplaySummary {
    /// Messages heard, its own included, counted once for each companion.
    pub messages: u64,
    /// Decisions on messages of other humans.
    pub decisions: u64,
    /// Of these, on how many it would speak.
    pub speaks: u64,
    /// Of these, how many were direct address.
    pub addressed: u64,
    /// Turns that would have been started.
    pub turns: u64,
    /// Estimated tokens of their first prompts.
    pub prompt_tokens: u64,
    /// Points whose message is not in the log or no message of another human.
    pub missing: u64,
    /// Logs in which the companion's author wrote nothing.
    pub silent: Vec<String>,
    /// Who wrote how much, for each log that somebody new lived in.
    pub live_in: Vec<LiveInTable>,
    pub lint_report: Option<LintReport>,
    pub duration: Duration,
}

impl ReplaySummary {
    pub fn count(&mut self, decision: &MessageDecision) {
        self.decisions += 1;
        self.speaks += u64::from(decision.speak);
        self.addressed += u64::from(decision.address.is_some());
    }

    /// What makes the recordings doubtful, for people.
    pub fn warnings(&self) -> Vec<String> {
        let missing = (self.missing > 0).then(|| {
            format!(
                "{} points name a message that is not in the log or not by another human",
                self.missing
            )
        });
        let silent = self
            .silent
            .iter()
            .map(|silent| format!("{silent}; is the id right?"));
        missing.into_iter().chain(silent).collect()
    }
}

impl fmt::Display for ReplaySummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let seconds = self.duration.as_secs_f64();
        writeln!(f, "messages            {:>12}", self.messages)?;
        writeln!(f, "decisions           {:>12}", self.decisions)?;
        writeln!(
            f,
            "would speak         {:>12}  {:.1} %",
            self.speaks,
            share(self.speaks, self.decisions)
        )?;
        writeln!(
            f,
            "direct addresses    {:>12}  {:.1} %",
            self.addressed,
            share(self.addressed, self.decisions)
        )?;
        writeln!(f, "turns               {:>12}", self.turns)?;
        let each = self.prompt_tokens / self.turns.max(1);
        writeln!(
            f,
            "prompt tokens       {:>12}  {each} a turn, estimated",
            self.prompt_tokens
        )?;
        write!(
            f,
            "time                {seconds:>10.1} s  {:.0} messages/s",
            self.messages as f64 / seconds.max(1e-9)
        )?;
        self.warnings()
            .iter()
            .try_for_each(|doubt| write!(f, "\n{doubt}"))
    }
}

pub fn write_decision(
    out: &mut impl Write,
    file: &str,
    persona: &str,
    id: &str,
    decision: &MessageDecision,
    at_arrival: f32,
) -> io::Result<()> {
    #[derive(serde::Serialize)]
    struct DecisionLine<'a> {
        f: &'a str,
        p: &'a str,
        id: &'a str,
        score: f32,
        speak: bool,
        why: LineReasons<'a>,
    }
    #[derive(serde::Serialize)]
    struct LineReasons<'a> {
        threshold: f32,
        bias: f32,
        address: Option<DirectAddress>,
        /// The score when the message came in; what it is decided with is that after its author was quiet.
        at_arrival: f32,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        wrote_on: bool,
        told: String,
        terms: TermsByName<'a>,
    }
    let MessageDecision {
        score,
        speak,
        threshold,
        bias,
        address,
        ..
    } = *decision;
    let why = LineReasons {
        threshold,
        bias,
        address,
        at_arrival,
        wrote_on: !decision.is_weighed(),
        told: explain_decision(decision, Language::EN),
        terms: TermsByName(&decision.terms),
    };
    serde_json::to_writer(
        &mut *out,
        &DecisionLine {
            f: file,
            p: persona,
            id,
            score,
            speak,
            why,
        },
    )?;
    out.write_all(b"\n")
}

/// Terms as an object: what each adds, in log-odds, by its name.
struct TermsByName<'a>(&'a [ScoreTerm]);

impl Serialize for TermsByName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for term in self.0 {
            map.serialize_entry(&term.name, &term.adds)?;
        }
        map.end()
    }
}
