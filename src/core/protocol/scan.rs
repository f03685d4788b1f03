//! Finds out, character by character, where calls, thoughts and JSON documents begin and end. What a character means
//! never depends on how the answer was split: nothing here looks further than what was already read.

use std::ops::Range;
use std::sync::Arc;

use super::Answer;
use super::entity;
use super::found::Found;
use super::json::{Event, JsonReader};
use super::json_call::{self, Trust};
use super::names::{self, Names, Word};
use super::open_call::{Ended, OpenCall, Seen};
use super::plain::{self, Next, Plain};
use super::repair::Repair;
use super::tag::{Skipped, Step, Tag, TagKind, TagScan};
use crate::core::call::Call;
use crate::core::policy::Protocol;

/// Longest end tag of a block of thoughts, in bytes.
const LONGEST_END_TAG: usize = 48;

/// What the answer is inside of.
#[derive(Debug)]
enum Mode {
    /// Text, before, between or after structures; also directly below `<turn>`.
    Outside,
    Thought(Thought),
    Call(Box<OpenCall>),
    Json(Box<JsonReader>),
    /// A JSON document whose quotes are escaped: read when it is over.
    Escaped {
        start: usize,
        backslash: bool,
    },
}

/// A block of thoughts that is open.
#[derive(Debug)]
struct Thought {
    /// Folded, as its end tag must read.
    name: String,
    /// Where its content begins.
    content: usize,
    /// The last `<`.
    bracket: Option<usize>,
    /// How many of the same name are open: a reasoning model may write its block inside the protocol's.
    depth: usize,
    /// Where an inner block of the same name ended last.
    last_end: Option<usize>,
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
    /// Text came first: it may be reasoning whose `</think>` is still to come, so calls wait.
    hold: bool,
    held: Vec<Call>,
    dropped: bool,
    /// The tag that ended the call before, if it was of the same name: maybe an end tag without its slash.
    slashless: Option<usize>,
    recovering: bool,
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
            hold: false,
            held: Vec::new(),
            dropped: false,
            slashless: None,
            recovering: false,
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
        if ended || !self.hold {
            let mut out = std::mem::take(&mut self.held);
            out.append(&mut self.found.calls);
            return out;
        }
        Vec::new()
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
            match &mut self.mode {
                Mode::Json(reader) => {
                    if let Some(event) = reader.run(&self.text, &mut self.pos) {
                        self.json(event);
                    }
                }
                Mode::Thought(_) => self.thought(),
                Mode::Escaped { .. } => self.escaped(),
                Mode::Outside | Mode::Call(_) => match self.tag.take() {
                    Some(scan) => self.tag_on(scan),
                    None => self.text_on(),
                },
            }
        }
    }

    /// Text up to the next sign that can begin something.
    fn text_on(&mut self) {
        let rest = &self.text[self.pos..];
        if let Mode::Call(call) = &mut self.mode {
            if call.is_container_of_json(rest) {
                self.prose_from = call.tag.range.end;
                self.structure = true;
                self.mode = Mode::Outside;
                return;
            }
            match rest.find(['<', '＜']) {
                Some(offset) => self.begin_tag(self.pos + offset),
                None => self.pos = self.text.len(),
            }
            return;
        }
        match rest.find(['<', '＜', '{', '[', '｛', '［']) {
            Some(offset) => {
                let at = self.pos + offset;
                if matches!(self.text.as_bytes()[at], b'<') || self.text[at..].starts_with('＜') {
                    self.begin_tag(at);
                } else {
                    self.pos = at;
                    self.mode = Mode::Json(Box::new(JsonReader::new(at)));
                }
            }
            None => self.pos = self.text.len(),
        }
    }

    fn begin_tag(&mut self, at: usize) {
        let bracket = if self.text.as_bytes()[at] == b'<' { '<' } else { '＜' };
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
            Mode::Call(call) => call.in_cdata = true,
            _ => {
                self.flush(start);
                self.prose_from = self.pos;
            }
        }
    }

    /// A special token: never text.
    fn token(&mut self, start: usize) {
        if matches!(self.mode, Mode::Outside) {
            let token = &self.text[start..self.pos];
            if plain::is_tool_token(token) {
                self.repair(Repair::ProviderSyntax);
            }
        }
    }

    fn on_tag(&mut self, tag: Tag) {
        match std::mem::replace(&mut self.mode, Mode::Outside) {
            Mode::Call(mut call) => match call.tag_inside(&self.text, &tag, &self.names) {
                Seen::Inside => self.mode = Mode::Call(call),
                Seen::Ends(ended) => self.close_call(*call, tag.range.clone(), ended),
                Seen::EndsBefore(ended) => {
                    self.close_call(*call, tag.range.start..tag.range.start, ended);
                    self.slashless = (ended == Ended::Again).then_some(tag.range.start);
                    self.outside_tag(tag);
                }
                Seen::Container => {
                    self.prose_from = call.tag.range.end;
                    self.structure = true;
                    self.repair(Repair::Wrapper);
                    self.outside_tag(tag);
                }
            },
            mode => {
                self.mode = mode;
                self.outside_tag(tag);
            }
        }
    }

    fn outside_tag(&mut self, tag: Tag) {
        let name = self.text[tag.name.clone()].to_owned();
        let word = self.names.word(&name);
        if tag.full_width && matches!(word, Word::Other) {
            return;
        }
        if tag.kind == TagKind::End {
            return self.outside_end(&tag, word);
        }
        self.note(&tag);
        let names_a_tool = tag.attributes.iter().any(|attribute| {
            matches!(names::fold(&self.text[attribute.name.clone()]).as_str(), "" | "name" | "function" | "tool")
        });
        match word {
            Word::Turn => {
                self.flush(tag.range.start);
                self.structure = true;
                self.turns += 1;
                self.in_turn = tag.kind == TagKind::Start;
                self.found.more |= tag.attributes.iter().any(|attribute| {
                    let value = attribute.value.clone().map_or("true", |value| &self.text[value]);
                    names::fold(&self.text[attribute.name.clone()]) == "requestheartbeat" && value.trim() == "true"
                });
                self.prose_from = tag.range.end;
            }
            Word::Thoughts | Word::Think => {
                self.flush(tag.range.start);
                self.structure |= word == Word::Thoughts;
                self.prose_from = tag.range.end;
                if tag.kind == TagKind::Start {
                    self.mode = Mode::Thought(Thought {
                        name: names::fold(&name),
                        content: tag.range.end,
                        bracket: None,
                        depth: 1,
                        last_end: None,
                    });
                }
            }
            Word::Tool(_) | Word::Heartbeat => self.open_call(tag, word),
            Word::GenericCall => self.open_call(tag, word),
            Word::Wrapper if names_a_tool => self.open_call(tag, Word::GenericCall),
            Word::Wrapper => {
                self.flush(tag.range.start);
                if self.in_turn {
                    self.repair(Repair::Wrapper);
                }
                self.prose_from = tag.range.end;
            }
            Word::Other if self.in_turn => self.open_call(tag, word),
            Word::Other => {
                if let Some(place) = self.names.near_tool(&name) {
                    self.open_call(tag, Word::Tool(place));
                }
            }
        }
    }

    /// Names what is wrong with a tag of the protocol itself.
    fn note(&mut self, tag: &Tag) {
        if tag.full_width {
            self.repair(Repair::FullWidth);
        }
        if tag.unfinished {
            self.repair(Repair::UnfinishedTag);
        }
    }

    fn outside_end(&mut self, tag: &Tag, word: Word) {
        match word {
            Word::Think | Word::Thoughts => self.stray_think_end(tag.range.clone()),
            Word::Turn => {
                self.flush(tag.range.start);
                self.prose_from = tag.range.end;
                self.in_turn = false;
                self.structure = true;
            }
            Word::Other if !self.in_turn => {}
            Word::Other | Word::Tool(_) => {
                self.flush(tag.range.start);
                self.prose_from = tag.range.end;
                self.dropped = true;
                self.repair(Repair::WrongEndTag);
            }
            Word::Wrapper | Word::GenericCall | Word::Heartbeat => {
                self.flush(tag.range.start);
                self.prose_from = tag.range.end;
            }
        }
    }

    /// `</think>` without a start: the prompt's template wrote the start, so all before it was thought.
    fn stray_think_end(&mut self, tag: Range<usize>) {
        self.flush(tag.start);
        self.repair(Repair::StrayThinkEnd);
        let thought = self.plain.take();
        self.found.think(&thought);
        self.held.clear();
        self.hold = false;
        self.thought_ended = true;
        self.prose_from = tag.end;
    }

    fn open_call(&mut self, tag: Tag, word: Word) {
        let call = OpenCall::new(&self.text, tag, word, self.in_turn);
        if call.tag.kind == TagKind::Empty {
            let end = call.tag.range.end;
            self.close_call(call, end..end, Ended::Own);
        } else {
            self.mode = Mode::Call(Box::new(call));
        }
    }

    /// The call's content ends where `end_tag` begins.
    fn close_call(&mut self, call: OpenCall, end_tag: Range<usize>, ended: Ended) {
        let content = call.tag.range.end..end_tag.start;
        let blank = self.text[content.clone()].trim().is_empty();
        let slashless = self.slashless.take() == Some(call.tag.range.start) && ended != Ended::Own;
        if blank && call.tag.attributes.is_empty() && (slashless || ended == Ended::Again) {
            self.repair(if slashless { Repair::SlashlessEndTag } else { Repair::MissingEndTag });
            self.prose_from = end_tag.end;
            return;
        }
        if !call.in_turn {
            if matches!(ended, Ended::Boundary | Ended::Again) {
                // Nobody closed it and no turn holds it: it was only spoken of.
                self.dropped = true;
                return;
            }
            if self.turns == 0 && call.word != Word::GenericCall {
                self.repair(Repair::MissingRoot);
            }
        }
        self.flush(call.tag.range.start);
        self.structure = true;
        self.prose_from = end_tag.end;
        call.read(&self.text, content, end_tag.end, ended, &self.names, &mut self.found);
        self.settle();
    }

    /// Inside a block of thoughts only its end tag counts.
    fn thought(&mut self) {
        let Mode::Thought(thought) = &mut self.mode else { return };
        let rest = &self.text[self.pos..];
        let Some((offset, sign)) = rest.char_indices().find(|(_, c)| matches!(c, '<' | '>' | '＜' | '＞')) else {
            self.pos = self.text.len();
            return;
        };
        let at = self.pos + offset;
        self.pos = at + sign.len_utf8();
        if matches!(sign, '<' | '＜') {
            thought.bracket = Some(at);
            return;
        }
        let Some(start) = thought.bracket.take().filter(|start| at - start <= LONGEST_END_TAG) else { return };
        let inside = self.text[start..at].trim_start_matches(['<', '＜']).trim();
        match inside.strip_prefix(['/', '／']) {
            Some(name) if ends_thought(&thought.name, name) => {
                thought.depth -= 1;
                thought.last_end = Some(self.pos);
                if thought.depth == 0 {
                    let content = thought.content..start;
                    self.thought_over(content, self.pos);
                }
            }
            None if names::fold(inside) == thought.name && at_line_start(&self.text, start, thought.content) => {
                thought.depth += 1;
            }
            _ => {}
        }
    }

    fn thought_over(&mut self, content: Range<usize>, end: usize) {
        let thought = plain::without_cdata(&self.text[content]).to_owned();
        self.found.think(&thought);
        self.mode = Mode::Outside;
        self.prose_from = end;
        self.thought_ended = true;
    }

    fn escaped(&mut self) {
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

    fn escaped_over(&mut self, range: Range<usize>) {
        self.mode = Mode::Outside;
        self.repair(Repair::DoubleEncoding);
        let quoted = format!("\"{}\"", self.text[range.clone()].replace('\n', "\\n"));
        let inner: Option<String> = serde_json::from_str(&quoted).ok();
        let inner = inner.unwrap_or_else(|| self.text[range.clone()].replace("\\\"", "\"").replace("\\n", "\n"));
        if !self.recovering && nested(&inner, &self.names, &mut self.found) {
            self.flush(range.start);
            self.prose_from = range.end;
            self.structure = true;
            self.documents += 1;
        }
        self.settle();
    }

    fn json(&mut self, event: Event) {
        let Mode::Json(reader) = std::mem::replace(&mut self.mode, Mode::Outside) else { return };
        let start = reader.start();
        match event {
            Event::Item(value) => {
                if json_call::item(value, &self.names, &mut self.found) {
                    self.json_begins(start);
                } else {
                    self.dropped = true;
                    self.repair(Repair::UnreadableCall);
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
                    None => json_call::document(root, &self.names, &mut self.found, Trust::Whole),
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
                let first = self.text[start..].chars().next().map_or(1, char::len_utf8);
                self.pos = start + first;
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
    fn json_cut(&mut self, reader: JsonReader) {
        let start = reader.start();
        let begun = self.prose_from > start;
        let Some(partial) = reader.finish() else { return };
        let mut known = begun;
        for item in partial.items {
            known |= json_call::item(item, &self.names, &mut self.found);
        }
        let trust = if partial.whole_root { Trust::Whole } else { Trust::Cut };
        known |= json_call::document(partial.root, &self.names, &mut self.found, trust);
        if known {
            self.json_begins(start);
            self.prose_from = self.pos;
            self.documents += 1;
            self.found.repairs.extend(partial.repairs);
            self.repair(Repair::TruncatedTail);
            if partial.cut_call {
                self.repair(Repair::TruncatedCall);
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
        self.escaped_markup();
    }

    /// An answer whose every bracket is written as an entity.
    fn escaped_markup(&mut self) {
        if self.structure || self.recovering || !self.plain.text().contains("&lt;turn") {
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
                self.flush(call.tag.range.start);
                self.prose_from = self.text.len();
                self.tag = None;
                self.dropped = true;
                self.structure |= self.in_turn;
                self.repair(Repair::TruncatedCall);
            }
            Mode::Json(reader) => self.json_cut(*reader),
            Mode::Escaped { start, .. } => self.escaped_over(start..self.text.len()),
            Mode::Thought(thought) => self.thought_never_ended(&thought),
        }
    }

    fn thought_never_ended(&mut self, thought: &Thought) {
        self.repair(Repair::MissingThinkEnd);
        let content = &self.text[thought.content..];
        let recovered = match thought.last_end {
            Some(end) => Some(end),
            None => plain::turn_behind_thought(content, &self.names).map(|offset| thought.content + offset),
        };
        let end = recovered.unwrap_or(self.text.len());
        self.thought_over(thought.content..end, end);
        if let Some(end) = recovered
            && !self.recovering
        {
            self.recovering = true;
            self.pos = end;
            self.run();
            self.end_of_mode();
        }
    }

    pub(super) fn answer(mut self, calls_seen: usize) -> Answer {
        let plain_text = self.plain.take();
        let foreign = match self.asked {
            Some(Protocol::Xml) => self.turns == 0 && self.documents > 0,
            Some(Protocol::Json) => self.documents == 0 && self.turns > 0,
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
        Answer {
            thoughts: self.found.thoughts,
            plain_text,
            residue,
            more: self.found.more,
            repairs: self.found.repairs.into_vec(),
            readable: self.structure || calls_seen > 0,
            calls_seen,
        }
    }
}

/// Whether `</written>` ends a block of this name: its own, a slip of it, or another word for thoughts.
fn ends_thought(name: &str, written: &str) -> bool {
    let folded = names::fold(written);
    folded == name || names::is_slip(&folded, name) || (name.starts_with("thought") && folded.starts_with("thought"))
}

/// Whether only blanks stand between `at` and the start of its line or the content.
fn at_line_start(text: &str, at: usize, content: usize) -> bool {
    let before = text[content..at].trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with('\n')
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
    readable
}
