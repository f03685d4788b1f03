//! What is found in an answer while it is read: calls, thoughts, repairs. The XML and the JSON side both write here.

use serde_json::{Map, Value};

use super::names::{self, TagMeaning, ToolNames, find_param, fold_name};
use super::repair::{Repair, Repairs};
use super::{cleaned_text, form, speech, typed};
use crate::call::{ToolCall, ToolSpec};

/// How many things that could not be read one answer names.
const MOST_PROBLEMS: usize = 6;

/// Collected so far.
#[derive(Debug, Default)]
pub(super) struct CollectedCalls {
    /// In how many other answers' texts this one stands.
    pub(super) depth: usize,
    /// The calls come from the provider, their values whole.
    pub(super) is_native: bool,
    /// Complete calls nobody has been given yet.
    pub(super) calls: Vec<ToolCall>,
    pub(super) thoughts: String,
    pub(super) repairs: Repairs,
    /// What could not be read, as sentences for the model.
    pub(super) problems: Vec<String>,
    /// Another round was asked for.
    pub(super) wants_another_round: bool,
    /// A tool whose name stands alone where its parameters may follow.
    pub(super) pending_tool: Option<String>,
}

impl CollectedCalls {
    /// Names something that could not be read, and tells the model.
    pub(super) fn record_problem(&mut self, repair: Repair, sentence: String) {
        self.repairs.add(repair);
        if self.problems.len() < MOST_PROBLEMS && !self.problems.contains(&sentence) {
            self.problems.push(sentence);
        }
    }

    /// Names a key of the protocol that is written in another case.
    pub(super) fn note_key(&mut self, key: &str) {
        if key.contains(char::is_uppercase) {
            self.repairs.add(Repair::KeyName);
        }
    }

    /// Adds a thought on a line of its own.
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

    /// Adds a call by the name the model wrote; corrects names, reads values by their types, and takes thoughts and the
    /// old flag for another round out of its parameters.
    pub(super) fn add_call(
        &mut self,
        names: &ToolNames,
        written: &str,
        params: Map<String, Value>,
    ) {
        let speech_tool = names
            .find_tool_spec(written)
            .is_none()
            .then(|| speech::resolve_speech_tool(written, &params, names))
            .flatten();
        let (name, tool) = match speech_tool {
            Some(tool) => {
                self.repairs.add(Repair::ToolName(
                    names::shorten_name(written),
                    tool.name.clone(),
                ));
                (tool.name.clone(), Some(tool))
            }
            None => names.resolve_tool(written, &mut self.repairs),
        };
        let params = match tool {
            Some(tool) => self.strip_nested_element(names, tool, params),
            None => params,
        };
        let mut kept = Map::with_capacity(params.len());
        let mut undeclared = Vec::new();
        for (key, value) in params {
            match tool.map(|tool| (tool, find_param(tool, &key))) {
                Some((tool, Some(declared))) => {
                    if declared.name != key {
                        self.repairs.add(Repair::ParamName);
                    }
                    self.insert_declared_param(&mut kept, tool, declared.name.clone(), value);
                }
                _ => undeclared.push((key, value)),
            }
        }
        for (key, value) in undeclared {
            match &*fold_name(&key) {
                folded if names::is_thinking(folded) => self.add_thought(&to_plain_text(&value)),
                "requestheartbeat" => self.wants_another_round |= is_true(&value),
                // The name of the call itself, and what a provider numbers it with.
                _ if value
                    .as_str()
                    .is_some_and(|text| text == written || text == name) => {}
                "callid" | "toolcallid" | "tooluseid" | "index" => {}
                folded => {
                    let is_id = folded == "id";
                    self.insert_undeclared_param(&mut kept, tool, key, value);
                    if is_id && tool.is_some() {
                        kept.shift_remove("id");
                    }
                }
            }
        }
        self.calls.push(ToolCall { name, params: kept });
    }

