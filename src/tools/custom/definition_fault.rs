//! What can be wrong with a definition, and what a definition may refer to.

use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionFault {
    /// The dotted path of what is wrong, below the tool's table; empty for the table itself.
    pub at: String,
    /// What is wrong, without a full stop.
    pub message: String,
    /// How to mend it, as an instruction.
    pub cure: String,
    /// Whether it works all the same.
    pub is_warning: bool,
}

impl DefinitionFault {
    pub fn new(at: impl Into<String>, message: impl Into<String>, cure: impl Into<String>) -> Self {
        Self {
            at: at.into(),
            message: message.into(),
            cure: cure.into(),
            is_warning: false,
        }
    }

    pub fn into_warning(self) -> Self {
        Self {
            is_warning: true,
            ..self
        }
    }
}

#[derive(Clone, Debug)]
pub struct DefinitionContext<'a> {
    pub secrets: &'a [String],
    pub folder: &'a Path,
}

/// A secret is named that the settings do not have.
pub(super) fn missing_secret_fault(at: impl Into<String>, secret: &str) -> DefinitionFault {
    let cure = format!("add a line `{secret} = {{ file = \"…\" }}` to [secrets] of the settings");
    DefinitionFault::new(at, format!("there is no secret `{secret}`"), cure)
}
