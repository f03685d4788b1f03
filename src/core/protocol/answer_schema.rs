//! The JSON Schema of an answer, for servers that keep a model to one while it writes.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::call::ToolSpec;
use crate::schema::{Param, ParamType};
use crate::turn::MOST_VISIBLE;

/// The longest thoughts, in characters: small models think until their answer is cut off.
const LONGEST_THOUGHTS: usize = 300;
/// The newest lines that can be named: providers bound how many choices a schema may hold.
const LINES_NAMED: usize = 60;
/// The parameters that name a line of the history by its number.
const LINE_PARAMS: &[&str] = &["reply_to", "to", "line"];

/// What the schema of an answer depends on besides the tools.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AnswerShape {
    /// Whether somebody waits for an answer: an empty list of actions is none.
    pub owes: bool,
    /// The numbers of the lines on show, oldest first; empty where they are not known.
    pub lines: Vec<u16>,
}

/// What a JSON answer with the tools on offer looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerSchema {
    /// The schema, as narrow as can be. An optional parameter is required there and may be null, as providers' strict
    /// modes want it.
    pub schema: Value,
    /// The same without bounds and without what changes from prompt to prompt, for providers that refuse the one and
    /// compile every new schema before they answer.
    pub steady: Value,
    /// Whether a strict mode can take it: not where a tool has an object of any form among its parameters.
    pub strict: bool,
}

pub fn build_answer_schema(tools: &[ToolSpec]) -> AnswerSchema {
    build_shaped_answer_schema(tools, &AnswerShape::default())
}

pub fn build_shaped_answer_schema(tools: &[ToolSpec], shape: &AnswerShape) -> AnswerSchema {
    let strict = tools
        .iter()
        .all(|tool| tool.schema.params.iter().all(is_strict));
    let mut actions = json!({ "type": "array", "items": build_calls_schema(tools, shape), "maxItems": MOST_VISIBLE });
    if shape.owes {
        actions["minItems"] = 1.into();
    }
    let thoughts = json!({ "type": ["string", "null"], "maxLength": LONGEST_THOUGHTS });
    let build = |thoughts: Value, actions: Value| {
        let fields = [("thoughts", thoughts), ("actions", actions)];
        build_object_schema(fields.map(|(key, value)| (key.to_owned(), value)))
    };
    let items = build_calls_schema(tools, &AnswerShape::default());
    AnswerSchema {
        schema: build(thoughts, actions),
        steady: build(
            json!({ "type": ["string", "null"] }),
            json!({ "type": "array", "items": items }),
        ),
        strict,
    }
}

fn build_calls_schema(tools: &[ToolSpec], shape: &AnswerShape) -> Value {
    let newest = &shape.lines[shape.lines.len().saturating_sub(LINES_NAMED)..];
    let calls: Vec<Value> = tools
        .iter()
        .map(|tool| {
            let name = json!({"type": "string", "enum": [tool.name]});
            let mut params = build_params_schema(&tool.schema.params);
            let lines = tool
                .schema
                .params
                .iter()
                .filter(|param| is_line_param(param) && !newest.is_empty());
            for param in lines {
                let null = (!param.required).then_some(Value::Null);
                let numbers = newest.iter().map(|line| Value::from(*line));
                params["properties"][&param.name]["enum"] =
                    numbers.chain(null).collect::<Vec<_>>().into();
            }
            build_object_schema([("name".to_owned(), name), ("params".to_owned(), params)])
        })
        .collect();
    if calls.is_empty() {
        build_object_schema([])
    } else {
        json!({ "anyOf": calls })
    }
}

fn is_line_param(param: &Param) -> bool {
    param.kind == ParamType::Integer && LINE_PARAMS.contains(&param.name.as_str())
}

fn build_object_schema(fields: impl IntoIterator<Item = (String, Value)>) -> Value {
    let properties: Map<String, Value> = fields.into_iter().collect();
    let required: Vec<String> = properties.keys().cloned().collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn build_params_schema(params: &[Param]) -> Value {
    build_object_schema(
        params
            .iter()
            .map(|one| (one.name.clone(), build_param_schema(one))),
    )
}

fn build_param_schema(param: &Param) -> Value {
    let mut schema = match param.kind {
        ParamType::Object if param.properties.is_empty() => json!({"type": "object"}),
        ParamType::Object => build_params_schema(&param.properties),
        ParamType::Array => {
            let items = param
                .items
                .as_deref()
                .map_or_else(|| json!({"type": "string"}), self::build_item_schema);
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
fn build_item_schema(param: &Param) -> Value {
    self::build_param_schema(&Param {
        required: true,
        ..param.clone()
    })
}

fn is_strict(param: &Param) -> bool {
    let free = param.kind == ParamType::Object && param.properties.is_empty();
    !free && param.properties.iter().all(is_strict) && param.items.as_deref().is_none_or(is_strict)
}
