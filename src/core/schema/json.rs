//! The vocabulary in and out of JSON Schema: in from typed parameter structs, out to providers that want it. Reads the
//! part of JSON Schema that such structs produce; what it does not know becomes text, never an error.

use serde_json::{Map, Value, json};

use super::{Param, ParamType, Schema};
use crate::persona::Language;

/// Schemas are read this deep, so that a type that holds itself ends.
const DEEPEST: usize = 8;
/// The most schemas read for one tool, references counted each time: a foreign schema may fan out without end.
const MOST: usize = 1_000;

impl Schema {
    /// Reads the JSON Schema of an object, as derived from a parameter struct. Descriptions are taken from
    /// `description_CODE` of the language, such as `description_zh`, where it is there.
    pub fn from_json_schema(schema: &Value, language: Language) -> Self {
        let mut reader = Reader {
            root: schema,
            language,
            remaining: MOST,
        };
        Self {
            params: reader.read_properties(schema, DEEPEST),
        }
    }

    /// The JSON Schema of the parameters, for providers that check tool calls themselves.
    pub fn to_json_schema(&self) -> Value {
        build_object_schema(&self.params)
    }
}

/// The description of a schema in a language, on one line; empty where it has none.
pub fn read_description(schema: &Value, language: Language) -> String {
    let english = schema.get("description");
    let text = schema
        .get(format!("description_{}", language.code()))
        .or(english);
    // A doc comment wraps at the width of the code; its line ends mean nothing.
    text.and_then(Value::as_str)
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

struct Reader<'a> {
    root: &'a Value,
    language: Language,
    remaining: usize,
}

impl<'a> Reader<'a> {
    fn read_properties(&mut self, schema: &Value, depth: usize) -> Vec<Param> {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            return Vec::new();
        };
        let required = schema.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|list| list.iter().any(|other| other == name));
        properties
            .iter()
            .map(|(name, property)| Param {
                name: name.clone(),
                required: is_required(name),
                ..self.read_param(property, depth)
            })
            .collect()
    }

    fn read_param(&mut self, schema: &Value, depth: usize) -> Param {
        let language = self.language;
        let described = |mut param: Param| {
            let own = read_description(schema, language);
            if !own.is_empty() {
                param.description = own;
            }
            if let Some(default) = schema.get("default").filter(|default| !default.is_null()) {
                param.default = Some(default.clone());
            }
            param
        };
        if depth == 0 || self.remaining == 0 {
            return described(Param {
                kind: read_param_type(schema),
                ..Param::default()
            });
        }
        self.remaining -= 1;
        if let Some(target) = self.resolve_reference(schema) {
            let param = self.read_param(target, depth - 1);
            return described(param);
        }
        // `Option<T>` of a struct or enum, and enums whose variants are described one by one.
        if let Some(variants) = ["anyOf", "oneOf", "allOf"]
            .iter()
            .find_map(|key| schema.get(key)?.as_array())
        {
            let mut real = variants
                .iter()
                .filter(|variant| !is_null(variant))
                .map(|variant| self.read_param(variant, depth - 1));
            let mut param = real.next().unwrap_or_default();
            param
                .choices
                .extend(real.flat_map(|variant| variant.choices));
            if param.choices.len() > 1 {
                param.description.clear();
            }
            return described(param);
        }
        let choices = match (
            schema.get("enum").and_then(Value::as_array),
            schema.get("const"),
        ) {
            (Some(list), _) => list
                .iter()
                .filter(|choice| !choice.is_null())
                .cloned()
                .collect(),
            (None, Some(only)) => vec![only.clone()],
            (None, None) => Vec::new(),
        };
        described(Param {
            kind: read_param_type(schema),
            choices,
            items: schema
                .get("items")
                .map(|items| Box::new(self.read_param(items, depth - 1))),
            properties: self.read_properties(schema, depth - 1),
            ..Param::default()
        })
    }

    fn resolve_reference(&self, schema: &Value) -> Option<&'a Value> {
        match schema.get("$ref")?.as_str()? {
            "#" => Some(self.root),
            path => self.root.get("$defs")?.get(path.strip_prefix("#/$defs/")?),
        }
    }
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
}

fn read_param_type(schema: &Value) -> ParamType {
    let name = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().find(|kind| *kind != "null"),
        other => other,
    };
    match name.and_then(Value::as_str) {
        Some("number") => ParamType::Number,
        Some("integer") => ParamType::Integer,
        Some("boolean") => ParamType::Boolean,
        Some("array") => ParamType::Array,
        Some("object") => ParamType::Object,
        _ => ParamType::String,
    }
}

fn build_object_schema(params: &[Param]) -> Value {
    let properties: Map<String, Value> = params
        .iter()
        .map(|param| (param.name.clone(), build_param_schema(param)))
        .collect();
    let required: Vec<&str> = params
        .iter()
        .filter(|param| param.required)
        .map(|param| param.name.as_str())
        .collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn build_param_schema(param: &Param) -> Value {
    let mut schema = match param.kind {
        ParamType::Object if !param.properties.is_empty() => build_object_schema(&param.properties),
        kind => json!({ "type": kind }),
    };
    if !param.description.is_empty() {
        schema["description"] = param.description.clone().into();
    }
    if !param.choices.is_empty() {
        schema["enum"] = param.choices.clone().into();
    }
    if let Some(default) = &param.default {
        schema["default"] = default.clone();
    }
    if let Some(items) = &param.items {
        schema["items"] = build_param_schema(items);
    }
    schema
}
