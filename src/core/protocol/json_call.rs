//! Turns JSON values into calls and thoughts, in the spelling asked for and in the older and foreign ones.

use serde_json::{Map, Value};

use super::found::{Found, is_true, plain};
use super::json_whole::{is_calls_key, is_name_key, is_params_key, whole};
use super::names::{self, Names, fold};
use super::repair::Repair;

/// How many documents may stand inside each other.
const DEEPEST_WRAPPER: usize = 3;

/// Of an element in the list of actions.
pub(super) const NO_CALL: &str = "an action without a \"name\" and \"params\" was not done";

/// Of calls in another place than those that were done.
const SECOND_LIST: &str = "more than one list of actions was written; only the first was done";

/// What of a document may be read as calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// It was closed.
    Whole,
    /// It was cut somewhere inside: only what closed counts.
    Cut,
}

/// Takes one element of the list of actions; false where it is no call.
pub(super) fn item(value: Value, names: &Names, found: &mut Found) -> bool {
    match value {
        Value::Object(fields) => call(fields, names, found).is_ok(),
        Value::String(text) => match names.tool(&text) {
            Some(_) => {
                found.call(names, &text, Map::new());
                true
            }
            None => text.contains('<') && nested_xml(&text, names, found),
        },
        _ => false,
    }
}

/// Takes a whole document, without items already taken; false where it is not of the protocol. Where calls were `taken`
/// from it, or come from one place in it, no other is one for calls.
pub(super) fn document(root: Value, names: &Names, found: &mut Found, trust: Trust, taken: bool) -> bool {
    document_at(root, names, found, trust, Place { depth: 0, taken: &mut { taken } })
}

/// Where in an answer a document stands.
struct Place<'a> {
    depth: usize,
    taken: &'a mut bool,
}

impl Place<'_> {
    /// Reads calls, if they are the first there.
    fn first(&mut self, found: &mut Found, read: impl FnOnce(&mut Found) -> bool) -> bool {
        if *self.taken {
            found.give_up(Repair::SecondList, SECOND_LIST.to_owned());
            return true;
        }
        let before = found.calls.len();
        let known = read(found);
        *self.taken = found.calls.len() > before;
        known
    }
}

fn document_at(root: Value, names: &Names, found: &mut Found, trust: Trust, mut place: Place<'_>) -> bool {
    let fields = match root {
        Value::Object(fields) => fields,
        Value::Array(_) if trust == Trust::Whole => {
            found.repairs.add(Repair::MissingRoot);
            return false;
        }
        _ => return false,
    };
    let is_call = fields.iter().any(|(key, _)| is_params_key(key))
        || fields
            .iter()
            .any(|(key, value)| is_name_key(key) && value.as_str().is_some_and(|name| names.tool(name).is_some()));
    let fields = match (is_call, trust) {
        (true, Trust::Whole) if *place.taken => {
            found.give_up(Repair::SecondList, SECOND_LIST.to_owned());
            fields
        }
        (true, Trust::Whole) => match call(fields, names, found) {
            Ok(()) => {
                found.repairs.add(Repair::MissingRoot);
                return true;
            }
            Err(fields) => fields,
        },
        _ => fields,
    };
    let mut known = false;
    // Beside the list of calls another field is no place for any, and of a document that was cut the list may be what
    // is missing.
    let has_calls = fields.keys().any(|key| is_calls_key(key));
    let listed = *place.taken || fields.iter().any(|(key, value)| is_calls_key(key) && !is_empty(value));
    for (key, value) in fields {
        note_key(&key, found);
        match &*fold(&key) {
            "thoughts" | "thought" | "innerthoughts" | "innerthought" | "innermonologue" | "thinking" | "reasoning"
            | "think" => {
                known = true;
                found.think(&plain(&value));
            }
            "requestheartbeat" | "heartbeat" => {
                known = true;
                found.more |= is_true(&value);
            }
            _ if is_calls_key(&key) && is_empty(&value) => known = true,
            _ if is_calls_key(&key) => known |= place.first(found, |found| list(value, names, found)),
            _ if names.tool(&key).is_some() && trust == Trust::Whole => {
                known = true;
                if listed {
                    found.give_up(Repair::SecondList, SECOND_LIST.to_owned());
                    continue;
                }
                found.repairs.add(Repair::Wrapper);
                let params = params_value(&key, value, names, found);
                found.call(names, &key, params);
            }
            _ if has_calls || (trust == Trust::Cut && !names::is_wrapper(&key)) => {}
            _ => match value {
                Value::Object(_) if place.depth < DEEPEST_WRAPPER => {
                    let inner = Place { depth: place.depth + 1, taken: place.taken };
                    let wrapped = document_at(value, names, found, trust, inner);
                    if wrapped {
                        found.repairs.add(Repair::Wrapper);
                    }
                    known |= wrapped;
                }
                Value::String(text) if text.contains("<turn") && trust == Trust::Whole => {
                    known |= nested_xml(&text, names, found);
                }
                _ => {}
            },
        }
    }
    known
}

/// Whether the value of a key for calls holds none.
fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// Names a key of the protocol that is written in another case.
fn note_key(key: &str, found: &mut Found) {
    if key.contains(char::is_uppercase) {
        found.repairs.add(Repair::KeyName);
    }
}

