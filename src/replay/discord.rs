//! DiscordChatExporter's JSON as a stream: one large object whose `messages` are handed over while it is read.

use std::cell::RefCell;
use std::io::BufRead;
use std::path::Path;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::recorded_message::{LogError, MessageSink, RecordedAuthor, RecordedMessage, parse_time};

/// Whether a file's first bytes are the start of an export: its first key is the guild.
pub fn is_export_start(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let inside = text.trim_start().strip_prefix('{');
    inside.is_some_and(|inside| inside.trim_start().starts_with("\"guild\""))
}

/// Reads an export.
///
/// # Errors
/// As [`super::log::read_log`].
pub fn read_export(
    path: &Path,
    file: impl BufRead,
    take: &mut MessageSink<'_>,
) -> Result<(), LogError> {
    let stopped = RefCell::new(None);
    let mut source = serde_json::Deserializer::from_reader(file);
    let export = Export {
        take,
        stopped: &stopped,
        channel: String::new(),
    };
    let result = export.deserialize(&mut source).and_then(|()| source.end());
    if let Some(stopped) = stopped.into_inner() {
        return Err(LogError::Stopped(stopped));
    }
    result.map_err(|error| LogError::Malformed {
        path: path.to_owned(),
        line: error.line(),
        what: format!("not a whole DiscordChatExporter file (format Json): {error}"),
    })
}

/// The object around the messages; the channel stands before them.
struct Export<'a, 'b> {
    take: &'a mut MessageSink<'b>,
    /// Why whoever takes the messages gave up; serde's own errors are text only.
    stopped: &'a RefCell<Option<anyhow::Error>>,
    channel: String,
}

#[derive(Deserialize)]
struct ExportedChannel {
    name: String,
}

impl<'de> DeserializeSeed<'de> for Export<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Export<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object with guild, channel and messages")
    }

    fn visit_map<M: MapAccess<'de>>(mut self, mut map: M) -> Result<(), M::Error> {
        let mut found = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "channel" => self.channel = map.next_value::<ExportedChannel>()?.name,
                "messages" => {
                    found = true;
                    map.next_value_seed(Messages(&mut self))?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if found {
            Ok(())
        } else {
            Err(M::Error::missing_field("messages"))
        }
    }
}

struct Messages<'m, 'a, 'b>(&'m mut Export<'a, 'b>);

impl<'de> DeserializeSeed<'de> for Messages<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Messages<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of messages")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<(), S::Error> {
        while let Some(message) = seq.next_element::<ExportedMessage>()? {
            // Joins, pins and calls are no messages of people.
            if !matches!(message.kind.as_str(), "Default" | "Reply") {
                continue;
            }
            let recorded = message
                .into_recorded(&self.0.channel)
                .map_err(S::Error::custom)?;
            if let Err(stop) = (self.0.take)(recorded) {
                *self.0.stopped.borrow_mut() = Some(stop);
                return Err(S::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExportedMessage {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    timestamp: String,
    content: String,
    author: ExportedAuthor,
    #[serde(default)]
    attachments: Vec<Attachment>,
    #[serde(default)]
    stickers: Vec<ExportedChannel>,
    #[serde(default)]
    mentions: Vec<ExportedMention>,
    #[serde(default)]
    reference: Option<Reference>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExportedAuthor {
    id: String,
    name: String,
    #[serde(default)]
    nickname: Option<String>,
    #[serde(default)]
    is_bot: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attachment {
    file_name: String,
}

#[derive(Deserialize)]
struct ExportedMention {
    id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reference {
    message_id: Option<String>,
}

impl ExportedMessage {
    fn into_recorded(self, channel: &str) -> Result<RecordedMessage, String> {
        let mut text = self.content;
        let files = self
            .attachments
            .iter()
            .map(|file| format!("[file: {}]", file.file_name));
        for note in files.chain(
            self.stickers
                .iter()
                .map(|sticker| format!("[sticker: {}]", sticker.name)),
        ) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&note);
        }
        let name = self
            .author
            .nickname
            .filter(|name| !name.is_empty())
            .unwrap_or(self.author.name);
        Ok(RecordedMessage {
            at: parse_time(&self.timestamp)?,
            id: self.id,
            channel: channel.to_owned(),
            author: RecordedAuthor {
                id: self.author.id,
                name,
                bot: self.author.is_bot,
            },
            text,
            reply_to: self.reference.and_then(|reference| reference.message_id),
            reply_typed: true,
            mentions: self
                .mentions
                .into_iter()
                .map(|mentioned| mentioned.id)
                .collect(),
        })
    }
}
