//! A JSON document that is there as a whole, and the keys the protocol knows.

use serde_json::Value;

use super::json::{Event, JsonReader};
use super::names::fold;
use super::repair::Repairs;

/// Whether this key of the document holds the list of calls.
pub(super) fn is_calls_key(key: &str) -> bool {
    matches!(
        &*fold(key),
        "actions" | "action" | "calls" | "toolcalls" | "functions" | "functioncalls" | "tools" | "commands" | "parts"
    )
}

/// Whether this key of a call holds the name of its tool.
pub(super) fn is_name_key(key: &str) -> bool {
    matches!(&*fold(key), "name" | "function" | "functionname" | "tool" | "toolname" | "action" | "command")
}

/// Whether this key of a call holds its parameters.
pub(super) fn is_params_key(key: &str) -> bool {
    matches!(&*fold(key), "params" | "parameters" | "arguments" | "args" | "input" | "kwargs")
}

/// Reads a whole document from `text`; none where it holds none or more than one.
pub(super) fn whole(text: &str, repairs: &mut Repairs) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let mut reader = JsonReader::of_value(0);
    let mut pos = 0;
    match reader.run(text, &mut pos) {
        Some(Event::Root(root)) if text.get(pos..)?.trim().is_empty() => {
            repairs.extend(reader.repairs);
            Some(root)
        }
        _ => None,
    }
}
