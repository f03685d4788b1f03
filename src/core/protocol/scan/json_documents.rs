//! JSON documents in an answer: what they hold becomes calls and thoughts, what is none stays text.

use serde_json::Value;

use super::course::ScanVerdict;
use super::{AnswerScanner, Mode};
use crate::protocol::json::{JsonReader, JsonStep, note_json_faults};
use crate::protocol::json_calls::{self, DocumentTrust};
use crate::protocol::json_key::{has_thoughts, has_tool_name, holds_tool_params};
use crate::protocol::outside_text;
use crate::protocol::repair::Repair;
use crate::protocol::speech;
use kith_language::answer_problems;

impl AnswerScanner {
    pub(super) fn handle_json_step(&mut self, event: JsonStep) {
        let Mode::Json(reader) = std::mem::replace(&mut self.mode, Mode::Outside) else {
            return;
        };
        let start = reader.start;
        match event {
            JsonStep::Item(value) => self.handle_json_item(reader, value),
            JsonStep::Root(root) => self.handle_json_root(*reader, root),
            JsonStep::NotJson => {
                if !self.handle_mark(start) {
                    let first = self.text[start..].chars().next().map_or(1, char::len_utf8);
                    self.pos = start + first;
                }
            }
            JsonStep::Tag => self.finish_cut_json(*reader),
        }
    }

    /// One element of the list of actions was read; the document goes on.
    fn handle_json_item(&mut self, mut reader: Box<JsonReader>, value: Value) {
        let start = reader.start;
        let is_first = !reader.has_call;
        // Beside thoughts it is no list of what somebody else has written.
        let words = value
            .as_object()
            .filter(|_| reader.has_thoughts() && !has_tool_name(&value))
            .cloned();
        if json_calls::read_action(value, &self.names, &mut self.found)
            || words.is_some_and(|fields| {
                speech::read_message_object(&fields, &self.names, &mut self.found)
            })
        {
            reader.has_call = true;
            if is_first && !self.begin_json_document(start, true, reader.has_thoughts()) {
                return;
            }
        } else {
            self.dropped = true;
            self.found
                .record_problem(Repair::UnreadableCall, answer_problems::nameless_action());
        }
        self.settle_calls(start);
        if !matches!(self.mode, Mode::Ended) {
            self.mode = Mode::Json(reader);
        }
    }

    fn handle_json_root(&mut self, reader: JsonReader, root: Value) {
        let start = reader.start;
        let was_structure = self.prose_from > start;
        let thinks = root.as_object().is_some_and(has_thoughts);
        let (from, is_root) = match self.find_tool_before(start, &root) {
            Some((from, name)) => {
                self.add_repair(Repair::ProviderSyntax);
                if let Value::Object(params) = root {
                    self.found.add_call(&self.names, &name, params);
                }
                (from, false)
            }
            None => {
                let is_root = reader.has_call || !self.is_single_call(&root);
                if !self.read_root(root, DocumentTrust::Whole, reader.has_call) && !was_structure {
                    self.dropped = true;
                    return;
                }
                (start, is_root)
            }
        };
        if !reader.has_call && !self.begin_json_document(from, is_root, thinks) {
            return;
        }
        // In a provider's syntax, `functions.name({…})`, what stands before it are no words.
        if self.text[from..start].contains('.') {
            self.course.mark_provider_syntax();
        }
        note_json_faults(&self.text[start..self.pos], &mut self.found.repairs);
        self.settle_document(from, is_root);
    }

    fn read_root(&mut self, root: Value, trust: DocumentTrust, taken: bool) -> bool {
        json_calls::read_root_document(root, &self.names, &mut self.found, trust, taken)
    }

    /// The first thing of a document was read: what stood before it is text. False where the answer ended before it.
    fn begin_json_document(&mut self, start: usize, is_root: bool, thinks: bool) -> bool {
        let verdict = if self.in_turn {
            self.judge_document_part(start)
        } else if self.found.calls.is_empty() && self.found.pending_tool.is_none() {
            ScanVerdict::Take
        } else {
            self.begin_document(start, is_root)
        };
        if self.prose_from <= start {
            self.flush_text(start);
            self.prose_from = self.pos;
        }
        self.has_structure = true;
        let is_over = verdict == ScanVerdict::Ended || thinks && self.is_in_second_document();
        if is_over {
            self.end_answer();
        }
        !is_over
    }

    /// Takes the calls of a document that has ended, and that began at `from`.
    fn settle_document(&mut self, from: usize, is_root: bool) {
        self.documents += 1;
        self.prose_from = self.pos;
        self.settle_calls(from);
        if !self.in_turn {
            self.finish_document(is_root);
        }
    }

    pub(super) fn finish_cut_json(&mut self, reader: JsonReader) {
        let (start, was_taken, thinks) = (reader.start, reader.has_call, reader.has_thoughts());
        let was_structure = self.prose_from > start;
        let Some(partial) = reader.finish(self.scan_end == super::ScanEnd::Stopped) else {
            return;
        };
        let mut taken = was_taken;
        for item in partial.items {
            taken |= json_calls::read_action(item, &self.names, &mut self.found);
        }
        let trust = if partial.whole_root {
            DocumentTrust::Whole
        } else {
            DocumentTrust::Cut
        };
        let is_root = taken || !self.is_single_call(&partial.root);
        let known = self.read_root(partial.root, trust, taken) || taken || was_structure;
        self.found.pending_tool = None;
        if known {
            if !was_taken && !self.begin_json_document(start, is_root, thinks) {
                return;
            }
            self.add_repair(Repair::TruncatedTail);
            if partial.cut_call {
                self.found
                    .record_problem(Repair::TruncatedCall, answer_problems::broken_off_action());
            }
            self.settle_document(start, is_root);
        }
        self.dropped |= partial.cut_call || !known;
    }

    /// The tool whose name stands right before a bare object of its parameters, as in `functions.name({…})`.
    fn find_tool_before(&self, start: usize, root: &Value) -> Option<(usize, String)> {
        let before = self.text.get(self.prose_from..start)?;
        let (offset, name) = outside_text::find_last_tool_name(before, &self.names)?;
        let tool = self.names.find_exact_tool(&name);
        holds_tool_params(root, tool).then_some((self.prose_from + offset, name))
    }

    fn is_single_call(&self, root: &Value) -> bool {
        root.as_object()
            .is_some_and(|fields| json_calls::is_single_call(fields, &self.names))
    }
}
