//! Which fields of an object are a tool's parameters, by whatever names.

use serde_json::{Map, Value};

use super::json_key::{is_name_key, is_params_key};
use super::names;
use crate::call::ToolSpec;

/// The parameters of a tool that an object inside its element holds: they themselves, by whatever names, or a call of it.
pub(super) fn extract_params(
    mut fields: Map<String, Value>,
    tool: Option<&ToolSpec>,
) -> Option<Map<String, Value>> {
    let Some(tool) = tool else {
        return Some(fields);
    };
    let is_like = |(key, value): (&String, &Value)| {
        names::find_param(tool, key).is_some()
            || names::find_similar_param(tool, key, value.is_number(), |_| true).is_some()
    };
    let is_name =
        |(key, value): (&String, &Value)| is_name_key(key) && value.as_str() == Some(&tool.name);
    if fields.iter().any(is_name)
        && let Some(key) = fields.keys().find(|key| is_params_key(key)).cloned()
    {
        return fields.shift_remove(&key)?.as_object().cloned();
    }
    (!fields.is_empty() && fields.iter().all(is_like)).then_some(fields)
}

/// Whether these fields, some at least, are all parameters of this tool.
pub(super) fn has_only_tool_params(fields: &Map<String, Value>, tool: &ToolSpec) -> bool {
    !fields.is_empty()
        && fields
            .keys()
            .all(|key| names::find_param(tool, key).is_some())
}
