//! Finds the calls in a JSON value by their shape: whatever its keys are called and whatever stands around it, a call is
//! a tool's name beside its parameters, parameters under a tool's name, or the two one after the other.

mod document;

use serde_json::{Map, Value};

use super::collected_calls::CollectedCalls;
use super::json::parse_document;
use super::json_key::{
    has_only_tool_params, holds_tool_params, is_calls_key, is_foreign_message, is_like_param,
    is_name_key, is_params_key, is_tool_definition, rank_name_key, take_field,
};
use super::names::{self, ToolNames, fold_name};
use super::params;
use super::repair::Repair;
use crate::schema::ParamType;

/// How many values may stand inside each other around a call.
const DEEPEST_WRAPPER: usize = 6;

/// What of a document may be read as calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentTrust {
    /// It was closed.
    Whole,
    /// It was cut somewhere inside: only what closed counts.
    Cut,
    /// It was written as lines of text: a word alone is no call.
    Lines,
}

/// Takes one element of the list of actions; false where it is no call.
pub(super) fn read_action(value: Value, names: &ToolNames, found: &mut CollectedCalls) -> bool {
    let before = found.calls.len();
    let known = Finder {
        names,
        found,
        trust: DocumentTrust::Whole,
    }
    .read_item(value, 0);
    known || found.calls.len() > before
}

/// Takes a whole document, without items already taken; false where it is not of the protocol. Where calls were `taken`
/// from it, or come from one place in it, no other is one for calls.
pub(super) fn read_root_document(
    root: Value,
    names: &ToolNames,
    found: &mut CollectedCalls,
    trust: DocumentTrust,
    taken: bool,
) -> bool {
    let known = Finder {
        names,
        found,
        trust,
    }
    .read_document(root, 0, &mut { taken });
    if trust == DocumentTrust::Whole {
        add_pending_call(names, found) || known
    } else {
        known
    }
}

/// A tool whose name was written where its parameters were still to come, and none did.
pub(super) fn add_pending_call(names: &ToolNames, found: &mut CollectedCalls) -> bool {
    let Some(name) = found.pending_tool.take() else {
        return false;
    };
    found.add_call(names, &name, Map::new());
    true
}

struct Finder<'a> {
    names: &'a ToolNames,
    found: &'a mut CollectedCalls,
    trust: DocumentTrust,
}

