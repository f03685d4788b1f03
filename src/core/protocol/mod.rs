//! Reading what a model wrote: XML, JSON and native calls, incremental, into calls, thoughts and repairs. Never an error, never a
//! panic, never more than a bounded number of looks at a byte; half a call is never taken for a whole one.
//!
//! A call is given out the moment its element or object closes. `scan/` finds out where what begins and ends, and which
//! of it is the answer; `lenient_element.rs` and `json.rs` read what was found; `xml_call.rs` and `json_calls.rs` make
//! calls of it, `params.rs`, `value_coercion.rs` and `cleaned_text.rs` their parameters;
//! `native.rs` takes what providers hand over beside the text.

mod answer_schema;
mod cleaned_text;
mod code_span;
mod collected_calls;
mod entity;
mod json;
mod json_calls;
mod json_key;
mod json_quote;
mod json_text;
mod key_value_lines;
mod lenient_element;
mod marker;
mod names;
mod native;
mod open_call;
mod outside_text;
mod params;
mod plain_value;
mod repair;
mod scan;
mod sign;
mod speaker;
mod speech;
mod speech_name;
mod spelled_calls;
mod spelled_text;
mod tag;
mod utf8;
mod value_coercion;
#[cfg(test)]
#[path = "../tests/protocol/work_counter.rs"]
mod work_counter;
mod xml_call;

use std::sync::Arc;

use serde::Serialize;

pub use answer_schema::{
    AnswerSchema, AnswerShape, build_answer_schema, build_shaped_answer_schema,
};
pub(crate) use entity::decode_entities;
pub use native::ToolDelta;
pub use repair::Repair;

use self::names::ToolNames;
use self::native::NativeCalls;
use self::scan::{AnswerScanner, ScanEnd};
use self::utf8::Utf8Joiner;
use super::call::{ToolCall, ToolSpec};
use super::policy::OutputProtocol;
use kith_language::LocalizedMessage;

/// Reads one answer of a model, piece by piece.
#[derive(Debug)]
pub struct AnswerParser {
    utf8: Utf8Joiner,
    bad_utf8: bool,
    scanner: AnswerScanner,
    names: Arc<ToolNames>,
    native: NativeCalls,
    calls_seen: usize,
}

/// Everything in an answer besides its calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParsedAnswer {
    /// What the model thought: `<thoughts>`, think blocks, the JSON fields. For reports, never for people.
    pub thoughts: String,
    /// Text outside any structure, think blocks and fences around the structure removed.
    pub plain_text: String,
    /// `plain_text` holds what looks like a tool call or half a tag, or a call was given up: never to be posted.
    pub residue: bool,
    /// `request_heartbeat` asked for another round.
    pub wants_another_round: bool,
    /// What had to be mended, each fault once.
    pub repairs: Vec<Repair>,
    /// What could not be read, for the model.
    pub problems: Vec<LocalizedMessage>,
    /// Whether any structure of a protocol was found: a turn without calls is readable, plain text is not.
    pub readable: bool,
    /// The calls given out over the whole answer.
    pub calls_seen: usize,
}

impl AnswerParser {
    /// For an answer asked for in `protocol`, by a companion with `tools`. The other protocol is read as well.
    pub fn new(protocol: OutputProtocol, tools: Arc<[ToolSpec]>) -> Self {
        Self::with_names(protocol, tools, &[], &[])
    }

    /// The same for a companion called by these names, among people called by those: what stands under a name is said by
    /// whoever has it.
    pub fn with_names(
        protocol: OutputProtocol,
        tools: Arc<[ToolSpec]>,
        own_names: &[String],
        others_names: &[String],
    ) -> Self {
        Self::with_optional_protocol(Some(protocol), tools, own_names, others_names)
    }

    /// As [`AnswerParser::new`]; without a protocol whichever is found is the one that was meant.
    fn with_optional_protocol(
        protocol: Option<OutputProtocol>,
        tools: Arc<[ToolSpec]>,
        own_names: &[String],
        others_names: &[String],
    ) -> Self {
        let names = Arc::new(ToolNames::new(tools).with_people(own_names, others_names));
        let scanner = AnswerScanner::new(protocol, names.clone());
        Self {
            utf8: Utf8Joiner::default(),
            bad_utf8: false,
            scanner,
            names,
            native: NativeCalls::new(scan::scan_nested_text),
            calls_seen: 0,
        }
    }

