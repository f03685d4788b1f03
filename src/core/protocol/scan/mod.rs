//! Finds out, character by character, where calls, thoughts and JSON documents begin and end. What a character means
//! never depends on how the answer was split: nothing here looks further than what was already read.

mod cdata;
mod course;
mod json_documents;
mod label;
#[cfg(test)]
#[path = "../../tests/protocol/scan_cost.rs"]
mod scan_cost;
mod second_reading;
mod tag_meaning;
mod thought;

pub(super) use self::second_reading::scan_nested_text;

use std::ops::Range;
use std::sync::Arc;

use crate::call::ToolCall;
use crate::policy::OutputProtocol;
use crate::protocol::ParsedAnswer;
use crate::protocol::collected_calls::CollectedCalls;
use crate::protocol::json::JsonReader;
use crate::protocol::names::{self, TagMeaning, ToolNames};
use crate::protocol::open_call::{CallEnd, UnclosedCall};
use crate::protocol::outside_text::{self, OutsideText, TextContinuation};
use crate::protocol::repair::Repair;
use crate::protocol::sign::{find_first_sign, is_at_line_start};
use crate::protocol::tag::{TagKind, TagScan, TagStep};
use kith_language::answer_problems;

use self::course::ScanResult;
use self::thought::{MarkedThoughts, OpenThought};

#[derive(Debug, Default)]
enum Mode {
    /// Text, before, between or after structures; also directly below `<turn>`.
    #[default]
    Outside,
    Thought(OpenThought),
    Marked(MarkedThoughts),
    Call(Box<UnclosedCall>),
    /// A CDATA section of a call: nothing in it is structure.
    Cdata {
        call: Box<UnclosedCall>,
        from: usize,
        searched: usize,
    },
    Json(Box<JsonReader>),
    /// A code span within a line: what stands in it is quoted.
    Code {
        from: usize,
    },
    /// The answer has ended: what follows is none of it.
    Ended,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ScanEnd {
    #[default]
    Unknown,
    Stopped,
    Cut,
}

#[derive(Debug, Default)]
pub(super) struct AnswerScanner {
    pub(super) text: String,
    pub(super) scan_end: ScanEnd,
    pos: usize,
    mode: Mode,
    tag: Option<TagScan>,
    asked_protocol: Option<OutputProtocol>,
    names: Arc<ToolNames>,
    found: CollectedCalls,
    course: ScanResult,
    outside_text: OutsideText,
    /// From where text belongs to no structure.
    prose_from: usize,
    in_turn: bool,
    /// How many `<turn>`s and JSON documents were found.
    turns: usize,
    documents: usize,
    has_structure: bool,
    /// A think block ended: what follows is meant for us.
    thought_ended: bool,
    dropped: bool,
    /// Behind a `<turn>` that stands behind words on its line.
    mentioned_turn: Option<usize>,
    /// The tag that ended the call before, if it was of the same name: maybe an end tag without its slash.
    slashless: Option<usize>,
    /// What is read stands inside another text, or was read before.
    recovering: bool,
    /// No CDATA section ends from here on: what looks like the beginning of one is none.
    no_cdata_end: bool,
    /// Nor does code in a call: an end tag in it was one.
    no_code_end: bool,
    /// Up to here a backtick begins no code span.
    no_code_until: usize,
    /// Where the header of a message of Harmony began.
    header: Option<usize>,
    /// How many bytes it went over, those counted again that it went back to.
    #[cfg(test)]
    shift: usize,
}

impl AnswerScanner {
    pub(super) fn new(asked_protocol: Option<OutputProtocol>, names: Arc<ToolNames>) -> Self {
        Self {
            asked_protocol,
            names,
            found: CollectedCalls::new(scan_nested_text),
            // Beside native calls text is only thought.
            course: ScanResult::new(asked_protocol == Some(OutputProtocol::Native)),
            ..Self::default()
        }
    }

    pub(super) fn add_repair(&mut self, repair: Repair) {
        self.found.repairs.add(repair);
    }

