//! What the companion means to do step by step: a short list that the model writes the way it is shown. Pure; where it
//! is kept is others' business.

use kith_language::{LocalizedMessage, tools};
use std::fmt;

use super::context::escape;

/// The tool that writes it.
pub const TODO: &str = "todo";
pub const MOST_STEPS: usize = 20;
/// The longest step, in characters: the list stands in every prompt.
pub const STEP_CHARACTERS: usize = 160;
/// After so many rounds without an update of an open list the model is reminded of it.
pub const REMINDED_AFTER: usize = 3;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepProgress {
    #[default]
    Open,
    Doing,
    Done,
}

impl StepProgress {
    fn mark(self) -> &'static str {
        match self {
            Self::Open => "[ ]",
            Self::Doing => "[>]",
            Self::Done => "[x]",
        }
    }

    /// The mark a line begins with and what stands behind it. Text in prompts has round brackets for square ones.
    fn parse_mark(line: &str) -> (Self, &str) {
        let marks = [
            (Self::Open, ["[ ]", "[]", "( )"]),
            (Self::Doing, ["[>]", "[~]", "(>)"]),
            (Self::Done, ["[x]", "[X]", "(x)"]),
        ];
        let all = marks
            .iter()
            .flat_map(|(progress, marks)| marks.iter().map(move |mark| (*progress, *mark)));
        all.filter_map(|(progress, mark)| Some((progress, line.strip_prefix(mark)?)))
            .next()
            .unwrap_or((Self::Open, line))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanStep {
    pub progress: StepProgress,
    /// What is to be done, in one line.
    pub text: String,
}

/// The list. Shown as `[>] ask Anna`, a line each, with the count of what is done below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    steps: Vec<PlanStep>,
}

impl Plan {
    /// Reads a list as it is shown, with or without what stands below it; a line without a mark is still to be done.
    ///
    /// # Errors
    /// A sentence for the model: too many steps, too long a step, or two that are being done.
    pub fn parse(text: &str) -> Result<Self, LocalizedMessage> {
        let lines = text.split(['\n', '\r', '¶']).map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !is_count(line) && *line != NOTHING);
        let steps: Vec<PlanStep> = lines
            .map(|line| {
                let (progress, text) =
                    StepProgress::parse_mark(line.trim_start_matches(['-', '*', '•']).trim_start());
                PlanStep {
                    progress,
                    text: text.split_whitespace().collect::<Vec<_>>().join(" "),
                }
            })
            .filter(|step| !step.text.is_empty())
            .collect();
        if steps.len() > MOST_STEPS {
            return Err(tools::too_many_steps(MOST_STEPS, steps.len()));
        }
        if let Some(long) = steps
            .iter()
            .position(|step| step.text.chars().count() > STEP_CHARACTERS)
        {
            return Err(tools::step_too_long(STEP_CHARACTERS, long + 1));
        }
        if steps
            .iter()
            .filter(|step| step.progress == StepProgress::Doing)
            .count()
            > 1
        {
            return Err(tools::one_step_at_a_time());
        }
        Ok(Self { steps })
    }

    pub fn steps(&self) -> &[PlanStep] {
        &self.steps
    }

    pub fn is_open(&self) -> bool {
        self.steps
            .iter()
            .any(|step| step.progress != StepProgress::Done)
    }

    /// The steps alone, a line each: what is kept.
    pub fn to_lines(&self) -> String {
        let lines = self
            .steps
            .iter()
            .map(|step| format!("{} {}", step.progress.mark(), step.text));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The list as the prompt shows it: what a step says may repeat what people said.
    pub fn shown(&self) -> String {
        let mut out = String::new();
        for step in &self.steps {
            out.push_str(step.progress.mark());
            out.push(' ');
            escape::escape_line(&mut out, &step.text, &|_| None);
            out.push('\n');
        }
        out + &self.render_count()
    }

    fn render_count(&self) -> String {
        let done = self
            .steps
            .iter()
            .filter(|step| step.progress == StepProgress::Done)
            .count();
        format!("({done}/{} completed)", self.steps.len())
    }
}

/// What is told of a list without steps.
const NOTHING: &str = "No todos.";

fn is_count(line: &str) -> bool {
    line.starts_with('(') && line.ends_with(" completed)") && line.contains('/')
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() {
            f.write_str(NOTHING)
        } else {
            write!(f, "{}\n{}", self.to_lines(), self.render_count())
        }
    }
}
