//! JSON documents in an answer: what they hold becomes calls and thoughts, what is none stays text.

use serde_json::Value;

use super::course::ScanVerdict;
use super::{AnswerScanner, CUT_OFF, Mode};
use crate::protocol::fields;
use crate::protocol::json::{JsonReader, JsonStep};
use crate::protocol::json_key::{has_thoughts, is_named};
use crate::protocol::plain;
use crate::protocol::repair::Repair;
use crate::protocol::shape::{self, DocumentTrust};
use crate::protocol::speech;

impl AnswerScanner {
    pub(super) fn json(&mut self, event: JsonStep) {
        let Mode::Json(mut reader) = std::mem::replace(&mut self.mode, Mode::Outside) else { return };
        let start = reader.start();
        match event {
            JsonStep::Item(value) => {
                let is_first = !reader.is_taken();
                // Beside thoughts it is no list of what somebody else has written.
                let words = value.as_object().filter(|_| reader.has_thoughts() && !is_named(&value)).cloned();
                if shape::item(value, &self.names, &mut self.found)
                    || words.is_some_and(|fields| speech::object(&fields, &self.names, &mut self.found))
                {
                    reader.take();
                    if is_first && !self.document_begins(start, true, reader.has_thoughts()) {
                        return;
                    }
                } else {
                    self.dropped = true;
                    self.found.give_up(Repair::UnreadableCall, shape::NO_CALL.to_owned());
                }
                self.settle(start);
                if !matches!(self.mode, Mode::Over) {
                    self.mode = Mode::Json(reader);
                }
            }
            JsonStep::Root(root) => {
                let was_structure = self.prose_from > start;
                let mut is_root = reader.is_taken() || !self.is_single(&root);
                let thinks = root.as_object().is_some_and(has_thoughts);
                let (from, known) = match self.named_before(start, &root) {
                    Some((from, name)) => {
                        is_root = false;
                        self.repair(Repair::ProviderSyntax);
                        if let Value::Object(params) = root {
                            self.found.call(&self.names, &name, params);
                        }
                        (from, true)
                    }
                    None => (
                        start,
                        shape::document(root, &self.names, &mut self.found, DocumentTrust::Whole, reader.is_taken()),
                    ),
                };
                if !known && !was_structure {
                    self.dropped = true;
                    return;
                }
                if !reader.is_taken() && !self.document_begins(from, is_root, thinks) {
                    return;
                }
                if self.text[from..start].contains('.') {
                    self.course.is_in_syntax();
                }
                self.found.repairs.extend(reader.repairs);
                self.documents += 1;
                self.prose_from = self.pos;
                self.settle(from);
                self.end_document(is_root);
            }
            JsonStep::NotJson => {
                if !self.mark_on(start) {
                    let first = self.text[start..].chars().next().map_or(1, char::len_utf8);
                    self.pos = start + first;
                }
            }
            JsonStep::Tag => self.json_cut(*reader),
        }
    }

    /// The first thing of a document was read: what stood before it is text. False where the answer ended before it.
    fn document_begins(&mut self, start: usize, is_root: bool, thinks: bool) -> bool {
        let is_part = self.in_turn || self.found.calls.is_empty() && self.found.named.is_none();
        let verdict = match () {
            () if self.in_turn => self.go_on(start),
            () if is_part => ScanVerdict::Take,
            () => self.begin(start, is_root),
        };
        if self.prose_from <= start {
            self.flush(start);
            self.prose_from = self.pos;
        }
        self.structure = true;
        let is_over = verdict == ScanVerdict::Over || thinks && self.thinks_anew();
        if is_over {
            self.over();
        }
        !is_over
    }

    fn end_document(&mut self, is_root: bool) {
        if !self.in_turn {
            self.document_ended(is_root);
        }
    }

    /// A document that is given up before its end.
    pub(super) fn json_cut(&mut self, reader: JsonReader) {
        let start = reader.start();
        let (begun, was_taken, thinks) = (self.prose_from > start, reader.is_taken(), reader.has_thoughts());
        let mut taken = was_taken;
        let Some(partial) = reader.finish(self.stop == super::ScanEnd::Own) else { return };
        let mut known = begun;
        for item in partial.items {
            taken |= shape::item(item, &self.names, &mut self.found);
        }
        known |= taken;
        let trust = if partial.whole_root { DocumentTrust::Whole } else { DocumentTrust::Cut };
        let is_root = taken || !self.is_single(&partial.root);
        known |= shape::document(partial.root, &self.names, &mut self.found, trust, taken);
        self.found.named = None;
        if known {
            if !was_taken && !self.document_begins(start, is_root, thinks) {
                return;
            }
            self.prose_from = self.pos;
            self.documents += 1;
            self.found.repairs.extend(partial.repairs);
            self.repair(Repair::TruncatedTail);
            if partial.cut_call {
                self.found.give_up(Repair::TruncatedCall, CUT_OFF.to_owned());
            }
            self.settle(start);
            self.end_document(is_root);
        }
        self.dropped |= partial.cut_call || !known;
    }

    /// The tool whose name stands right before a bare object of its parameters, as in `functions.name({…})`.
    fn named_before(&self, start: usize, root: &Value) -> Option<(usize, String)> {
        let before = self.text.get(self.prose_from..start)?;
        let (offset, name) = plain::last_tool_name(before, &self.names)?;
        let tool = self.names.tool(&name).and_then(|place| self.names.tools.get(place))?;
        fields::are_params_of(root.as_object()?, tool).then_some((self.prose_from + offset, name))
    }

    fn is_single(&self, root: &Value) -> bool {
        root.as_object().is_some_and(|fields| shape::is_single(fields, &self.names))
    }
}
