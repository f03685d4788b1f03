//! A message of a recorded chat in the form all kinds of logs are read into.

use std::path::PathBuf;

use serde::Deserialize;

use kith_core::chat::Millis;

/// Who wrote a recorded message or is mentioned in it, with the id of the log.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct RecordedAuthor {
    pub id: String,
    pub name: String,
    #[serde(default)]
    pub bot: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedMessage {
    pub id: String,
    pub at: Millis,
    pub channel: String,
    pub author: RecordedAuthor,
    pub text: String,
    pub reply_to: Option<String>,
    /// Whether its author typed that reply, rather than an annotator.
    pub reply_typed: bool,
    pub mentions: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("{}: cannot be read; check the path and whether you may read it", path.display())]
    Unreadable {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}:{line}: {what}", path.display())]
    Malformed {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        what: String,
    },
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
