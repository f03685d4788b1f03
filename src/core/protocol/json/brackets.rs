//! Brackets, commas and whole values of a JSON document: what they open, close and give out.

use serde_json::{Map, Value};

use super::{DEEPEST, JsonReader, JsonStep};
use super::{JsonExpectation, JsonFrame};
use crate::protocol::json_key::is_calls_key;
use crate::protocol::names::is_wrapper;

impl JsonReader {
    /// A key, or a value at its place.
    pub(super) fn put_value(&mut self, value: Value) -> Option<JsonStep> {
        // Only a list can be one of calls.
        let items = !self.is_in_object() && self.is_item_list(self.frames.len());
        let frame = self.frames.last_mut()?;
        match (&mut frame.value, frame.expectation) {
            (Value::Object(_), JsonExpectation::Key) => {
                frame.key = Some(match value {
                    Value::String(text) => text,
                    other => other.to_string(),
                });
                frame.expectation = JsonExpectation::Colon;
            }
            (Value::Object(fields), _) => {
                match frame.key.take().map(|key| (fields.get_mut(&key), key)) {
                    // A key that was written twice: what stands under it belongs together.
                    Some((Some(Value::Object(first)), _)) if value.is_object() => {
                        first.extend(value.as_object().cloned().unwrap_or_default());
                    }
                    Some((_, key)) => _ = fields.insert(key, value),
                    None => {}
                }
                frame.expectation = JsonExpectation::Comma;
            }
            (Value::Array(list), _) => {
                frame.expectation = JsonExpectation::Comma;
                if items && (value.is_object() || !self.unsure) {
                    return Some(JsonStep::Item(value));
                }
                list.push(value);
            }
            _ => {}
        }
        None
    }

    /// Whether the list at this depth holds calls: `{"actions": [`, also in `{"response": …`, or `[` as the whole document.
    pub(super) fn is_item_list(&self, depth: usize) -> bool {
        let keyed = |frame: &JsonFrame, is: fn(&str) -> bool| frame.key.as_deref().is_some_and(is);
        match self.frames.get(..depth.saturating_sub(1)) {
            _ if !self.gives_items => false,
            Some([]) => self
                .frames
                .first()
                .is_some_and(|root| root.value.is_array()),
            Some([wrappers @ .., document]) => {
                keyed(document, is_calls_key)
                    && wrappers.iter().all(|frame| keyed(frame, is_wrapper))
            }
            None => false,
        }
    }

    pub(super) fn open_bracket(&mut self, c: char) -> Option<JsonStep> {
        if self.skipped > 0 || self.frames.len() >= DEEPEST {
            self.skipped += 1;
            return None;
        }
        if self.unsure && self.is_in_object() {
            return Some(JsonStep::NotJson);
        }
        if self.unsure && self.frames.len() == 1 && c == '[' {
            return Some(JsonStep::NotJson);
        }
        let mut event = None;
        if self.awaits_key() {
            // A new object where a key belongs: the one before was never closed.
            if c == '{'
                && self
                    .frames
                    .iter()
                    .rev()
                    .nth(1)
                    .is_some_and(|frame| frame.value.is_array())
            {
                event = self.pop_frame();
            } else if let Some(frame) = self.frames.last_mut() {
                frame.key = Some(String::new());
            }
        }
        let (value, expect) = match c {
            '{' => (Value::Object(Map::new()), JsonExpectation::Key),
            _ => (Value::Array(Vec::new()), JsonExpectation::Value),
        };
        self.frames.push(JsonFrame {
            value,
            key: None,
            expectation: expect,
        });
        event
    }

    pub(super) fn close_bracket(&mut self, c: char) -> Option<JsonStep> {
        if self.skipped > 0 {
            self.skipped -= 1;
            return None;
        }
        let object = c == '}';
        let fits = |frame: &JsonFrame| frame.value.is_object() == object;
        let depth = self.frames.iter().rposition(fits)?;
        if self.unsure && !object {
            return Some(JsonStep::NotJson);
        }
        let mut event = None;
        while self.frames.len() > depth {
            event = event.or(self.pop_frame());
        }
        event
    }

    pub(super) fn pop_frame(&mut self) -> Option<JsonStep> {
        let ends_calls =
            self.has_call && !self.is_in_object() && self.is_item_list(self.frames.len());
        let frame = self.frames.pop()?;
        self.gives_items &= !ends_calls;
        if self.frames.is_empty() {
            return Some(JsonStep::Root(frame.value));
        }
        self.put_value(frame.value)
    }

    pub(super) fn read_comma(&mut self) -> Option<JsonStep> {
        match (self.expectation(), self.is_in_object()) {
            (JsonExpectation::Comma, _) => self.expect_next(),
            (JsonExpectation::Value, true) => {
                self.put_value(Value::Null);
                self.set_expectation(JsonExpectation::Key)
            }
            _ => None,
        }
    }
}