    pub(super) fn thoughts(&self) -> &str {
        &self.found.thoughts
    }

    /// Whether nothing that follows can be part of the answer.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.mode, Mode::Ended)
    }

    pub(super) fn take_calls(&mut self, ended: bool) -> Vec<ToolCall> {
        self.course.take_calls(ended)
    }

    pub(super) fn scan_available_text(&mut self) {
        while self.pos < self.text.len() {
            #[cfg(test)]
            let before = self.pos;
            match &mut self.mode {
                Mode::Json(reader) => {
                    if let Some(event) = reader.read_next(&self.text, &mut self.pos) {
                        self.handle_json_step(event);
                    }
                }
                Mode::Thought(_) => self.scan_thought(),
                Mode::Marked(_) => self.scan_marked_thoughts(),
                Mode::Cdata { .. } => self.scan_cdata(),
                Mode::Code { .. } => self.scan_code_span(),
                Mode::Ended => self.pos = self.text.len(),
                Mode::Outside | Mode::Call(_) => match self.tag.take() {
                    Some(scan) => self.scan_tag(scan),
                    None => self.scan_text(),
                },
            }
            #[cfg(test)]
            (self.shift += self.pos.saturating_sub(before));
        }
    }

    fn scan_text(&mut self) {
        if !self.resolve_waiting_tag() {
            return;
        }
        let rest = &self.text[self.pos..];
        if let Mode::Call(call) = &mut self.mode {
            if call.is_json_container(rest) {
                let container = call.tag.range.clone();
                self.mode = Mode::Outside;
                self.has_structure = true;
                return self.skip_tag(container);
            }
            match find_first_sign(rest, ['<', '＜']) {
                Some((offset, bracket)) => self.begin_tag(self.pos + offset, bracket),
                None => self.pos = self.text.len(),
            }
            return;
        }
        match find_first_sign(rest, ['<', '＜', '◁', '{', '[', '｛', '［', '`']) {
            Some((offset, bracket @ ('<' | '＜' | '◁'))) => {
                self.begin_tag(self.pos + offset, bracket)
            }
            Some((offset, '`')) => self.begin_code(self.pos + offset),
            Some((offset, _)) => {
                self.pos += offset;
                self.mode = Mode::Json(Box::new(JsonReader::new(self.pos)));
            }
            None => self.pos = self.text.len(),
        }
    }

    fn begin_tag(&mut self, at: usize, bracket: char) {
        self.pos = at + bracket.len_utf8();
        self.tag = Some(TagScan::new(at, bracket));
    }

    /// A backtick outside of calls: a fence, the beginning of a code span, or nothing.
    fn begin_code(&mut self, at: usize) {
        self.pos = at + 1;
        let is_fence = self.text[..at].ends_with('`') || at < self.no_code_until;
        if !is_fence {
            self.mode = Mode::Code { from: self.pos };
        }
    }

    /// Inside a code span up to its end; where its line ends first, it was none.
    fn scan_code_span(&mut self) {
        let Mode::Code { from } = self.mode else {
            return;
        };
        let Some((offset, sign)) = find_first_sign(&self.text[self.pos..], ['`', '\n']) else {
            self.pos = self.text.len();
            return;
        };
        self.pos += offset + 1;
        let begins_line = is_at_line_start(&self.text[..from - 1]);
        let span = &self.text[from..self.pos - 1];
        self.mode = Mode::Outside;
        // Two at once begin a fence or nothing, and a span that is all its line holds what was meant.
        if sign == '\n' || span.is_empty() || begins_line {
            self.no_code_until = self.pos;
            self.pos = from;
        }
    }

