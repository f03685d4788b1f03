//! Tools of the host's own: each is told of in a definition file and is of one of a few kinds. Knows nothing of files or
//! their form; who reads them hands over what stands in them.

mod check;
mod command;
mod definition;
mod events;
mod shape;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

pub use check::{Known, Wrong};
pub use command::Command;
pub use definition::{Definition, Filter, InOrder, Parameter};
pub use events::{Events, SessionEvent};

use super::tool::{DEFAULT_TIME_OUT, Face};
use super::{Origin, Registry, Taken, Tool, ToolContext};
use crate::core::call::{Annotations, CallResult, Offer};

/// A definition and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Defined {
    /// The tool's name.
    pub name: String,
    /// The file.
    pub file: Arc<Path>,
    /// The line on which it begins.
    pub line: usize,
    /// What stands there.
    pub definition: Definition,
}

/// What runs when a tool is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A program on this machine.
    Command(Command),
}

/// The names of the tables that say of which kind a tool is.
const KINDS: &str = "command";

impl Definition {
    /// Of which kind it is; none where no table says so, or more than one.
    pub fn kind(&self) -> Option<Kind> {
        let mut kinds = self.kinds();
        if kinds.len() == 1 { kinds.pop() } else { None }
    }

    fn kinds(&self) -> Vec<Kind> {
        [self.command.clone().map(Kind::Command)].into_iter().flatten().collect()
    }
}

impl Kind {
    /// What people call it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Command(_) => "command",
        }
    }

    /// What is wrong with it, its places below the tool's table.
    fn problems(&self, of: &Defined, known: &Known<'_>) -> Vec<Wrong> {
        match self {
            Self::Command(command) => command.problems(of, known),
        }
    }

    /// Runs it with checked parameters.
    async fn run(&self, of: &Defined, params: Map<String, Value>, context: ToolContext) -> CallResult {
        match self {
            Self::Command(command) => command.run(of, params, context).await,
        }
    }
}

impl Defined {
    /// Where it comes from.
    pub fn origin(&self) -> Origin {
        Origin::File(self.file.clone(), self.line)
    }

    /// How long one run may take.
    pub fn time_out(&self) -> Duration {
        let set = self.definition.time_out_seconds.and_then(|seconds| Duration::try_from_secs_f32(seconds).ok());
        set.unwrap_or(DEFAULT_TIME_OUT)
    }

    /// The tool it defines; none where nothing says what runs.
    pub fn tool(&self) -> Option<Tool> {
        let Definition { action, title, read_only, idempotent, optional, deferred, .. } = &self.definition;
        let kind = self.definition.kind()?;
        let face = Face {
            name: self.name.clone(),
            kind: *action,
            annotations: Annotations {
                title: title.clone(),
                read_only: *read_only,
                idempotent: *idempotent || *read_only,
            },
            offer: if *deferred { Offer::Found } else { Offer::Always },
            primary: self.definition.primary.clone(),
            parameters: self.definition.json_schema(),
            origin: self.origin(),
        };
        let both = Arc::new((self.clone(), kind));
        let mut tool = Tool::defined(face, move |params, context: ToolContext| {
            let both = both.clone();
            async move {
                let (of, kind) = &*both;
                let result = kind.run(of, params.clone(), context).await;
                shape::shape(&of.definition, &of.name, &params, result)
            }
        });
        if *optional {
            tool = tool.optional();
        }
        tool = tool.time_out(self.time_out());
        if let Some(characters) = self.definition.result_characters {
            tool = tool.result_characters(characters);
        }
        Some(tool)
    }
}

/// The tools that ship with Kith and those of these definitions; which of them are left out, because their name is taken.
pub fn registry(defined: &[Defined]) -> (Registry, Vec<Taken>) {
    Registry::with(defined.iter().filter_map(Defined::tool))
}
