//! What is found in an answer while it is read: calls, thoughts, repairs. The XML and the JSON side both write here.

use serde_json::{Map, Value};

use super::leaked;
use super::names::{Names, fold, param};
use super::repair::{Repair, Repairs};
use crate::core::call::Call;
use crate::core::schema::ParamType;

/// How many things that could not be read one answer names.
const MOST_PROBLEMS: usize = 6;

/// Collected so far.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Complete calls nobody has been given yet.
    pub(super) calls: Vec<Call>,
    pub(super) thoughts: String,
    pub(super) repairs: Repairs,
    /// What could not be read, as sentences for the model.
    pub(super) problems: Vec<String>,
    /// Another round was asked for.
    pub(super) more: bool,
}

impl Found {
    /// Names something that could not be read, and tells the model.
    pub(super) fn give_up(&mut self, repair: Repair, sentence: String) {
        self.repairs.add(repair);
        if self.problems.len() < MOST_PROBLEMS && !self.problems.contains(&sentence) {
            self.problems.push(sentence);
        }
    }

    /// Adds a thought on a line of its own.
    pub(super) fn think(&mut self, thought: &str) {
        let thought = thought.trim();
        if thought.is_empty() {
            return;
        }
        if !self.thoughts.is_empty() {
            self.thoughts.push('\n');
        }
        self.thoughts.push_str(thought);
    }

    /// Adds a call by the name the model wrote; corrects names, and takes thoughts and the old flag for another
    /// round out of its parameters.
    pub(super) fn call(&mut self, names: &Names, written: &str, params: Map<String, Value>) {
        let (name, tool) = names.resolve(written, &mut self.repairs);
        let mut kept = Map::with_capacity(params.len());
        for (key, value) in params {
            let value = self.without_leaks(value);
            if let Some(declared) = tool.and_then(|tool| param(tool, &key)) {
                let value = as_list(value, declared.kind);
                if declared.name == key {
                    kept.insert(key, value);
                } else {
                    self.repairs.add(Repair::ParamName);
                    kept.insert(declared.name.clone(), value);
                }
                continue;
            }
            match &*fold(&key) {
                "innerthoughts" | "innerthought" | "thoughts" => self.think(&plain(&value)),
                "requestheartbeat" => self.more |= is_true(&value),
                _ => {
                    kept.insert(key, value);
                }
            }
        }
        self.calls.push(Call { name, params: kept });
    }

    /// The value without thoughts and special tokens in its texts: a call's parameters are what people may see.
    fn without_leaks(&mut self, value: Value) -> Value {
        match value {
            Value::String(text) => match leaked::cleaned(&text) {
                None => Value::String(text),
                Some(cleaned) => {
                    if cleaned.tokens {
                        self.repairs.add(Repair::LeakedToken);
                    }
                    if !cleaned.thoughts.is_empty() {
                        self.repairs.add(Repair::LeakedThought);
                    }
                    cleaned.thoughts.iter().for_each(|thought| self.think(thought));
                    Value::String(cleaned.text)
                }
            },
            Value::Array(items) => items.into_iter().map(|item| self.without_leaks(item)).collect(),
            Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, self.without_leaks(value))).collect(),
            other => other,
        }
    }
}

/// `<list><item>a</item><item>b</item></list>` is the list of its items where a list is declared.
fn as_list(value: Value, kind: ParamType) -> Value {
    match value {
        Value::Object(fields) if kind == ParamType::Array && fields.len() == 1 => {
            match fields.into_iter().next().map(|(_, inner)| inner) {
                Some(Value::Array(items)) => Value::Array(items),
                Some(one) => Value::Array(vec![one]),
                None => Value::Array(Vec::new()),
            }
        }
        other => other,
    }
}

/// A value as the text a person would write for it.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join("\n"),
        Value::Object(fields) => {
            fields.values().map(plain).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}

/// Whether a flag is set, in whatever spelling.
pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => *flag,
        Value::String(text) => matches!(text.trim().to_ascii_lowercase().as_str(), "true" | "1" | "yes"),
        Value::Number(number) => number.as_f64() == Some(1.0),
        _ => false,
    }
}
