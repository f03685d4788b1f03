//! The parameters of a call out of whatever holds them: an object, a list of pairs or of values in their order, text in
//! JSON or in the writing of a program, or only the one that matters most.

use serde_json::{Map, Value};

use super::collected_calls::CollectedCalls;
use super::json::parse_document;
use super::json_key::{is_params_key, take_field};
use super::names::{self, ToolNames};
use super::plain_value::is_whole_number;
use super::repair::Repair;
use super::spelled_text;
use crate::call::ToolSpec;
use crate::schema::ParamType;

pub(super) fn read_params(
    written: &str,
    value: Value,
    names: &ToolNames,
    found: &mut CollectedCalls,
) -> Map<String, Value> {
    let tool = names.find_tool_spec(written);
    match value {
        Value::Object(fields) => unwrap_params(fields, tool),
        Value::Null => Map::new(),
        Value::String(text) => read_text_params(&text, tool, written, names, found),
        Value::Array(list) if !list.is_empty() && list.iter().all(Value::is_object) => {
            found.repairs.add(Repair::ParamsPlace);
            join_params(list)
        }
        Value::Array(list) if list.len() > 1 => {
            found.repairs.add(Repair::ParamsPlace);
            assign_params_in_order(list, tool)
        }
        other => {
            found.repairs.add(Repair::ParamsPlace);
            Map::from_iter([(find_primary_param(tool), other)])
        }
    }
}

fn read_text_params(
    text: &str,
    tool: Option<&ToolSpec>,
    written: &str,
    names: &ToolNames,
    found: &mut CollectedCalls,
) -> Map<String, Value> {
    let trimmed = text.trim();
    if trimmed.starts_with(['{', '['])
        && let Some(value @ (Value::Object(_) | Value::Array(_))) =
            parse_document(trimmed, &mut found.repairs)
    {
        found.repairs.add(Repair::DoubleEncoding);
        return read_params(written, value, names, found);
    }
    found.repairs.add(Repair::ParamsPlace);
    tool.and_then(|tool| spelled_text::parse_keywords(trimmed, tool))
        .unwrap_or_else(|| Map::from_iter([(find_primary_param(tool), text.into())]))
}

/// Whether a text can only be one parameter of this tool, so that several are several calls.
pub(super) fn has_single_text_param(tool: &ToolSpec) -> bool {
    use ParamType::{Boolean, Integer, Number};
    tool.schema
        .params
        .iter()
        .filter(|param| !matches!(param.kind, Boolean | Integer | Number))
        .count()
        == 1
}

/// The parameter that text without a name fills.
pub(super) fn find_primary_param(tool: Option<&ToolSpec>) -> String {
    let Some(tool) = tool else {
        return "text".to_owned();
    };
    let only = || Some(names::take_only(tool.schema.params.iter())?.name.clone());
    tool.primary
        .clone()
        .or_else(only)
        .unwrap_or_else(|| "text".to_owned())
}

/// Parameters below another key for them, and names and values in two lists.
fn unwrap_params(mut fields: Map<String, Value>, tool: Option<&ToolSpec>) -> Map<String, Value> {
    let held = take_field(&mut fields, |key, value| {
        is_params_key(key) && value.is_object() && !names::has_param(tool, key)
    });
    if let Some((_, Value::Object(inner))) = held {
        let mut inner = unwrap_params(inner, tool);
        for (key, value) in fields {
            inner.entry(key).or_insert(value);
        }
        return inner;
    }
    fields
}

pub(super) fn join_params(list: Vec<Value>) -> Map<String, Value> {
    let objects = list.into_iter().filter_map(|item| match item {
        Value::Object(fields) => Some(fields),
        _ => None,
    });
    objects.flatten().collect()
}

/// Values without names: each is the first parameter that is still free and of its type.
fn assign_params_in_order(list: Vec<Value>, tool: Option<&ToolSpec>) -> Map<String, Value> {
    let mut params = Map::new();
    let declared = tool.map_or(&[][..], |tool| &tool.schema.params);
    for value in list {
        if let Value::Object(fields) = value {
            params.extend(fields);
            continue;
        }
        let is_number = is_whole_number(&value);
        let fits = |kind: ParamType| match kind {
            ParamType::Integer | ParamType::Number => is_number,
            ParamType::Boolean => value.is_boolean(),
            ParamType::Array => value.is_array(),
            ParamType::Object => false,
            ParamType::String => value.is_string(),
        };
        let free = declared
            .iter()
            .find(|param| fits(param.kind) && !params.contains_key(&param.name));
        if let Some(param) = free {
            params.insert(param.name.clone(), value);
        }
    }
    params
}
