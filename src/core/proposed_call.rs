//! A call of a tool that waits for a person's decision. Plain data: what is approved is exactly this, whatever the lines
//! of the history are numbered by then.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::call::ToolCall;
use super::chat::{Author, ChannelId, GuildId, MessageId, UserId};
use super::truncate::truncate_line;

/// The most characters of parameters where they are told in a line.
const GIVEN: usize = 120;
/// The parameter in which tools are given the number of a line.
const LINE: &str = "line";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProposedCall {
    pub guild: GuildId,
    pub channel: ChannelId,
    /// The tool, and its checked parameters.
    pub call: ToolCall,
    /// A fingerprint of what the tool was made of; empty of one that ships with Kith.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub definition: String,
    /// What the tool itself says it would do; empty where the parameters say enough.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub preview: String,
    /// Everybody who spoke to the companion in the turn.
    pub causes: Vec<Author>,
    /// The lines the parameters may mean, by number: their messages then, and authors. It runs on these and no others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lines: BTreeMap<u16, (MessageId, Author)>,
}

impl ProposedCall {
    /// The message it is about, where its parameters name one line.
    pub fn line(&self) -> Option<(MessageId, &Author)> {
        let number = u16::try_from(self.call.params.get(LINE)?.as_u64()?).ok()?;
        self.lines
            .get(&number)
            .map(|(message, author)| (*message, author))
    }

    /// Whether another one comes to the same: the same numbers of lines may be other lines by then.
    pub fn is_like(&self, other: &Self) -> bool {
        let line = |one: &Self| one.line().map(|(message, _)| message);
        (self.channel, &self.call, line(self)) == (other.channel, &other.call, line(other))
    }

    /// Everything in it that the model or a tool wrote.
    pub fn texts(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.call.params.keys().cloned().collect();
        texts.append(&mut collect_texts(&self.call.params));
        texts.push(self.preview.clone());
        texts
    }

    pub fn parameter_summary(&self) -> String {
        let plain = |value: &Value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        };
        truncate_line(
            &self
                .call
                .params
                .values()
                .map(plain)
                .collect::<Vec<_>>()
                .join(" · "),
            GIVEN,
        )
    }

    /// Whether somebody asked for it, or wrote a line it is about.
    pub fn is_related_to(&self, user: UserId) -> bool {
        let wrote = self.lines.values().map(|(_, author)| author);
        self.causes
            .iter()
            .chain(wrote)
            .any(|author| author.id == user)
    }
}

/// Every text and number of parameters: what may name a line or a person.
pub fn collect_texts(params: &Map<String, Value>) -> Vec<String> {
    let mut words = Vec::new();
    params
        .values()
        .for_each(|value| append_texts(value, &mut words));
    words
}

/// Every text and number of a value, names of fields included.
fn append_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Number(number) => texts.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| append_texts(item, texts)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            texts.push(name.clone());
            append_texts(value, texts);
        }),
        Value::Null | Value::Bool(_) => {}
    }
}
