//! A JSON document that is there as a whole, and the keys the protocol knows.

use serde_json::Value;

use super::json::{Event, JsonReader};
use super::names::fold;
use super::repair::Repairs;

/// Whether this key of the document holds the list of calls.
pub(super) fn is_calls_key(key: &str) -> bool {
    matches!(
        fold(key).as_str(),
        "actions" | "action" | "calls" | "toolcalls" | "functions" | "functioncalls" | "tools" | "commands"
    )
}

/// Whether this key of a call holds its parameters.
pub(super) fn is_params_key(key: &str) -> bool {
    matches!(fold(key).as_str(), "params" | "parameters" | "arguments" | "args" | "input" | "kwargs")
}

/// Reads a whole document from `text`; none where it holds none or more than one.
pub(super) fn whole(text: &str, repairs: &mut Repairs) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let mut reader = JsonReader::new(0);
    let mut pos = 0;
    let mut items = Vec::new();
    let root = loop {
        match reader.run(text, &mut pos) {
            Some(Event::Item(item)) => items.push(item),
            Some(Event::Root(root)) if text.get(pos..)?.trim().is_empty() => break root,
            _ => return None,
        }
    };
    repairs.extend(reader.repairs);
    Some(with_items(root, items))
}

/// Puts items that were given out early back into their document.
fn with_items(root: Value, mut items: Vec<Value>) -> Value {
    match root {
        Value::Array(mut list) => {
            items.append(&mut list);
            Value::Array(items)
        }
        Value::Object(mut fields) => {
            let list = fields.iter_mut().find(|(key, _)| is_calls_key(key)).map(|(_, value)| value);
            if let Some(Value::Array(list)) = list {
                items.append(list);
                *list = items;
            }
            Value::Object(fields)
        }
        other => other,
    }
}