    /// The parameters, where their text is the call once more or ends in end tags of the protocol.
    fn strip_nested_element(
        &mut self,
        names: &ToolNames,
        tool: &ToolSpec,
        mut params: Map<String, Value>,
    ) -> Map<String, Value> {
        let primary = tool.primary.as_deref().unwrap_or_default();
        let Some(Value::String(text)) = params.get_mut(primary) else {
            return params;
        };
        if let Some(fields) = form::parse_repeated_params(text, primary, tool) {
            self.repairs.add(Repair::DoubleEncoding);
            params.extend(fields);
            return params;
        }
        if !text.trim_end().ends_with('>') {
            return params;
        }
        if text.trim_start().starts_with("<turn")
            || text.trim_start().starts_with(&format!("<{}", tool.name))
        {
            let mut inner = Self {
                depth: self.depth,
                ..Self::default()
            };
            if super::scan::scan_nested_text(text, names, &mut inner)
                && let [call] = inner.calls.as_slice()
                && call.name == tool.name
            {
                self.repairs.add(Repair::XmlInJson);
                params.extend(call.params.clone());
                return params;
            }
        }
        // What a provider hands over as a value ends where it ends.
        while !self.is_native
            && let Some((before, name)) = text
                .trim_end()
                .strip_suffix('>')
                .and_then(|text| text.rsplit_once("</"))
            && matches!(
                names.classify_name(name),
                TagMeaning::Turn | TagMeaning::Tool(_) | TagMeaning::Wrapper
            )
            && !before.contains(&format!("<{name}"))
        {
            self.repairs.add(Repair::WrongEndTag);
            *text = before.trim_end().to_owned();
        }
        params
    }

    /// A parameter that the tool does not declare: another name for one that it does, or left to whoever runs the call.
    fn insert_undeclared_param(
        &mut self,
        kept: &mut Map<String, Value>,
        tool: Option<&ToolSpec>,
        key: String,
        value: Value,
    ) {
        let is_number = value.is_number()
            || value
                .as_str()
                .is_some_and(|text| text.trim().parse::<u64>().is_ok());
        let known = tool.and_then(|tool| {
            let meant = names::find_similar_param(tool, &key, is_number, |param| {
                !kept.contains_key(&param.name)
            })?;
            Some((tool, meant.name.clone()))
        });
        match known {
            Some((tool, name)) => {
                self.repairs.add(Repair::ParamName);
                self.insert_declared_param(kept, tool, name, value);
            }
            None => {
                let value = self.strip_leaks(value, false);
                kept.insert(key, value);
            }
        }
    }

    fn insert_declared_param(
        &mut self,
        kept: &mut Map<String, Value>,
        tool: &ToolSpec,
        name: String,
        value: Value,
    ) {
        let Some(declared) = tool.schema.params.iter().find(|param| param.name == name) else {
            return;
        };
        let is_primary = tool.primary.as_ref() == Some(&name);
        let (is_null, value) = (value.is_null(), self.strip_leaks(value, true));
        match typed::coerce_value(value, declared, is_primary) {
            Some(value) => _ = kept.insert(name, value),
            None if is_null => {}
            None => self.repairs.add(Repair::DroppedValue),
        }
    }

    /// The value without thoughts, special tokens and escapes in its texts: a call's parameters are what people may see.
    fn strip_leaks(&mut self, value: Value, escapes: bool) -> Value {
        match value {
            // What Gemma quotes with, where it was read as letters.
            Value::String(text) if strip_enclosing_mark(&text, "<escape>").is_some() => {
                self.repairs.add(Repair::LeakedToken);
                self.strip_leaks(
                    strip_enclosing_mark(&text, "<escape>")
                        .unwrap_or_default()
                        .into(),
                    escapes,
                )
            }
            Value::String(text) => match cleaned_text::clean_text(&text, escapes) {
                None => Value::String(text),
                Some(cleaned) => {
                    if cleaned.tokens {
                        self.repairs.add(Repair::LeakedToken);
                    }
                    if !cleaned.thoughts.is_empty() {
                        self.repairs.add(Repair::LeakedThought);
                    }
                    if cleaned.escapes {
                        self.repairs.add(Repair::BadEscape);
                    }
                    cleaned
                        .thoughts
                        .iter()
                        .for_each(|thought| self.add_thought(thought));
                    Value::String(cleaned.text)
                }
            },
            Value::Array(items) => items
                .into_iter()
                .map(|item| self.strip_leaks(item, escapes))
                .collect(),
            Value::Object(fields) => fields
                .into_iter()
                .map(|(key, value)| (key, self.strip_leaks(value, escapes)))
                .collect(),
            other => other,
        }
    }
}

/// What stands between two of the same mark.
fn strip_enclosing_mark<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    text.trim().strip_prefix(mark)?.strip_suffix(mark)
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
