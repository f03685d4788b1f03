//! The strings within a JSON value.

use serde_json::{Map, Value};

/// Every string of a call's parameters.
pub fn change_params(params: &mut Map<String, Value>, change: &mut impl FnMut(&mut String)) {
    let mut value = Value::Object(std::mem::take(params));
    change_strings(&mut value, change);
    if let Value::Object(changed) = value {
        *params = changed;
    }
}

/// Every string of a value, names of fields included: the model chose those as well.
pub fn change_strings(value: &mut Value, change: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| change_strings(item, change)),
        Value::Object(fields) => {
            for (mut name, mut field) in std::mem::take(fields) {
                change(&mut name);
                change_strings(&mut field, change);
                fields.insert(name, field);
            }
        }
        // A number may be what was said: `{"pin": 4711}`.
        Value::Number(number) => {
            let mut text = number.to_string();
            let before = text.clone();
            change(&mut text);
            if text != before {
                *value = Value::String(text);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}