    fn scan_tag(&mut self, mut scan: TagScan) {
        while let Some(c) = self.text[self.pos..].chars().next() {
            let i = self.pos;
            self.pos += c.len_utf8();
            match scan.step(c, i) {
                TagStep::More => continue,
                TagStep::Text => self.pos = i,
                TagStep::Done(mut tag) => {
                    self.join_tag_name(&mut tag);
                    self.handle_tag(tag);
                }
                TagStep::Unfinished(mut tag) => {
                    self.pos = i;
                    // Nothing but words behind the name: only its bracket is missing.
                    if tag.kind == TagKind::Start
                        && tag
                            .attributes
                            .iter()
                            .all(|attribute| attribute.value.is_none())
                    {
                        tag.attributes.clear();
                        tag.range.end = tag.name.end;
                    }
                    let word = self.names.classify_name(&self.text[tag.name.clone()]);
                    if tag.kind == TagKind::End
                        || matches!(word, TagMeaning::Turn | TagMeaning::Tool(_))
                    {
                        self.handle_tag(tag);
                    }
                }
                TagStep::Suspect { lt, gt } => {
                    let name = self.text[lt + 1..i].trim_matches('/');
                    if !matches!(
                        self.names.classify_name(name),
                        TagMeaning::Turn | TagMeaning::Tool(_)
                    ) {
                        continue;
                    }
                    scan.mark_suspect(lt, gt);
                    continue;
                }
                TagStep::Cut => self.cut_tag(scan),
                TagStep::Cdata => self.begin_cdata(scan.start()),
                TagStep::Token => self.handle_token(scan.start()),
                skipped @ (TagStep::Comment | TagStep::Instruction) => {
                    if matches!(self.mode, Mode::Outside) {
                        let inner = self.text[scan.start()..self.pos]
                            .trim_matches(['<', '!', '-', '>', ' ']);
                        if matches!(skipped, TagStep::Comment) && self.is_other_answer_start(inner)
                        {
                            self.flush_text(scan.start());
                            return self.end_answer();
                        }
                        self.flush_text(scan.start());
                        self.prose_from = self.pos;
                    }
                }
            }
            return;
        }
        self.tag = Some(scan);
    }

    /// Ends a tag whose quote is missing before the next one, which is then read.
    fn cut_tag(&mut self, scan: TagScan) {
        let (tag, next) = scan.cut_before_suspect(&self.text);
        self.pos = next;
        self.handle_tag(tag);
    }

    /// Text up to `to` belongs to no structure.
    fn flush_text(&mut self, to: usize) {
        self.flush_text_before(to, TextContinuation::Structure);
    }

    fn flush_text_before(&mut self, to: usize, next: TextContinuation) {
        let Some(chunk) = self.text.get(self.prose_from..to) else {
            return;
        };
        self.course.speaker = self.course.speaker.follow(chunk, &self.names);
        let text = self
            .outside_text
            .add_piece(chunk, next, &mut self.found.repairs);
        if text && !self.has_structure && !self.thought_ended {
            self.course.hold_calls();
        }
        self.prose_from = to;
    }

    /// Text goes on behind a tag of no meaning.
    fn skip_tag(&mut self, tag: Range<usize>) {
        let before = self
            .text
            .get(self.prose_from..tag.start)
            .unwrap_or_default();
        self.course.speaker = self.course.speaker.follow(before, &self.names);
        self.prose_from = tag.end;
    }

    /// The answer is over: what is open is given up or, where its end can be told, read.
    pub(super) fn finish(&mut self) {
        self.finish_mode();
        let behind = self.prose_from;
        if !self.is_over() {
            let to = match self.tag.take() {
                Some(scan) if matches!(self.mode, Mode::Outside) => {
                    self.dropped |= self.text.len() - scan.start() > 1;
                    scan.start()
                }
                _ => self.text.len(),
            };
            self.flush_text_before(to, TextContinuation::End);
        }
        self.dropped |= self
            .mentioned_turn
            .is_some_and(|at| !label::has_words(&self.text[at..]))
            && !self.course.has_calls();
        self.reread_answer();
        let behind = if self.is_over() {
            ""
        } else {
            self.text.get(behind..).unwrap_or_default()
        };
        self.dropped |= self.course.finish_course(behind, &mut self.found);
    }

