//! A call of a tool that waits for a person's decision. Plain data: what is approved is exactly this, whatever the lines
//! of the history are numbered by then.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::call::Call;
use super::chat::{Author, ChannelId, GuildId, MessageId, UserId};
use super::shorten::shortened;

/// The most characters of parameters where they are told in a line.
const GIVEN: usize = 120;

/// One call of a tool as it was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProposedCall {
    /// In which guild.
    pub guild: GuildId,
    /// In which channel.
    pub channel: ChannelId,
    /// The tool, and its checked parameters.
    pub call: Call,
    /// What the tool itself says it would do; empty where the parameters say enough.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub preview: String,
    /// Everybody who spoke to the companion in the turn.
    pub causes: Vec<Author>,
    /// The messages behind the numbers of lines in the parameters, and who wrote them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lines: BTreeMap<u16, (MessageId, Author)>,
}

impl ProposedCall {
    /// Everything in it that the model or a tool wrote.
    pub fn texts(&self) -> Vec<String> {
        let mut texts = texts_of(&self.call.params);
        texts.push(self.preview.clone());
        texts
    }

    /// The parameters in a line.
    pub fn given(&self) -> String {
        let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        shortened(&self.call.params.values().map(plain).collect::<Vec<_>>().join(" · "), GIVEN)
    }

    /// Whether somebody asked for it, or wrote a line it is about.
    pub fn concerns(&self, user: UserId) -> bool {
        let wrote = self.lines.values().map(|(_, author)| author);
        self.causes.iter().chain(wrote).any(|author| author.id == user)
    }
}

/// What may be numbers of lines in parameters.
pub fn numbers(params: &Map<String, Value>) -> Vec<u16> {
    texts_of(params).iter().filter_map(|text| text.trim().trim_start_matches('#').parse().ok()).collect()
}

fn texts_of(params: &Map<String, Value>) -> Vec<String> {
    let mut texts = Vec::new();
    params.iter().for_each(|(name, value)| {
        texts.push(name.clone());
        written(value, &mut texts);
    });
    texts
}

/// Every text and number of a value, names of fields included.
fn written(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Number(number) => texts.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| written(item, texts)),
        Value::Object(fields) => texts.extend(texts_of(fields)),
        Value::Null | Value::Bool(_) => {}
    }
}
