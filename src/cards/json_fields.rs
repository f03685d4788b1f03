//! Fields of cards as they are met: programs write numbers as texts, lists as one text, and null for nothing.

use serde_json::Value;

/// The text of a field; empty where there is none.
pub(crate) fn find_text<'a>(object: &'a Value, name: &str) -> &'a str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The texts of a list; a single text counts as one, or, between commas, as several.
pub(crate) fn find_texts<'a>(object: &'a Value, name: &str) -> Vec<&'a str> {
    match object.get(name) {
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(all)) => all
            .split(',')
            .map(str::trim)
            .filter(|one| !one.is_empty())
            .collect(),
        _ => Vec::new(),
    }
}

/// A flag, also as a number or a text.
pub(crate) fn find_flag(object: &Value, name: &str) -> Option<bool> {
    match object.get(name)? {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => number.as_f64().map(|number| number != 0.0),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A whole number, also as a text or with a fraction.
pub(crate) fn find_number(object: &Value, name: &str) -> Option<i64> {
    let number = match object.get(name)? {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    // A cast from a float ends at the limits of the whole numbers.
    number.is_finite().then_some(number as i64)
}

pub(crate) fn has_content(object: &Value, name: &str) -> bool {
    match object.get(name) {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(Value::Array(all)) => !all.is_empty(),
        Some(Value::Object(all)) => !all.is_empty(),
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::Bool(true)) => true,
    }
}
