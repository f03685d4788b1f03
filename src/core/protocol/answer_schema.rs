//! The JSON Schema of an answer, for servers that keep a model to one while it writes.

use serde_json::{Map, Value, json};

use crate::core::call::ToolSpec;
use crate::core::schema::{Param, ParamType};

/// What a JSON answer with the tools on offer looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerSchema {
    /// The schema. An optional parameter is required there and may be null, as providers' strict modes want it.
    pub schema: Value,
    /// Whether a strict mode can take it: not where a tool has an object of any form among its parameters.
    pub strict: bool,
}

/// The schema of an answer that may call `tools`.
pub fn answer_schema(tools: &[ToolSpec]) -> AnswerSchema {
    let calls: Vec<Value> = tools
        .iter()
        .map(|tool| {
            let name = json!({"type": "string", "enum": [tool.name]});
            object([("name".to_owned(), name), ("params".to_owned(), params(&tool.schema.params))])
        })
        .collect();
    let call = if calls.is_empty() { object([]) } else { json!({ "anyOf": calls }) };
    let schema = object([
        ("thoughts".to_owned(), json!({"type": "string"})),
        ("actions".to_owned(), json!({"type": "array", "items": call})),
    ]);
    AnswerSchema { schema, strict: tools.iter().all(|tool| tool.schema.params.iter().all(is_strict)) }
}

fn object(fields: impl IntoIterator<Item = (String, Value)>) -> Value {
    let properties: Map<String, Value> = fields.into_iter().collect();
    let required: Vec<String> = properties.keys().cloned().collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn params(params: &[Param]) -> Value {
    object(params.iter().map(|one| (one.name.clone(), param(one))))
}

fn param(param: &Param) -> Value {
    let mut schema = match param.kind {
        ParamType::Object if param.properties.is_empty() => json!({"type": "object"}),
        ParamType::Object => params(&param.properties),
        ParamType::Array => {
            let items = param.items.as_deref().map_or_else(|| json!({"type": "string"}), self::param_given);
            json!({"type": "array", "items": items})
        }
        kind => json!({ "type": kind }),
    };
    if !param.description.is_empty() {
        schema["description"] = param.description.clone().into();
    }
    let mut choices = param.choices.clone();
    if !param.required {
        schema["type"] = json!([schema["type"], "null"]);
        if !choices.is_empty() {
            choices.push(Value::Null);
        }
    }
    if !choices.is_empty() {
        schema["enum"] = choices.into();
    }
    schema
}

/// An element of a list: it is there or not, but never null.
fn param_given(param: &Param) -> Value {
    self::param(&Param { required: true, ..param.clone() })
}

fn is_strict(param: &Param) -> bool {
    let free = param.kind == ParamType::Object && param.properties.is_empty();
    !free && param.properties.iter().all(is_strict) && param.items.as_deref().is_none_or(is_strict)
}
