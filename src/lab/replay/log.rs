//! Recorded chats, read as a stream in one common form: JSON Lines of the group-chat data, and DiscordChatExporter's
//! JSON. Never holds more than one message; every error names file and line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use serde::Deserialize;

use super::discord;
use kith_core::chat::Millis;

/// Who wrote a recorded message or is mentioned in it, with the id of the log.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct RecordedAuthor {
    /// The log's id.
    pub id: String,
    /// The name shown.
    pub name: String,
    /// Not a human.
    #[serde(default)]
    pub bot: bool,
}

/// A recorded message, with the ids of the log.
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
    /// The people it mentions.
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

/// Takes messages one by one.
pub type MessageSink<'a> = dyn FnMut(RecordedMessage) -> anyhow::Result<()> + 'a;

/// Reads a log of either form and hands over its messages in order; joins, pins and other notices are left out.
/// `progress` moves by bytes.
///
/// # Errors
/// [`LogError`], with file and line.
pub fn read_log(
    path: &Path,
    progress: &ProgressBar,
    take: &mut MessageSink<'_>,
) -> Result<(), LogError> {
    let unreadable = |source| LogError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(unreadable)?;
    let mut file = BufReader::with_capacity(64 * 1024, progress.wrap_read(file));
    let is_export = discord::is_export_start(file.fill_buf().map_err(unreadable)?);
    if is_export {
        discord::read_export(path, file, take)
    } else {
        read_lines(path, file, take)
    }
}

/// A line of the group-chat data.
#[derive(Deserialize)]
struct Line {
    id: String,
    ts: String,
    #[serde(default)]
    channel: String,
    author: RecordedAuthor,
    content: String,
    #[serde(default)]
    reply_to: Option<String>,
    #[serde(default)]
    mentions: Vec<String>,
    #[serde(default)]
    system: bool,
}

fn read_lines(
    path: &Path,
    mut file: impl BufRead,
    take: &mut MessageSink<'_>,
) -> Result<(), LogError> {
    let mut buffer = Vec::new();
    for line in 1.. {
        buffer.clear();
        let size = file
            .read_until(b'\n', &mut buffer)
            .map_err(|source| LogError::Unreadable {
                path: path.to_owned(),
                source,
            })?;
        if size == 0 {
            break;
        }
        if buffer.trim_ascii().is_empty() {
            continue;
        }
        let malformed = |what: String| LogError::Malformed {
            path: path.to_owned(),
            line,
            what,
        };
        let read: Line = serde_json::from_slice(&buffer).map_err(|error| {
            malformed(format!(
                "not a message: {error}; expected one JSON object a line with id, ts, author and content, or a \
                 DiscordChatExporter JSON file"
            ))
        })?;
        if read.system {
            continue;
        }
        let message = RecordedMessage {
            at: parse_time(&read.ts).map_err(malformed)?,
            id: read.id,
            channel: read.channel,
            author: read.author,
            text: read.content,
            reply_to: read.reply_to,
            reply_typed: false,
            mentions: read.mentions,
        };
        take(message).map_err(LogError::Stopped)?;
    }
    Ok(())
}

/// Reads a time as RFC 3339.
///
/// # Errors
/// A sentence with the text that is no time.
pub fn parse_time(text: &str) -> Result<Millis, String> {
    chrono::DateTime::parse_from_rfc3339(text)
        .map(|time| time.timestamp_millis())
        .map_err(|_| format!("\"{text}\" is not a time like 2024-05-31T18:00:00Z"))
}
