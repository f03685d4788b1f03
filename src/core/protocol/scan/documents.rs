//! JSON documents in an answer: what they hold becomes calls and thoughts, what is none stays text.

use std::ops::Range;

use super::{CUT_OFF, Mode, Scanner, nested};
use crate::core::protocol::json::{Event, JsonReader};
use crate::core::protocol::json_call::{self, Trust};
use crate::core::protocol::plain;
use crate::core::protocol::repair::Repair;

impl Scanner {
    pub(super) fn escaped(&mut self) {
        let Mode::Escaped { start, backslash } = &mut self.mode else { return };
        let start = *start;
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.pos) {
            let ends = *byte == b'"' && !*backslash;
            *backslash = *byte == b'\\' && !*backslash;
            if ends {
                let end = self.pos;
                self.pos += 1;
                return self.escaped_over(start..end);
            }
            self.pos += 1;
        }
    }

    pub(super) fn escaped_over(&mut self, range: Range<usize>) {
        self.mode = Mode::Outside;
        self.repair(Repair::DoubleEncoding);
        let inner = unescaped(&self.text[range.clone()]);
        if !self.recovering && nested(&inner, &self.names, &mut self.found) {
            self.flush(range.start);
            self.prose_from = range.end;
            self.structure = true;
            self.documents += 1;
        }
        self.settle();
    }

    pub(super) fn json(&mut self, event: Event) {
        let Mode::Json(mut reader) = std::mem::replace(&mut self.mode, Mode::Outside) else { return };
        let start = reader.start();
        match event {
            Event::Item(value) => {
                if json_call::item(value, &self.names, &mut self.found) {
                    reader.take();
                    self.json_begins(start);
                } else {
                    self.dropped = true;
                    self.found.give_up(Repair::UnreadableCall, json_call::NO_CALL.to_owned());
                }
                self.mode = Mode::Json(reader);
            }
            Event::Root(root) => {
                let was_structure = self.prose_from > start;
                let by_name = self.named_before(start, &root);
                let known = match by_name {
                    Some((from, name)) => {
                        self.repair(Repair::ProviderSyntax);
                        if let serde_json::Value::Object(params) = root {
                            self.found.call(&self.names, &name, params);
                        }
                        self.json_begins(from);
                        true
                    }
                    None => json_call::document(root, &self.names, &mut self.found, Trust::Whole, reader.is_taken()),
                };
                if known || was_structure {
                    self.json_begins(start);
                    self.found.repairs.extend(reader.repairs);
                    self.documents += 1;
                    self.prose_from = self.pos;
                } else {
                    self.dropped = true;
                }
            }
            Event::NotJson => {
                if !self.mark_on(start) {
                    let first = self.text[start..].chars().next().map_or(1, char::len_utf8);
                    self.pos = start + first;
                }
            }
            Event::Tag => self.json_cut(*reader),
            Event::Escaped => self.mode = Mode::Escaped { start, backslash: true },
        }
        self.settle();
    }

    /// The first thing of a document was read: what stood before it is text.
    fn json_begins(&mut self, start: usize) {
        if self.prose_from <= start {
            self.flush(start);
            self.prose_from = self.pos;
        }
        self.structure = true;
    }

    /// A document that is given up before its end.
    pub(super) fn json_cut(&mut self, reader: JsonReader) {
        let start = reader.start();
        let begun = self.prose_from > start;
        let mut taken = reader.is_taken();
        let Some(partial) = reader.finish() else { return };
        let mut known = begun;
        for item in partial.items {
            taken |= json_call::item(item, &self.names, &mut self.found);
        }
        known |= taken;
        let trust = if partial.whole_root { Trust::Whole } else { Trust::Cut };
        known |= json_call::document(partial.root, &self.names, &mut self.found, trust, taken);
        if known {
            self.json_begins(start);
            self.prose_from = self.pos;
            self.documents += 1;
            self.found.repairs.extend(partial.repairs);
            self.repair(Repair::TruncatedTail);
            if partial.cut_call {
                self.found.give_up(Repair::TruncatedCall, CUT_OFF.to_owned());
            }
        }
        self.dropped |= partial.cut_call || !known;
    }

    /// The tool whose name stands right before a bare object of its parameters, as in `functions.name({…})`.
    fn named_before(&self, start: usize, root: &serde_json::Value) -> Option<(usize, String)> {
        let before = self.text.get(self.prose_from..start)?;
        let (offset, name) = plain::last_tool_name(before, &self.names)?;
        let tool = self.names.tool(&name).and_then(|place| self.names.tools.get(place))?;
        json_call::are_params_of(root, tool).then_some((self.prose_from + offset, name))
    }
}

/// The longest escape that may be cut off at an end, in characters: two halves of one character.
const LONGEST_ESCAPE: usize = 12;

/// The text a string's inside stands for, its last escape left out where that was cut off.
fn unescaped(inside: &str) -> String {
    let mut quoted = format!("\"{}", inside.replace('\n', "\\n"));
    for _ in 0..=LONGEST_ESCAPE {
        if let Ok(text) = serde_json::from_str(&format!("{quoted}\"")) {
            return text;
        }
        quoted.pop();
    }
    inside.replace("\\\"", "\"").replace("\\n", "\n")
}