impl Finder<'_> {
    fn read_item(&mut self, value: Value, depth: usize) -> bool {
        match value {
            Value::Object(fields) => {
                if let Some(name) = self.found.pending_tool.take() {
                    if self.is_params_object(&name, &fields) {
                        self.found.repairs.add(Repair::ParamsPlace);
                        self.add_call(&name, Value::Object(fields));
                        return true;
                    }
                    self.found.add_call(self.names, &name, Map::new());
                }
                match self.read_call(fields, true) {
                    Ok(()) => true,
                    Err(fields) if depth < DEEPEST_WRAPPER => self.read_wrapper(fields, depth),
                    Err(_) => false,
                }
            }
            Value::String(text) => self.read_text(text),
            Value::Array(items) if depth < DEEPEST_WRAPPER => self.read_items(items, depth + 1),
            _ => false,
        }
    }

    /// The elements of a list, which may be calls, or a name with what belongs to it.
    fn read_items(&mut self, mut items: Vec<Value>, depth: usize) -> bool {
        let named = items
            .first()
            .and_then(Value::as_str)
            .filter(|name| self.names.find_tool(name).is_some())
            .map(str::to_owned);
        if let Some(name) = named
            && items.len() > 1
            && !items.iter().skip(1).any(|item| {
                item.as_str()
                    .is_some_and(|text| self.names.find_tool(text).is_some())
            })
        {
            items.remove(0);
            let params = if items.len() == 1 {
                items.pop().unwrap_or_default()
            } else {
                Value::Array(items)
            };
            self.found.repairs.add(Repair::ParamsPlace);
            self.add_call(&name, params);
            return true;
        }
        // Each item is read, whatever the one before was.
        items
            .into_iter()
            .map(|item| self.read_item(item, depth))
            .filter(|given| *given)
            .count()
            > 0
    }

    /// A text where a call belongs: a name whose parameters follow, or calls in another writing.
    fn read_text(&mut self, text: String) -> bool {
        if self.trust != DocumentTrust::Lines && self.names.find_tool(&text).is_some() {
            add_pending_call(self.names, self.found);
            self.found.pending_tool = Some(text);
            return true;
        }
        if text.trim_start().starts_with(['{', '['])
            && let Some(value) = parse_document(text.trim(), &mut self.found.repairs)
        {
            self.found.repairs.add(Repair::DoubleEncoding);
            return self.read_item(value, DEEPEST_WRAPPER);
        }
        super::spelled_calls::read_calls(&text, true, self.names, self.found)
    }

    fn read_nested_xml(&mut self, text: &str) -> bool {
        self.found.repairs.add(Repair::XmlInJson);
        self.found.read_nested_text(text, self.names)
    }

    fn add_call(&mut self, name: &str, params: Value) {
        let params = params::read_params(name, params, self.names, self.found);
        self.found.add_call(self.names, name.trim(), params);
    }

    /// Whether these are parameters of the tool of this name, or hold them under a key for that.
    fn is_params_object(&self, name: &str, fields: &Map<String, Value>) -> bool {
        let only = |is: fn(&str) -> bool| fields.len() == 1 && fields.keys().all(|key| is(key));
        only(is_params_key) || has_only_tool_params(fields, self.names.find_tool_spec(name))
    }

    /// Whether these are parameters of the tool of this name with values: where a number belongs, a form has words for it.
    fn has_filled_params(&self, name: &str, fields: &Map<String, Value>) -> bool {
        let Some(tool) = self.names.find_tool_spec(name) else {
            return false;
        };
        let is_word = |value: &Value| {
            value
                .as_str()
                .is_some_and(|text| !text.contains(|c: char| c.is_numeric()))
        };
        let is_form = |(key, value): (&String, &Value)| {
            names::find_param(tool, key).is_some_and(|param| param.kind == ParamType::Integer)
                && is_word(value)
        };
        self.is_params_object(name, fields) && !fields.iter().any(is_form)
    }

    /// Takes a call written as an object, else gives its fields back. In a list for calls it needs no parameters.
    fn read_call(
        &mut self,
        mut fields: Map<String, Value>,
        listed: bool,
    ) -> Result<(), Map<String, Value>> {
        if is_tool_definition(&fields) || is_foreign_message(&fields) {
            return Err(fields);
        }
        let Some((name_key, written)) = self.find_tool_name(&fields, listed) else {
            return self.read_keyed_calls(fields);
        };
        // A protocol's own message around a call names what it does, and no tool.
        if self.names.find_tool_spec(&written).is_none()
            && fields.values().any(|value| self.is_call(value))
        {
            return Err(fields);
        }
        fields.shift_remove(&name_key);
        self.found.note_key(&name_key);
        let tool = self.names.find_tool_spec(&written);
        let held = take_field(&mut fields, |key, _| is_params_key(key))
            .or_else(|| take_field(&mut fields, |_, value| holds_tool_params(value, tool)));
        let params = match held {
            Some((key, value)) => {
                self.found.note_key(&key);
                let mut params = params::read_params(&written, value, self.names, self.found);
                // Beside the parameters stand thoughts, the old flag, and some of them by mistake; nothing else is one.
                for (key, value) in fields {
                    let is_thought = matches!(
                        &*fold_name(&key),
                        "innerthoughts" | "thoughts" | "requestheartbeat"
                    );
                    if is_thought || names::has_param(tool, &key) {
                        params.entry(key).or_insert(value);
                    }
                }
                params
            }
            None => {
                fields.retain(|key, _| !matches!(key.as_str(), "id" | "type" | "index"));
                if !fields.is_empty() {
                    self.found.repairs.add(Repair::ParamsPlace);
                }
                fields
            }
        };
        self.found.add_call(self.names, written.trim(), params);
        Ok(())
    }

    fn is_call(&self, value: &Value) -> bool {
        let Some(fields) = value.as_object() else {
            return false;
        };
        self.find_tool_name(fields, false)
            .is_some_and(|(_, name)| self.names.find_tool(&name).is_some())
    }

    /// The tool's name in the fields of a call, with its key.
    fn find_tool_name(
        &self,
        fields: &Map<String, Value>,
        listed: bool,
    ) -> Option<(String, String)> {
        let texts = || {
            fields
                .iter()
                .filter_map(|(key, value)| Some((key, value.as_str()?)))
                .filter(|(_, text)| !text.trim().is_empty())
        };
        let ranked = |known: bool| {
            let fits = |text: &str| {
                if known {
                    self.names.find_tool_spec(text).is_some()
                } else {
                    text.len() < 80
                }
            };
            let rank = |key: &str| rank_name_key(key).filter(|_| known || is_name_key(key));
            texts()
                .filter(|(_, text)| fits(text))
                .filter_map(|(key, text)| Some((rank(key)?, key, text)))
                .min()
        };
        let has_params = fields
            .iter()
            .any(|(key, value)| is_params_key(key) && !value.is_number());
        let owned = |key: &str, text: &str| Some((key.to_owned(), text.to_owned()));
        match (ranked(true), self.trust) {
            (Some((_, key, text)), DocumentTrust::Lines) if self.has_params(text, fields) => {
                owned(key, text)
            }
            (_, DocumentTrust::Lines) => None,
            (Some((_, key, text)), _)
                if listed || has_params || self.names.find_tool(text).is_some() =>
            {
                owned(key, text)
            }
            // Keys in a language nobody thought of: a tool's very name beside what can only be its parameters.
            _ => texts()
                .find_map(|(key, text)| {
                    let tool = self.names.find_exact_tool(text);
                    let fits = |value: &Value| holds_tool_params(value, tool);
                    fields.values().any(fits).then(|| owned(key, text))?
                })
                .or_else(|| {
                    ranked(false)
                        .filter(|_| listed || has_params)
                        .and_then(|(_, key, text)| owned(key, text))
                }),
        }
    }

    /// Whether anything beside a tool's name is given for it.
    fn has_params(&self, name: &str, fields: &Map<String, Value>) -> bool {
        let Some(tool) = self.names.find_exact_tool(name) else {
            return false;
        };
        let is_given = |(key, value): (&String, &Value)| {
            !value.is_null() && (is_params_key(key) || is_like_param(tool, key, value))
        };
        fields.iter().any(is_given)
    }

    /// `{"send_message": {"text": "hi"}}`, and several of them.
    fn read_keyed_calls(&mut self, fields: Map<String, Value>) -> Result<(), Map<String, Value>> {
        let fits = |(key, value): (&String, &Value)| {
            let near = if self.trust == DocumentTrust::Whole {
                self.names.find_near_tool(key)
            } else {
                self.names.find_tool(key)
            };
            near.is_some() && (self.trust == DocumentTrust::Whole || value.is_object())
        };
        if fields.is_empty() || !fields.iter().all(fits) {
            return Err(fields);
        }
        self.found.repairs.add(Repair::ParamsPlace);
        for (key, value) in fields {
            self.read_keyed_call(&key, value);
        }
        Ok(())
    }

    fn read_keyed_call(&mut self, name: &str, value: Value) {
        let is_one = |value: &Value| match value {
            Value::Object(fields) => self.is_params_object(name, fields),
            Value::String(_) => self
                .names
                .find_tool_spec(name)
                .is_some_and(params::has_single_text_param),
            _ => false,
        };
        match value {
            Value::Array(list) if list.len() > 1 && list.iter().all(is_one) => {
                list.into_iter()
                    .for_each(|params| self.add_call(name, params));
            }
            value => self.add_call(name, value),
        }
    }
}

/// Whether these fields are one call, and no document around some.
pub(super) fn is_single_call(fields: &Map<String, Value>, names: &ToolNames) -> bool {
    !fields.keys().any(|key| is_calls_key(key))
        && fields.iter().any(|(key, value)| {
            is_name_key(key) && value.is_string() || names.find_tool(key).is_some()
        })
}
