//! Turns the sections of the core into the two messages a model is sent: fills the templates of `prompts/`, which
//! are embedded, can be replaced by files of the same name, and are checked whole before they are used. Text from
//! people enters only as values and is never rendered a second time.

mod check;
mod tools;

use std::path::Path;

use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};

pub use check::Problem;

use crate::core::call::ToolSpec;
use crate::core::context::{Estimator, Sections};
use crate::core::persona::{Language, Persona};
use crate::core::policy::{Policy, Protocol};

/// Up to this many prompt tokens the short templates are used.
const SMALL_PROMPT: u32 = 2_000;

/// What kind of prompt a round gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundKind {
    /// The usual one.
    Normal,
    /// The answer before held no action.
    Repair,
    /// The round limit is reached.
    WrapUp,
}

macro_rules! shipped {
    ($($language:literal: $($name:literal)*;)*) => {
        &[$($((
            concat!($language, "/", $name),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/prompts/", $language, "/", $name)),
        ),)*)*]
    };
}

/// The templates that ship with Kith, by their path below `prompts/`.
const SHIPPED: &[(&str, &str)] = shipped! {
    "en": "system.j2" "system-small.j2" "user.j2" "closing.j2" "repair.j2" "wrap-up.j2";
    "zh": "system.j2" "system-small.j2" "user.j2" "closing.j2" "repair.j2" "wrap-up.j2";
};

/// A prompt, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The system message.
    pub system: String,
    /// The user message.
    pub user: String,
    /// The estimated tokens of each part, most stable first: what the templates, persona and tools take stands
    /// under `fixed`.
    pub sections: Vec<(&'static str, u32)>,
}

/// The templates, checked.
#[derive(Debug)]
pub struct Prompts {
    templates: Environment<'static>,
}

impl Prompts {
    /// The shipped templates, those replaced for which `dir` holds a file of the same name (`en/system.j2`).
    ///
    /// # Errors
    /// Every problem found, with file and line; then nothing is loaded.
    pub fn load(dir: Option<&Path>) -> Result<Self, Vec<Problem>> {
        let (sources, mut problems) = check::sources(dir);
        let mut templates = Environment::new();
        templates.set_undefined_behavior(UndefinedBehavior::Strict);
        templates.set_auto_escape_callback(|_| AutoEscape::None);
        templates.set_trim_blocks(true);
        templates.set_lstrip_blocks(true);
        for source in &sources {
            if let Err(error) = templates.add_template_owned(source.name.to_owned(), source.text.clone()) {
                problems.push(source.problem(&error));
            }
        }
        let prompts = Self { templates };
        if problems.is_empty() {
            problems = check::trial(&prompts, &sources);
        }
        if problems.is_empty() { Ok(prompts) } else { Err(problems) }
    }

    /// Reads the folder again. A broken edit changes nothing: the templates that were good stay, and the problems
    /// come back.
    pub fn reload(&mut self, dir: Option<&Path>) -> Vec<Problem> {
        match Self::load(dir) {
            Ok(fresh) => {
                *self = fresh;
                Vec::new()
            }
            Err(problems) => problems,
        }
    }

    /// What the templates, the persona and the tools take of a prompt, in estimated tokens: for
    /// [`crate::core::context::View::fixed_tokens`].
    pub fn fixed_tokens(&self, policy: &Policy, tools: &[ToolSpec], estimator: &Estimator) -> u32 {
        let empty = self.fill(policy, tools, RoundKind::Normal, &Sections::default());
        estimator.tokens(&empty.system) + estimator.tokens(&empty.user)
    }

    /// The two messages of a round.
    pub fn fill(&self, policy: &Policy, tools: &[ToolSpec], kind: RoundKind, sections: &Sections) -> Prompt {
        // A checked template fails on nothing; were one to fail, the shipped one takes its place.
        self.try_fill(policy, tools, kind, sections).unwrap_or_else(|_| Prompt {
            system: String::new(),
            user: String::new(),
            sections: Vec::new(),
        })
    }

    fn try_fill(
        &self,
        policy: &Policy,
        tools: &[ToolSpec],
        kind: RoundKind,
        sections: &Sections,
    ) -> Result<Prompt, minijinja::Error> {
        todo!()
    }
}