/// The value of the key that holds the calls.
fn list(value: Value, names: &Names, found: &mut Found) -> bool {
    match value {
        Value::Array(list) => {
            for value in list {
                if !item(value, names, found) {
                    found.give_up(Repair::UnreadableCall, NO_CALL.to_owned());
                }
            }
            true
        }
        Value::Object(fields) => {
            found.repairs.add(Repair::Bracket);
            if fields.iter().any(|(key, _)| is_name_key(key)) {
                return item(Value::Object(fields), names, found);
            }
            fields.into_iter().fold(false, |any, (key, value)| {
                let one = Map::from_iter([(key, value)]);
                item(Value::Object(one), names, found) || any
            })
        }
        Value::String(text) if text.contains('<') => nested_xml(&text, names, found),
        Value::String(text) => {
            found.repairs.add(Repair::DoubleEncoding);
            match whole(&text, &mut found.repairs) {
                Some(value) => !value.is_string() && list(value, names, found),
                None => super::scan::nested(&text, names, found),
            }
        }
        Value::Null => true,
        _ => false,
    }
}

/// Takes a call written as an object; gives the fields back where it is none.
fn call(mut fields: Map<String, Value>, names: &Names, found: &mut Found) -> Result<(), Map<String, Value>> {
    // OpenAI's own shape, {"id", "type", "function": {"name", "arguments"}}, and Gemini's, {"functionCall": {…}}.
    let held = |(key, value): (&String, &Value)| {
        let names = matches!(&*fold(key), "function" | "functioncall" | "toolcall" | "tooluse");
        (names && value.is_object()).then(|| key.clone())
    };
    if let Some(key) = fields.iter().find_map(held)
        && let Some(Value::Object(inner)) = fields.remove(&key)
    {
        found.repairs.add(Repair::ProviderSyntax);
        return call(inner, names, found);
    }
    let name_key = fields.iter().find(|(key, value)| is_name_key(key) && value.is_string()).map(|(key, _)| key.clone());
    let Some(name_key) = name_key else {
        return keyed_by_tool(fields, names, found);
    };
    let Some(Value::String(written)) = fields.remove(&name_key) else { return Err(fields) };
    note_key(&name_key, found);
    if written.trim().is_empty() {
        return Err(fields);
    }
    let params_key = fields.keys().find(|key| is_params_key(key)).cloned();
    params_key.iter().for_each(|key| note_key(key, found));
    let params = match params_key.and_then(|key| fields.remove(&key)) {
        Some(value) => {
            // Thoughts and the old flag may stand beside the parameters; nothing else there is one.
            let mut params = params_value(&written, value, names, found);
            for (key, value) in fields {
                if matches!(&*fold(&key), "innerthoughts" | "thoughts" | "requestheartbeat") {
                    params.entry(key).or_insert(value);
                }
            }
            params
        }
        None => {
            fields.retain(|key, _| !matches!(key.as_str(), "id" | "type" | "index"));
            if !fields.is_empty() {
                found.repairs.add(Repair::ParamsPlace);
            }
            fields
        }
    };
    found.call(names, written.trim(), params);
    Ok(())
}

/// `{"send_message": {"text": "hi"}}`
fn keyed_by_tool(fields: Map<String, Value>, names: &Names, found: &mut Found) -> Result<(), Map<String, Value>> {
    let one = fields.len() == 1 && fields.keys().all(|key| names.near_tool(key).is_some());
    if !one {
        return Err(fields);
    }
    found.repairs.add(Repair::ParamsPlace);
    for (key, value) in fields {
        let params = params_value(&key, value, names, found);
        found.call(names, &key, params);
    }
    Ok(())
}

/// The parameters of a call: an object, an object written as a string, or just the primary one.
pub(super) fn params_value(written: &str, value: Value, names: &Names, found: &mut Found) -> Map<String, Value> {
    let value = match value {
        Value::String(text) if text.trim_start().starts_with('{') => match whole(text.trim(), &mut found.repairs) {
            Some(Value::Object(fields)) => {
                found.repairs.add(Repair::DoubleEncoding);
                Value::Object(fields)
            }
            _ => Value::String(text),
        },
        other => other,
    };
    match value {
        Value::Object(fields) => fields,
        Value::Null => Map::new(),
        Value::Array(mut list) if list.len() == 1 && list.first().is_some_and(Value::is_object) => {
            found.repairs.add(Repair::Bracket);
            match list.pop() {
                Some(Value::Object(fields)) => fields,
                _ => Map::new(),
            }
        }
        other => {
            found.repairs.add(Repair::ParamsPlace);
            let tool = names.near_tool(written).and_then(|place| names.tools.get(place));
            let primary = tool.and_then(|tool| tool.primary.clone()).unwrap_or_else(|| "text".to_owned());
            Map::from_iter([(primary, other)])
        }
    }
}

/// The parameters of `tool` that a bare object after its name holds, as in `functions.name({…})`.
pub(super) fn are_params_of(value: &Value, tool: &crate::core::call::ToolSpec) -> bool {
    value
        .as_object()
        .is_some_and(|fields| !fields.is_empty() && fields.keys().all(|key| names::param(tool, key).is_some()))
}

fn nested_xml(text: &str, names: &Names, found: &mut Found) -> bool {
    found.repairs.add(Repair::XmlInJson);
    super::scan::nested(text, names, found)
}
