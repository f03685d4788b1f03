//! Finds out, character by character, where calls, thoughts and JSON documents begin and end. What a character means
//! never depends on how the answer was split: nothing here looks further than what was already read.

mod documents;
mod marked;
#[cfg(test)]
mod once;
mod tags;
mod thought;

use std::sync::Arc;

use crate::core::call::Call;
use crate::core::policy::Protocol;
use crate::core::protocol::Answer;
use crate::core::protocol::entity;
use crate::core::protocol::find::first_sign;
use crate::core::protocol::found::Found;
use crate::core::protocol::json::JsonReader;
use crate::core::protocol::names::{self, Names, Word};
use crate::core::protocol::open_call::{Ended, OpenCall};
use crate::core::protocol::plain::{self, Next, Plain};
use crate::core::protocol::pythonic;
use crate::core::protocol::repair::Repair;
use crate::core::protocol::tag::{Skipped, Step, TagKind, TagScan};

use self::marked::Marked;
use self::thought::Thought;

/// Of an action whose end is missing.
const CUT_OFF: &str = "the answer broke off inside an action, which was not done";

/// What the answer is inside of.
#[derive(Debug)]
enum Mode {
    /// Text, before, between or after structures; also directly below `<turn>`.
    Outside,
    Thought(Thought),
    Marked(Marked),
    Call(Box<OpenCall>),
    Json(Box<JsonReader>),
    /// A JSON document whose quotes are escaped: read when it is over.
    Escaped {
        start: usize,
        backslash: bool,
    },
}

/// The whole state of reading an answer.
#[derive(Debug)]
pub(super) struct Scanner {
    /// The answer so far.
    pub(super) text: String,
    pos: usize,
    mode: Mode,
    tag: Option<TagScan>,
    asked: Option<Protocol>,
    names: Arc<Names>,
    found: Found,
    plain: Plain,
    /// From where text belongs to no structure.
    prose_from: usize,
    in_turn: bool,
    /// Containers without a meaning of their own that are open, as a number: their end tags are only dropped.
    turns: usize,
    documents: usize,
    /// A structure of the protocol was found.
    structure: bool,
    /// A think block ended: what follows is meant for us.
    thought_ended: bool,
    /// Text came first: it may be reasoning whose `</think>` is still to come, so calls wait. So they do where the
    /// provider is to hand calls over.
    hold: bool,
    held: Vec<Call>,
    dropped: bool,
    /// The tag that ended the call before, if it was of the same name: maybe an end tag without its slash.
    slashless: Option<usize>,
    recovering: bool,
    /// The answer has ended, and something else follows that is not read.
    pub(super) is_over: bool,
    /// Where the header of a message of Harmony began.
    header: Option<usize>,
    /// How many bytes it went over, those counted again that it went back to.
    #[cfg(test)]
    moved: usize,
}

impl Scanner {
    pub(super) fn new(asked: Option<Protocol>, names: Arc<Names>) -> Self {
        Self {
            text: String::new(),
            pos: 0,
            mode: Mode::Outside,
            tag: None,
            asked,
            names,
            found: Found::default(),
            plain: Plain::default(),
            prose_from: 0,
            in_turn: false,
            turns: 0,
            documents: 0,
            structure: false,
            thought_ended: false,
            // Beside native calls text is only thought.
            hold: asked == Some(Protocol::Native),
            held: Vec::new(),
            dropped: false,
            slashless: None,
            recovering: false,
            is_over: false,
            header: None,
            #[cfg(test)]
            moved: 0,
        }
    }

    pub(super) fn repair(&mut self, repair: Repair) {
        self.found.repairs.add(repair);
    }

    pub(super) fn thoughts(&self) -> &str {
        &self.found.thoughts
    }

    /// The calls to give out now.
    pub(super) fn take_calls(&mut self, ended: bool) -> Vec<Call> {
        if self.hold && !ended {
            return Vec::new();
        }
        if !self.held.is_empty() {
            self.held.append(&mut self.found.calls);
            return std::mem::take(&mut self.held);
        }
        std::mem::take(&mut self.found.calls)
    }

    /// Decides whether the calls just found wait, before anything else is read.
    fn settle(&mut self) {
        if self.hold {
            self.held.append(&mut self.found.calls);
        }
    }

