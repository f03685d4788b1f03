//! How an answer is to come back, in each provider's words: the tools on offer, or the schema of a JSON answer. Nothing
//! here reads what came.

use serde_json::{Value, json};

use super::request::AnswerForm;
use super::request_body::WireProtocol;
use kith_core::call::ToolSpec;
use kith_core::protocol::AnswerSchema;

const SCHEMA_NAME: &str = "answer";

/// Puts into the body of a question how the answer is to come back.
pub(super) fn apply_answer_form(
    body: &mut Value,
    wire: WireProtocol,
    form: &AnswerForm,
    is_local: bool,
) {
    match form {
        AnswerForm::Calls(tools) if !tools.is_empty() => {
            body["tools"] = build_tools(wire, tools);
            require_call(body, wire);
        }
        AnswerForm::Json(schema) => apply_schema(body, wire, schema, is_local),
        AnswerForm::Text | AnswerForm::Calls(_) => {}
    }
}

/// Every answer of the companion is a call, silence too. Ollama has no word for that; a server that does not take it is
/// asked without.
fn require_call(body: &mut Value, wire: WireProtocol) {
    match wire {
        WireProtocol::OpenAi => body["tool_choice"] = json!("required"),
        WireProtocol::Anthropic => body["tool_choice"] = json!({ "type": "any" }),
        WireProtocol::Gemini => {
            body["toolConfig"] = json!({ "functionCallingConfig": { "mode": "ANY" } });
        }
        WireProtocol::Ollama { .. } => {}
    }
}

fn build_tools(wire: WireProtocol, tools: &[ToolSpec]) -> Value {
    let list: Vec<Value> = tools
        .iter()
        .map(|tool| {
            let (name, description, mut parameters) = (&tool.name, &tool.description, tool.schema.to_json_schema());
            transform_schemas(&mut parameters, &add_item_types);
            match wire {
                WireProtocol::OpenAi | WireProtocol::Ollama { .. } => {
                    let function = json!({ "name": name, "description": description, "parameters": parameters });
                    json!({ "type": "function", "function": function })
                }
                WireProtocol::Anthropic => {
                    json!({ "name": name, "description": description, "input_schema": parameters })
                }
                WireProtocol::Gemini => {
                    transform_schemas(&mut parameters, &restrict_to_openapi);
                    let mut function = json!({ "name": name, "description": description });
                    // A tool without parameters has none at all there, not an object without any.
                    if !tool.schema.params.is_empty() {
                        function["parameters"] = parameters;
                    }
                    function
                }
            }
        })
        .collect();
    if wire == WireProtocol::Gemini {
        json!([{ "functionDeclarations": list }])
    } else {
        list.into()
    }
}

/// Has the server hold the model to a schema. Anthropic's own way is left out: only some of its models take it, and with
/// fewer parameters that may be left out than the tools here have.
///
/// A server on this machine makes a grammar of the schema for each question anyway, and small models need every bound
/// there is. Providers refuse bounds, and compile a schema they have not seen before they answer.
fn apply_schema(
    body: &mut Value,
    wire: WireProtocol,
    AnswerSchema {
        schema,
        steady,
        strict,
    }: &AnswerSchema,
    is_local: bool,
) {
    let schema = if is_local { schema } else { steady };
    match wire {
        WireProtocol::OpenAi => {
            let named = json!({ "name": SCHEMA_NAME, "strict": strict, "schema": schema });
            body["response_format"] = json!({ "type": "json_schema", "json_schema": named });
        }
        WireProtocol::Ollama { .. } => body["format"] = schema.clone(),
        WireProtocol::Gemini => {
            body["generationConfig"]["responseMimeType"] = json!("application/json");
            body["generationConfig"]["responseJsonSchema"] = schema.clone();
        }
        WireProtocol::Anthropic => {}
    }
}

/// Changes a schema and all that are inside it, the innermost first.
fn transform_schemas(schema: &mut Value, change: &impl Fn(&mut Value)) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties
            .values_mut()
            .for_each(|property| transform_schemas(property, change));
    }
    if let Some(items) = schema.get_mut("items") {
        transform_schemas(items, change);
    }
    change(schema);
}

/// A list whose elements nobody described is one of texts: providers refuse one of anything.
fn add_item_types(schema: &mut Value) {
    if schema["type"] == "array" && schema.get("items").is_none() {
        schema["items"] = json!({ "type": "string" });
    }
}

/// What Gemini takes of a schema: no `additionalProperties`, choices among texts only, and no object without
/// properties. One of any form is asked for as text, which the registry reads.
fn restrict_to_openapi(schema: &mut Value) {
    let is_text = schema["type"] == "string";
    let is_free = schema["type"] == "object"
        && schema
            .get("properties")
            .and_then(Value::as_object)
            .is_none_or(|all| all.is_empty());
    let Some(fields) = schema.as_object_mut() else {
        return;
    };
    ["additionalProperties", "default"]
        .iter()
        .for_each(|key| drop(fields.shift_remove(*key)));
    if !is_text {
        fields.shift_remove("enum");
    }
    if is_free {
        ["properties", "required"]
            .iter()
            .for_each(|key| drop(fields.shift_remove(*key)));
        fields.insert("type".into(), json!("string"));
    }
}
