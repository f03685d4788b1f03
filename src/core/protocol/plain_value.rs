//! A JSON value as a person would read it: as a text, a flag, a number.

use serde_json::Value;

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