    /// Reads on to the end of what is there.
    pub(super) fn run(&mut self) {
        while self.pos < self.text.len() {
            #[cfg(test)]
            let before = self.pos;
            match &mut self.mode {
                Mode::Json(reader) => {
                    if let Some(event) = reader.run(&self.text, &mut self.pos) {
                        self.json(event);
                    }
                }
                Mode::Thought(_) => self.thought(),
                Mode::Marked(_) => self.marked(),
                Mode::Escaped { .. } => self.escaped(),
                Mode::Outside | Mode::Call(_) => match self.tag.take() {
                    Some(scan) => self.tag_on(scan),
                    None => self.text_on(),
                },
            }
            #[cfg(test)]
            (self.moved += self.pos.saturating_sub(before));
        }
    }

    /// Text up to the next sign that can begin something.
    fn text_on(&mut self) {
        if !self.told() {
            return;
        }
        let rest = &self.text[self.pos..];
        if let Mode::Call(call) = &mut self.mode {
            if call.is_container_of_json(rest) {
                self.prose_from = call.tag.range.end;
                self.structure = true;
                self.mode = Mode::Outside;
                return;
            }
            match first_sign(rest, ['<', '＜']) {
                Some((offset, bracket)) => self.begin_tag(self.pos + offset, bracket),
                None => self.pos = self.text.len(),
            }
            return;
        }
        match first_sign(rest, ['<', '＜', '◁', '{', '[', '｛', '［']) {
            Some((offset, bracket @ ('<' | '＜' | '◁'))) => self.begin_tag(self.pos + offset, bracket),
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

    /// Inside a tag.
    fn tag_on(&mut self, mut scan: TagScan) {
        while let Some(c) = self.text[self.pos..].chars().next() {
            let i = self.pos;
            self.pos += c.len_utf8();
            match scan.step(c, i) {
                Step::More => continue,
                Step::Text => self.pos = i,
                Step::Done(tag) => self.on_tag(tag),
                Step::Unfinished(tag) => {
                    self.pos = i;
                    let word = self.names.word(&self.text[tag.name.clone()]);
                    if tag.kind == TagKind::End || matches!(word, Word::Turn | Word::Tool(_)) {
                        self.on_tag(tag);
                    }
                }
                Step::Suspect { lt, gt } => {
                    let name = self.text[lt + 1..i].trim_matches('/');
                    if !matches!(self.names.word(name), Word::Turn | Word::Tool(_)) {
                        continue;
                    }
                    let tag = scan.cut(&self.text, gt);
                    self.pos = lt;
                    self.on_tag(tag);
                }
                Step::Cdata => self.cdata(scan.start()),
                Step::Skip(Skipped::Token) => self.token(scan.start()),
                Step::Skip(_) => {
                    if matches!(self.mode, Mode::Outside) {
                        self.flush(scan.start());
                        self.prose_from = self.pos;
                    }
                }
            }
            return;
        }
        self.tag = Some(scan);
    }

    fn cdata(&mut self, start: usize) {
        match &mut self.mode {
            Mode::Call(call) => call.begin_cdata(self.pos),
            _ => {
                self.flush(start);
                self.prose_from = self.pos;
            }
        }
    }

    /// Text up to `to` belongs to no structure.
    fn flush(&mut self, to: usize) {
        self.flush_before(to, Next::Structure);
    }

    fn flush_before(&mut self, to: usize, next: Next) {
        let Some(chunk) = self.text.get(self.prose_from..to) else { return };
        let text = self.plain.add(chunk, next, &mut self.found.repairs);
        if text && !self.structure && !self.thought_ended {
            self.hold = true;
        }
        self.prose_from = to;
    }

    /// The answer ended before `at`: nothing from there on is read.
    pub(super) fn end_before(&mut self, at: usize) {
        self.flush(at);
        self.text.truncate(at);
        self.pos = at;
        self.is_over = true;
    }

    /// The answer is over: what is open is given up or, where its end can be told, read.
    pub(super) fn end(&mut self) {
        self.end_of_mode();
        let to = match self.tag.take() {
            Some(scan) if matches!(self.mode, Mode::Outside) => {
                self.dropped |= self.text.len() - scan.start() > 1;
                scan.start()
            }
            _ => self.text.len(),
        };
        self.flush_before(to, Next::End);
        self.other_writing();
    }

    /// An answer whose every bracket is written as an entity, or that is nothing but calls in the syntax of Python.
    fn other_writing(&mut self) {
        if self.structure || self.recovering {
            return;
        }
        if let Some(read) = pythonic::calls(self.plain.text(), &self.names) {
            self.plain.take();
            self.structure = true;
            self.dropped = read.cut;
            self.repair(Repair::ProviderSyntax);
            if read.cut {
                self.found.give_up(Repair::TruncatedCall, CUT_OFF.to_owned());
            }
            return read.calls.into_iter().for_each(|(name, params)| self.found.call(&self.names, &name, params));
        }
        if !self.plain.text().contains("&lt;turn") {
            return;
        }
        let inner = entity::decode(self.plain.text());
        if nested(&inner, &self.names, &mut self.found) {
            self.plain.take();
            self.structure = true;
            self.turns += 1;
            self.repair(Repair::DoubleEncoding);
        }
    }

    fn end_of_mode(&mut self) {
        match std::mem::replace(&mut self.mode, Mode::Outside) {
            Mode::Outside => {}
            Mode::Call(call) => {
                if let Some(end) = call.end_in_cdata(&self.text) {
                    let last = self.text[end.range.end..].trim().is_empty();
                    if last || !self.recovering {
                        (self.recovering, self.tag, self.pos) = (self.recovering || !last, None, end.range.end);
                        self.close_call(*call, end.range, Ended::Own);
                        self.run();
                        return self.end_of_mode();
                    }
                }
                self.flush(call.tag.range.start);
                self.prose_from = self.text.len();
                self.tag = None;
                self.dropped = true;
                self.structure |= self.in_turn;
                let name = names::shorten(&call.name);
                let sentence = format!("the answer broke off inside <{name}>, which was not done");
                self.found.give_up(Repair::TruncatedCall, sentence);
            }
            Mode::Json(reader) => self.json_cut(*reader),
            Mode::Escaped { start, .. } => self.escaped_over(start..self.text.len()),
            Mode::Thought(thought) => self.thought_never_ended(&thought),
            Mode::Marked(marked) => self.marked_never_ended(&marked),
        }
    }

    pub(super) fn answer(mut self, calls_seen: usize) -> Answer {
        let plain_text = self.plain.take();
        let foreign = match self.asked {
            Some(Protocol::Xml) => self.turns == 0 && self.documents > 0,
            Some(Protocol::Json) => self.documents == 0 && self.turns > 0,
            Some(Protocol::Native) => calls_seen > 0,
            None => false,
        };
        if foreign {
            self.repair(Repair::OtherProtocol);
        }
        if self.turns + self.documents > 1 {
            self.repair(Repair::SeveralRoots);
        }
        if self.in_turn {
            self.repair(Repair::TruncatedTail);
        }
        if self.structure && !plain_text.is_empty() {
            self.repair(Repair::Prose);
        }
        let residue = self.dropped || plain::has_residue(&plain_text, &self.names);
        if residue && calls_seen == 0 && self.found.problems.is_empty() {
            self.found.problems.push(match self.asked {
                Some(Protocol::Json) => "it could not be read as the JSON object that was asked for".to_owned(),
                Some(Protocol::Native) => "a tool call written as text is not done; call the tool itself".to_owned(),
                Some(Protocol::Xml) | None => "it could not be read as one <turn> with its elements".to_owned(),
            });
        }
        Answer {
            thoughts: self.found.thoughts,
            plain_text,
            residue,
            more: self.found.more,
            repairs: self.found.repairs.into_vec(),
            problems: self.found.problems,
            readable: self.structure || calls_seen > 0,
            calls_seen,
        }
    }
}

/// Reads text inside another structure; whether it was of a protocol.
pub(super) fn nested(text: &str, names: &Names, found: &mut Found) -> bool {
    let mut inner = Scanner::new(None, Arc::new(names.clone()));
    inner.recovering = true;
    inner.text.push_str(text);
    inner.run();
    inner.end();
    found.think(&inner.found.thoughts);
    found.more |= inner.found.more;
    let calls = inner.take_calls(true);
    let readable = inner.structure || !calls.is_empty();
    found.calls.extend(calls);
    found.repairs.extend(inner.found.repairs);
    found.problems.extend(inner.found.problems);
    readable
}
