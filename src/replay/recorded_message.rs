//! A message of a recorded chat in the form all kinds of logs are read into.

use std::path::PathBuf;

use serde::Deserialize;

use kith_core::chat::Millis;

/// Who wrote a recorded message or is mentioned in it, with the id of the log.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct RecordedAuthor {
    /// The log's id.
    pub id: String,
    pub name: String,
    /// Not a human.
    #[serde(default)]
    pub bot: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedMessage {
    /// The log's id.
    pub id: String,
    /// When it was written.
    pub at: Millis,
    /// The channel's name.
    pub channel: String,
    /// Who wrote it.
    pub author: RecordedAuthor,
    /// What it says.
    pub text: String,
    /// The message it answers.
    pub reply_to: Option<String>,
    /// Whether its author typed that reply, rather than an annotator.
    pub reply_typed: bool,
    pub mentions: Vec<String>,
}

/// Why a log cannot be read on.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file cannot be opened or read.
    #[error("{}: cannot be read; check the path and whether you may read it", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line is not what it should be.
    #[error("{}:{line}: {what}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and what is expected.
        what: String,
    },
    /// Whoever takes the messages gave up.
    #[error(transparent)]
    Stopped(anyhow::Error),
}

pub type MessageSink<'a> = dyn FnMut(RecordedMessage) -> anyhow::Result<()> + 'a;

/// Reads a time as RFC 3339.
///
/// # Errors
/// A sentence with the text that is no time.
pub fn parse_time(text: &str) -> Result<Millis, String> {
    chrono::DateTime::parse_from_rfc3339(text)
        .map(|time| time.timestamp_millis())
        .map_err(|_| format!("\"{text}\" is not a time like 2024-05-31T18:00:00Z"))
}
