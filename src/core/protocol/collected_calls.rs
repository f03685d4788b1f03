//! What is found in an answer while it is read: calls, thoughts, repairs. The XML and the JSON side both write here; a call
//! is taken under the right name, its values of the declared types, and without what people should not see.

use serde_json::{Map, Value};

use super::json_key::has_only_tool_params;
use super::names::{self, ANSWER_WORDS, TagMeaning, ToolNames, find_param, fold_name};
use super::plain_value::{is_true, is_whole_number, to_plain_text};
use super::repair::{Repair, Repairs};
use super::speech_name::resolve_speech_tool;
use super::{cleaned_text, value_coercion};
use crate::call::{ToolCall, ToolKind, ToolSpec};
use crate::schema::Param;
use kith_language::LocalizedMessage;

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
        self.add_problem(problem);
    }

    fn add_problem(&mut self, problem: LocalizedMessage) {
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

    /// Takes over what was found in another text.
    pub(super) fn merge(&mut self, other: Self) {
        self.add_thought(&other.thoughts);
        self.wants_another_round |= other.wants_another_round;
        self.calls.extend(other.calls);
        self.repairs.extend(other.repairs);
        for problem in other.problems {
            self.add_problem(problem);
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

impl CollectedCalls {
    /// Adds a call by the name the model wrote; corrects names, reads values by their types, and takes thoughts and the
    /// old flag for another round out of its parameters.
    pub(super) fn add_call(
        &mut self,
        names: &ToolNames,
        written: &str,
        mut params: Map<String, Value>,
    ) {
        let tool = names
            .find_tool_spec(written)
            .or_else(|| resolve_speech_tool(written, &params, names));
        let name = tool.map_or(written, |tool| &tool.name).to_owned();
        let shown = names::shorten_name(written);
        match tool {
            None => self.repairs.add(Repair::UnknownTool(shown)),
            Some(_) if name == written => {}
            Some(_) => self.repairs.add(Repair::ToolName(shown, name.clone())),
        }
        if let Some(fields) = tool.and_then(|tool| parse_repeated_params(&params, tool)) {
            self.repairs.add(Repair::DoubleEncoding);
            params.extend(fields);
        } else if let Some(primary) = tool.and_then(|tool| tool.primary.as_deref())
            && let Some(Value::String(text)) = params.get_mut(primary)
        {
            self.strip_end_tags(text, names);
        }
        let mut kept = Map::with_capacity(params.len());
        let mut undeclared = Vec::new();
        for (key, value) in params {
            match tool.map(|tool| (tool, find_param(tool, &key))) {
                Some((tool, Some(declared))) => {
                    if declared.name != key {
                        self.repairs.add(Repair::ParamName);
                    }
                    self.insert_declared_param(&mut kept, tool, declared, value);
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

    /// Takes the end tags of the protocol off a text; what a provider hands over as a value ends where it ends.
    fn strip_end_tags(&mut self, text: &mut String, names: &ToolNames) {
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
            self.repairs.add(Repair::XmlSyntax);
            text.truncate(before.trim_end().len());
        }
    }

    /// A parameter that the tool does not declare: another name for one that it does, or left to whoever runs the call.
    fn insert_undeclared_param(
        &mut self,
        kept: &mut Map<String, Value>,
        tool: Option<&ToolSpec>,
        key: String,
        value: Value,
    ) {
        let is_number = is_whole_number(&value);
        let is_free = |param: &Param| !kept.contains_key(&param.name);
        let known = tool.and_then(|tool| {
            Some((
                tool,
                names::find_similar_param(tool, &key, is_number, is_free)?,
            ))
        });
        match known {
            Some((tool, meant)) => {
                self.repairs.add(Repair::ParamName);
                self.insert_declared_param(kept, tool, meant, value);
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
        declared: &Param,
        value: Value,
    ) {
        let is_primary = tool.primary.as_ref() == Some(&declared.name);
        let (is_null, value) = (value.is_null(), self.strip_leaks(value, true));
        match value_coercion::coerce_value(value, declared, is_primary) {
            Some(value) => _ = kept.insert(declared.name.clone(), value),
            None if is_null => {}
            None => self.repairs.add(Repair::DroppedValue),
        }
    }

    /// The value without thoughts, special tokens and escapes in its texts: a call's parameters are what people may see.
    fn strip_leaks(&mut self, value: Value, escapes: bool) -> Value {
        match value {
            Value::String(text) => match cleaned_text::clean_text(&text, escapes) {
                None => Value::String(text),
                Some(cleaned) => {
                    self.repairs.extend(cleaned.repairs);
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

/// Whether a call is only the form of one: where its words belong stands what they are called.
pub(super) fn is_placeholder_call(call: &ToolCall, names: &ToolNames) -> bool {
    // Whoever says nothing needs no words for it.
    if call.name == "stay_silent" {
        return false;
    }
    let tool = names
        .find_named_tool(&call.name)
        .filter(|tool| tool.kind == ToolKind::Visible);
    let Some(primary) = tool.and_then(|tool| tool.primary.as_ref()) else {
        return false;
    };
    let text = call
        .params
        .get(primary)
        .and_then(Value::as_str)
        .unwrap_or_default();
    let inner = text.trim().to_lowercase();
    let inner = inner
        .trim_matches(['[', ']', '<', '>', '{', '}'])
        .trim_end_matches(['?', '.']);
    inner == primary || ANSWER_WORDS.placeholders.contains(inner)
}

/// The parameters of a call that are written once more, as JSON, where its own text belongs.
fn parse_repeated_params(
    params: &Map<String, Value>,
    tool: &ToolSpec,
) -> Option<Map<String, Value>> {
    let primary = tool.primary.as_deref()?;
    let text = params.get(primary)?.as_str()?.trim();
    if !text.starts_with('{') {
        return None;
    }
    let fields: Map<String, Value> = serde_json::from_str(text).ok()?;
    let is_whole = fields.get(primary).is_some_and(Value::is_string);
    (is_whole && has_only_tool_params(&fields, Some(tool))).then_some(fields)
}