    /// Takes the next piece of the answer, split wherever it happens to be. Answers with the calls it completed.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<ToolCall> {
        self.bad_utf8 |= self.utf8.decode(bytes, &mut self.scanner.text);
        self.scanner.scan_available_text();
        self.take_calls(false)
    }

    /// Takes the next piece of a call handed over beside the text. Answers with the calls it completed.
    pub fn feed_tool(&mut self, delta: ToolDelta) -> Vec<ToolCall> {
        self.native.feed(delta, &self.names);
        self.take_native_calls()
    }

    /// The answer was cut at its length limit: a last call of which no arguments have come is none.
    pub fn mark_cut(&mut self) {
        self.native.cut = true;
        self.scanner.scan_end = ScanEnd::Cut;
    }

    /// The model stopped by itself: what lacks nothing but its end is whole.
    pub fn mark_stopped(&mut self) {
        self.scanner.scan_end = ScanEnd::Stopped;
    }

    /// Whether the answer has ended in its text, so that nothing that follows will be read.
    pub fn is_over(&self) -> bool {
        self.scanner.is_over()
    }

    /// What the model thought so far; a block counts when it has ended.
    pub fn thoughts(&self) -> &str {
        self.scanner.thoughts()
    }

    /// The answer is over. Calls that only the end completes, and everything else.
    pub fn finish(mut self) -> (Vec<ToolCall>, ParsedAnswer) {
        self.bad_utf8 |= self.utf8.finish(&mut self.scanner.text);
        self.scanner.scan_available_text();
        self.scanner.finish();
        if self.bad_utf8 {
            self.scanner.add_repair(Repair::BadUtf8);
        }
        if !self.native.has_calls() {
            let calls = self.take_calls(true);
            let answer = self.scanner.into_answer(self.calls_seen);
            return (calls, answer);
        }
        // Text beside calls is thought, and a call spelt out in it is one that was only spoken of.
        self.native.finish(&self.names);
        let calls = self.take_native_calls();
        let mut answer = self.scanner.into_answer(self.calls_seen);
        let mut found = self.native.found;
        found.add_thought(&answer.thoughts);
        found.add_thought(&answer.plain_text);
        answer.wants_another_round |= found.wants_another_round;
        (answer.thoughts, answer.problems) = (found.thoughts, found.problems);
        (answer.plain_text, answer.residue, answer.readable) = (String::new(), false, true);
        answer.repairs = found.repairs.into_vec();
        (calls, answer)
    }

    fn take_native_calls(&mut self) -> Vec<ToolCall> {
        let calls = std::mem::take(&mut self.native.found.calls);
        self.calls_seen += calls.len();
        calls
    }

    fn take_calls(&mut self, ended: bool) -> Vec<ToolCall> {
        let calls = self.scanner.take_calls(ended);
        self.calls_seen += calls.len();
        calls
    }
}

/// What `kith parse` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParsedJson {
    pub thoughts: String,
    pub calls: Vec<ToolCall>,
    pub repairs: Vec<Repair>,
    /// Whether anything of a protocol could be read; where not, `kith parse` exits with 1.
    #[serde(skip)]
    pub readable: bool,
}

/// Reads a whole answer of a companion called by these names, among people called by those. Without a protocol, whichever
/// is found is taken to be the one asked for.
pub fn parse_whole_answer(
    protocol: Option<OutputProtocol>,
    text: &[u8],
    tools: Arc<[ToolSpec]>,
    own_names: &[String],
    others_names: &[String],
) -> ParsedJson {
    let mut parser = AnswerParser::with_optional_protocol(protocol, tools, own_names, others_names);
    let mut calls = parser.feed(text);
    let (last, answer) = parser.finish();
    calls.extend(last);
    ParsedJson {
        thoughts: answer.thoughts,
        calls,
        repairs: answer.repairs,
        readable: answer.readable,
    }
}
