//! Recorded chats, read as a stream in one common form: JSON Lines of the group-chat data, and DiscordChatExporter's
//! JSON. Never holds more than one message; every error names file and line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use indicatif::ProgressBar;
use serde::Deserialize;

use super::discord;
use super::recorded_message::{LogError, MessageSink, RecordedAuthor, RecordedMessage, parse_time};

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
    let start = file.fill_buf().map_err(unreadable)?;
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return Err(LogError::Malformed {
            path: path.to_owned(),
            line: 1,
            what: "the file is UTF-16: save it as UTF-8".to_owned(),
        });
    }
    if start.starts_with(b"\xef\xbb\xbf") {
        file.consume(3);
    }
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
