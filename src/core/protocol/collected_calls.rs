//! What is found in an answer while it is read: calls, thoughts, repairs. The XML and the JSON side both write here.

use serde_json::Value;

use super::names::ToolNames;
use super::repair::{Repair, Repairs};
use crate::call::ToolCall;
use kith_language::LocalizedMessage;

/// How many things that could not be read one answer names.
const MOST_PROBLEMS: usize = 6;

/// Reads an answer inside a text of an answer; false where the text is none.
pub(super) type NestedReader = fn(&str, &ToolNames, &mut CollectedCalls) -> bool;

#[derive(Debug, Default)]
pub(super) struct CollectedCalls {
    /// In how many other answers' texts this one stands.
    pub(super) depth: usize,
    nested_reader: Option<NestedReader>,
    /// The calls come from the provider, their values whole.
    pub(super) is_native: bool,
    /// Complete calls nobody has been given yet.
    pub(super) calls: Vec<ToolCall>,
    pub(super) thoughts: String,
    pub(super) repairs: Repairs,
    /// What could not be read, for the model.
    pub(super) problems: Vec<LocalizedMessage>,
    pub(super) wants_another_round: bool,
    /// A tool whose name stands alone where its parameters may follow.
    pub(super) pending_tool: Option<String>,
}

impl CollectedCalls {
    pub(super) fn new(nested_reader: NestedReader) -> Self {
        Self {
            nested_reader: Some(nested_reader),
            ..Self::default()
        }
    }

    /// For what is found apart in the same answer.
    pub(super) fn new_beside(&self) -> Self {
        Self {
            depth: self.depth,
            nested_reader: self.nested_reader,
            ..Self::default()
        }
    }

    /// Reads text inside another structure; whether it was of a protocol.
    pub(super) fn read_nested_text(&mut self, text: &str, names: &ToolNames) -> bool {
        self.nested_reader
            .is_some_and(|read| read(text, names, self))
    }

    /// Names something that could not be read, and tells the model.
    pub(super) fn record_problem(&mut self, repair: Repair, problem: LocalizedMessage) {
        self.repairs.add(repair);
        if self.problems.len() < MOST_PROBLEMS && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Names a key of the protocol that is written in another case.
    pub(super) fn note_key(&mut self, key: &str) {
        if key.contains(char::is_uppercase) {
            self.repairs.add(Repair::KeyName);
        }
    }

    pub(super) fn add_thought(&mut self, thought: &str) {
        let thought = thought.trim();
        if thought.is_empty() {
            return;
        }
        if !self.thoughts.is_empty() {
            self.thoughts.push('\n');
        }
        self.thoughts.push_str(thought);
    }
}

/// A value as the text a person would write for it.
pub(super) fn to_plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(items) => items
            .iter()
            .map(to_plain_text)
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Object(fields) => fields
            .values()
            .map(to_plain_text)
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join("\n"),
        other => other.to_string(),
    }
}

/// Whether a flag is set, in whatever spelling.
pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => *flag,
        Value::String(text) => matches!(
            text.trim().to_ascii_lowercase().as_str(),
            "true" | "1" | "yes"
        ),
        Value::Number(number) => number.as_f64() == Some(1.0),
        _ => false,
    }
}

/// Whether a value is a number, or a text that is one.
pub(super) fn is_whole_number(value: &Value) -> bool {
    value.is_number()
        || value
            .as_str()
            .is_some_and(|text| text.trim().parse::<u64>().is_ok())
}
