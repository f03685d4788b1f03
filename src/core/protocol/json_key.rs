//! What the keys of a JSON object say: whether it is a call, names a tool, holds parameters, or is the document around
//! the calls, or nothing to be done. Takes no call out of it.

use crate::call::ToolSpec;
use serde_json::{Map, Value};

use super::names::{self, ANSWER_WORDS, fold_name};
use super::plain_value::to_plain_text;
use crate::transcript_roles;

pub(super) fn is_calls_key(key: &str) -> bool {
    #[rustfmt::skip]
    const KEYS: [&str; 9] = [
        "actions", "action", "calls", "toolcalls", "functions", "functioncalls", "tools", "commands", "parts",
    ];
    KEYS.contains(&&*fold_name(key))
}

/// How sure this key of a call holds the name of its tool: less is surer.
pub(super) fn rank_name_key(key: &str) -> Option<usize> {
    let folded = fold_name(key);
    ANSWER_WORDS
        .name_keys
        .iter()
        .position(|end| folded.ends_with(end))
}

pub(super) fn is_name_key(key: &str) -> bool {
    rank_name_key(key).is_some_and(|rank| ANSWER_WORDS.name_keys.get(rank) != Some(&"type"))
}

pub(super) fn is_params_key(key: &str) -> bool {
    names::is_params(key) || names::is_param(key)
}

/// Whether an object without its end is the document around calls, and no call itself.
pub(super) fn is_document(value: &Value) -> bool {
    let known = |key: &String| {
        is_calls_key(key) || matches!(&*fold_name(key), "thoughts" | "thought" | "reasoning")
    };
    !has_tool_name(value)
        && value
            .as_object()
            .is_some_and(|fields| fields.keys().any(known))
}

pub(super) fn has_tool_name(value: &Value) -> bool {
    let name = |(key, value): (&String, &Value)| is_name_key(key) && value.is_string();
    value
        .as_object()
        .is_some_and(|fields| fields.iter().any(name))
}

pub(super) fn has_params(call: &Value) -> bool {
    call.as_object().is_some_and(|fields| {
        fields
            .iter()
            .any(|(key, value)| is_params_key(key) && value.is_object())
    })
}

pub(super) fn has_thoughts(fields: &Map<String, Value>) -> bool {
    fields
        .iter()
        .any(|(key, value)| names::is_thinking(key) && !to_plain_text(value).trim().is_empty())
}

/// Whether the value of a key for calls holds none.
pub(super) fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// Whether it tells what a tool is like, as a prompt does, and calls none.
pub(super) fn is_tool_definition(fields: &Map<String, Value>) -> bool {
    let is_schema = |value: &Value| {
        value.get("properties").is_some_and(Value::is_object)
            || value.get("type").is_some_and(|kind| kind == "object")
    };
    fields.get("properties").is_some_and(Value::is_object) || fields.values().any(is_schema)
}

pub(super) fn is_foreign_message(fields: &Map<String, Value>) -> bool {
    let role = fields.get("role").and_then(Value::as_str).map(fold_name);
    role.is_some_and(|role| !transcript_roles::is_assistant(&role))
}

/// The parameters of a tool that an object inside its element holds: by whatever names.
pub(super) fn extract_params(
    fields: Map<String, Value>,
    tool: Option<&ToolSpec>,
) -> Option<Map<String, Value>> {
    let Some(tool) = tool else {
        return Some(fields);
    };
    let is_like = |(key, value): (&String, &Value)| is_like_param(tool, key, value);
    (!fields.is_empty() && fields.iter().all(is_like)).then_some(fields)
}

/// Whether a field is a parameter of a tool, by whatever name.
pub(super) fn is_like_param(tool: &ToolSpec, key: &str, value: &Value) -> bool {
    names::has_param(Some(tool), key)
        || names::find_similar_param(tool, key, value.is_number(), |_| true).is_some()
}

/// Whether these fields, some at least, are all parameters of this tool.
pub(super) fn has_only_tool_params(fields: &Map<String, Value>, tool: Option<&ToolSpec>) -> bool {
    !fields.is_empty() && fields.keys().all(|key| names::has_param(tool, key))
}

pub(super) fn holds_tool_params(value: &Value, tool: Option<&ToolSpec>) -> bool {
    value
        .as_object()
        .is_some_and(|fields| has_only_tool_params(fields, tool))
}

/// Takes the first field that fits out of an object.
pub(super) fn take_field(
    fields: &mut Map<String, Value>,
    fits: impl Fn(&str, &Value) -> bool,
) -> Option<(String, Value)> {
    let key = fields
        .iter()
        .find(|(key, value)| fits(key, value))?
        .0
        .clone();
    fields.shift_remove_entry(&key)
}
