//! What is wrong with a file or a setting, told to the person who wrote it: what, where, and how to mend it.
//! Holds no secret.

use std::fmt::{self, Write};
use std::path::PathBuf;

use super::secret_shape::redact_secret_shapes;
use super::text_checks::is_break_or_control;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Works, but probably not as meant.
    Warning,
    Error,
}

/// One problem. Shown as `FILE:LINE: error: message; cure`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingProblem {
    pub severity: Severity,
    /// The file it is in; none for the environment and the command line.
    pub file: Option<PathBuf>,
    /// The line in that file, counted from 1.
    pub line: Option<usize>,
    /// What is wrong, without a full stop.
    pub message: String,
    /// How to mend it, as an instruction without a full stop; empty where the message says it.
    pub cure: String,
}

impl SettingProblem {
    /// An error that belongs to no file. What looks like a secret is hidden: a key may stand anywhere in a broken file.
    pub fn error(message: impl Into<String>, cure: impl Into<String>) -> Self {
        let (message, cure) = (
            redact_secret_shapes(&message.into()),
            redact_secret_shapes(&cure.into()),
        );
        Self {
            severity: Severity::Error,
            file: None,
            line: None,
            message,
            cure,
        }
    }

    pub fn with_location(mut self, file: impl Into<PathBuf>, line: Option<usize>) -> Self {
        self.file = Some(file.into());
        self.line = line;
        self
    }

    pub fn into_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }
}

impl fmt::Display for SettingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = OneLine(f);
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
            if let Some(line) = self.line {
                write!(f, "{line}:")?;
            }
            write!(f, " ")?;
        }
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}: {}", self.message)?;
        if self.cure.is_empty() {
            Ok(())
        } else {
            write!(f, "; {}", self.cure)
        }
    }
}

/// Escapes what would break the line: a message repeats what stands in a file.
struct OneLine<'a, 'b>(&'a mut fmt::Formatter<'b>);

impl fmt::Write for OneLine<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|c| match c {
            c if is_break_or_control(c) => write!(self.0, "{}", c.escape_default()),
            c => self.0.write_char(c),
        })
    }
}