    fn finish_mode(&mut self) {
        while let Some(scan) = self.tag.take_if(|scan| scan.is_suspect()) {
            self.cut_tag(scan);
            self.scan_available_text();
        }
        // What follows the end tag may stand in the same code, if the answer was cut.
        while self.scan_end != ScanEnd::Cut && self.end_call_in_code() {
            self.scan_available_text();
        }
        match std::mem::replace(&mut self.mode, Mode::Outside) {
            Mode::Outside => {}
            Mode::Ended => self.mode = Mode::Ended,
            Mode::Call(call) => self.finish_unended_call(*call),
            Mode::Cdata { call, from, .. } => {
                if self.scan_end == ScanEnd::Cut || self.text[from..].contains("]]>]]>") {
                    return self.finish_unended_call(*call);
                }
                // No section ends from here on, so each ends with its call.
                (self.mode, self.pos, self.no_cdata_end) = (Mode::Call(call), from, true);
                self.scan_available_text();
                self.finish_mode();
            }
            Mode::Code { from } => {
                (self.pos, self.no_code_until) = (from, self.text.len());
                self.scan_available_text();
                self.finish_mode();
            }
            Mode::Json(reader) => self.finish_cut_json(*reader),
            Mode::Thought(thought) => self.finish_unended_thought(&thought),
            Mode::Marked(marked) => self.finish_marked_thoughts(&marked),
        }
    }

    /// A call without an end: where the model stopped by itself, its text goes up to there; else half of it is none.
    fn finish_unended_call(&mut self, call: UnclosedCall) {
        let content = call.tag.range.end;
        let open = self.tag.take().map(|scan| scan.start());
        if self.scan_end == ScanEnd::Stopped && matches!(call.meaning, TagMeaning::Tool(_)) {
            let end = open.unwrap_or(self.text.len()).max(content);
            if !self.text[content..end].trim().is_empty() {
                return self.close_call(call, end..end, CallEnd::WrongEndTag);
            }
        }
        self.flush_text(call.tag.range.start);
        self.prose_from = self.text.len();
        self.dropped = true;
        self.has_structure |= self.in_turn;
        let problem = answer_problems::broken_off_element(names::shorten_name(&call.name));
        self.found.record_problem(Repair::TruncatedCall, problem);
    }

    pub(super) fn into_answer(mut self, calls_seen: usize) -> ParsedAnswer {
        let plain_text = std::mem::take(&mut self.outside_text.text);
        let foreign = match self.asked_protocol {
            Some(OutputProtocol::Xml) => self.turns == 0 && self.documents > 0,
            Some(OutputProtocol::Json) => self.documents == 0 && self.turns > 0,
            Some(OutputProtocol::Native) => calls_seen > 0,
            None => false,
        };
        if foreign {
            self.add_repair(Repair::OtherProtocol);
        }
        if self.turns + self.documents > 1 {
            self.add_repair(Repair::SeveralRoots);
        }
        if self.in_turn && !self.is_over() {
            self.add_repair(Repair::TruncatedTail);
        }
        if self.has_structure && !plain_text.is_empty() {
            self.add_repair(Repair::Prose);
        }
        let residue = self.dropped || outside_text::has_residue(&plain_text, &self.names);
        if residue && calls_seen == 0 && self.found.problems.is_empty() {
            self.found.problems.push(match self.asked_protocol {
                Some(OutputProtocol::Json) => answer_problems::no_json_object(),
                Some(OutputProtocol::Native) => answer_problems::call_as_text(),
                Some(OutputProtocol::Xml) | None => answer_problems::no_turn(),
            });
        }
        ParsedAnswer {
            thoughts: self.found.thoughts,
            plain_text,
            residue,
            wants_another_round: self.found.wants_another_round,
            repairs: self.found.repairs.into_vec(),
            problems: self.found.problems,
            readable: self.has_structure || calls_seen > 0,
            calls_seen,
        }
    }
}
