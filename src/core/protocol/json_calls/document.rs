//! Finds the calls in a document of JSON: in its list of actions, under tools' names, or in whatever stands around them.

use serde_json::{Map, Value};

use super::{DEEPEST_WRAPPER, DocumentTrust, Finder, add_pending_call};
use crate::protocol::json::parse_document;
use crate::protocol::json_key::{
    has_thoughts, is_calls_key, is_empty, is_foreign_message, is_name_key, is_params_key,
    is_tool_definition, take_field,
};
use crate::protocol::names::{self, fold_name};
use crate::protocol::plain_value::{is_true, to_plain_text};
use crate::protocol::repair::Repair;
use crate::protocol::speech;
use kith_language::answer_problems;

#[derive(Clone, Copy)]
struct DocumentPlace {
    depth: usize,
    /// Whether a list of calls stands in it, and whether calls were listed in it or before.
    has_calls: bool,
    listed: bool,
}

impl Finder<'_> {
    /// Something around calls, whatever it is called.
    pub(super) fn read_wrapper(&mut self, fields: Map<String, Value>, depth: usize) -> bool {
        let before = self.found.calls.len();
        let known = self.read_document(Value::Object(fields), depth + 1, &mut false);
        if self.found.calls.len() > before {
            self.found.repairs.add(Repair::Wrapper);
        }
        known
    }

    pub(super) fn read_document(&mut self, root: Value, depth: usize, taken: &mut bool) -> bool {
        let fields = match root {
            Value::Object(fields) => fields,
            Value::Array(items) if self.trust == DocumentTrust::Lines => {
                return self.read_items(items, depth + 1);
            }
            Value::Array(_) if self.trust != DocumentTrust::Cut && depth == 0 => {
                self.found.repairs.add(Repair::MissingRoot);
                return false;
            }
            _ => return false,
        };
        if is_foreign_message(&fields) || is_tool_definition(&fields) {
            return false;
        }
        // Without thoughts beside it, it may only be shown.
        let is_answer =
            self.trust == DocumentTrust::Whole && depth == 0 && !*taken && has_thoughts(&fields);
        if is_answer && speech::read_message_object(&fields, self.names, self.found) {
            return true;
        }
        let mut fields = match self.read_single_call(fields, *taken) {
            Ok(()) => return true,
            Err(fields) => fields,
        };
        let mut known = self.read_pending_params(&mut fields);
        // Beside the list of calls another field is no place for any, and of a document that was cut the list may be what
        // is missing.
        let has_calls = fields.keys().any(|key| is_calls_key(key));
        let listed = *taken
            || fields
                .iter()
                .any(|(key, value)| is_calls_key(key) && !is_empty(value));
        let place = DocumentPlace {
            depth,
            has_calls,
            listed,
        };
        for (key, value) in fields {
            known |= self.read_root_field(key, value, place, taken);
        }
        known
    }

    /// Takes a document that is one call; gives its fields back where it is none, or holds a list of them.
    fn read_single_call(
        &mut self,
        fields: Map<String, Value>,
        taken: bool,
    ) -> Result<(), Map<String, Value>> {
        if self.trust == DocumentTrust::Cut {
            return Err(fields);
        }
        let is_call = self.find_tool_name(&fields, false).is_some();
        if taken && is_call {
            self.found
                .record_problem(Repair::SecondList, answer_problems::second_list());
            return Err(fields);
        }
        let holds_objects = |value: &Value| {
            value
                .as_array()
                .is_some_and(|list| list.iter().any(Value::is_object))
        };
        let is_list =
            fields.values().any(holds_objects) && fields.keys().any(|key| is_calls_key(key));
        if is_list || !is_call {
            return Err(fields);
        }
        self.read_call(fields, false)?;
        self.found.repairs.add(Repair::MissingRoot);
        Ok(())
    }

    /// Takes the parameters of a tool whose name stood before this document; false where none did.
    fn read_pending_params(&mut self, fields: &mut Map<String, Value>) -> bool {
        let is_whole = self.trust == DocumentTrust::Whole;
        let Some(name) = self.found.pending_tool.take_if(|_| is_whole) else {
            return false;
        };
        let params = take_field(fields, |key, _| is_params_key(key));
        self.add_call(&name, params.unwrap_or_default().1);
        true
    }

    /// Takes one field of a document; false where it means nothing.
    fn read_root_field(
        &mut self,
        key: String,
        value: Value,
        place: DocumentPlace,
        taken: &mut bool,
    ) -> bool {
        self.found.note_key(&key);
        let folded = fold_name(&key);
        match () {
            () if matches!(&*folded, "requestheartbeat" | "heartbeat") => {
                self.found.wants_another_round |= is_true(&value);
                true
            }
            () if names::is_thinking(&folded) => {
                self.found.add_thought(&to_plain_text(&value));
                true
            }
            () if is_calls_key(&key) && is_empty(&value) => true,
            () if is_calls_key(&key) => {
                self.read_first_list(taken, |finder| finder.read_call_list(value, place.depth))
            }
            () if self.is_keyed_call(&key, &value) => {
                if place.listed {
                    self.found
                        .record_problem(Repair::SecondList, answer_problems::second_list());
                } else {
                    self.found.repairs.add(Repair::Wrapper);
                    self.read_keyed_call(&key, value);
                }
                true
            }
            () if place.has_calls
                || names::is_quoted(&key) && !folded.starts_with("result")
                || place.depth >= DEEPEST_WRAPPER
                || self.trust == DocumentTrust::Cut && !names::is_wrapper(&key) =>
            {
                false
            }
            () => self.read_field(&folded, value, place.depth, taken),
        }
    }

    /// Whether a field of a document is a call under its tool's name.
    fn is_keyed_call(&self, key: &str, value: &Value) -> bool {
        let is_filled = || {
            value
                .as_object()
                .is_some_and(|fields| self.has_filled_params(key, fields))
        };
        self.names.find_tool(key).is_some()
            && match self.trust {
                DocumentTrust::Whole => true,
                DocumentTrust::Lines => is_filled(),
                DocumentTrust::Cut => false,
            }
    }

    /// What stands in a field of no meaning of its own.
    fn read_field(&mut self, key: &str, value: Value, depth: usize, taken: &mut bool) -> bool {
        match value {
            Value::Object(_) => {
                let known = self.read_document(value, depth + 1, taken);
                if known {
                    self.found.repairs.add(Repair::Wrapper);
                }
                known
            }
            Value::Array(mut items) if self.trust != DocumentTrust::Cut => {
                // Of several answers the first is the one.
                if matches!(
                    key,
                    "candidates" | "choices" | "alternatives" | "options" | "drafts"
                ) {
                    items.truncate(1);
                }
                if !items.iter().any(|item| item.is_object() || item.is_array()) {
                    return false;
                }
                let before = self.found.calls.len();
                let known =
                    self.read_first_list(taken, |finder| finder.read_items(items, depth + 1));
                if self.found.calls.len() > before {
                    self.found.repairs.add(Repair::Wrapper);
                }
                known && self.found.calls.len() > before
            }
            Value::String(text) if text.contains("<turn") && self.trust == DocumentTrust::Whole => {
                self.read_nested_xml(&text)
            }
            Value::String(text)
                if text.trim_start().starts_with('{') && self.trust == DocumentTrust::Whole =>
            {
                match parse_document(text.trim(), &mut self.found.repairs) {
                    Some(value) => self.read_field(key, value, depth + 1, taken),
                    None => false,
                }
            }
            _ => false,
        }
    }

    /// Reads calls, if they are the first there.
    fn read_first_list(&mut self, taken: &mut bool, read: impl FnOnce(&mut Self) -> bool) -> bool {
        if *taken {
            self.found
                .record_problem(Repair::SecondList, answer_problems::second_list());
            return true;
        }
        let before = self.found.calls.len();
        let known = read(self);
        *taken = self.found.calls.len() > before;
        known
    }

    fn read_call_list(&mut self, value: Value, depth: usize) -> bool {
        match value {
            Value::Array(list) => {
                for value in list {
                    if !self.read_item(value, depth) {
                        self.found.record_problem(
                            Repair::UnreadableCall,
                            answer_problems::nameless_action(),
                        );
                    }
                }
                add_pending_call(self.names, self.found);
                true
            }
            Value::Object(fields) => {
                self.found.repairs.add(Repair::ParamsPlace);
                if fields.iter().any(|(key, _)| is_name_key(key)) {
                    return self.read_item(Value::Object(fields), depth);
                }
                fields.into_iter().fold(false, |any, (key, value)| {
                    let one = Map::from_iter([(key, value)]);
                    self.read_item(Value::Object(one), depth) || any
                })
            }
            Value::String(text) if text.contains('<') => self.read_nested_xml(&text),
            Value::String(text) => {
                self.found.repairs.add(Repair::DoubleEncoding);
                match parse_document(&text, &mut self.found.repairs) {
                    Some(value) if !value.is_string() => self.read_call_list(value, depth),
                    Some(_) => false,
                    None => {
                        self.read_text(text.clone())
                            || self.found.read_nested_text(&text, self.names)
                    }
                }
            }
            _ => false,
        }
    }
}
