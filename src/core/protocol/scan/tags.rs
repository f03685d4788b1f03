//! What a whole tag means where it stands: begins or ends a turn, thoughts, a call, or nothing.

use std::ops::Range;

use super::course::Verdict;
use super::label::has_words;
use super::thought::Thought;
use super::{Mode, Scanner};
use crate::core::protocol::marker;
use crate::core::protocol::names::{self, Word};
use crate::core::protocol::open_call::{Ended, OpenCall, Seen, Told};
use crate::core::protocol::repair::Repair;
use crate::core::protocol::shape;
use crate::core::protocol::tag::{Tag, TagKind};

/// How many words a tool's name has behind its first one, at most.
const MOST_WORDS: usize = 3;

impl Scanner {
    pub(super) fn on_tag(&mut self, tag: Tag) {
        match std::mem::replace(&mut self.mode, Mode::Outside) {
            Mode::Call(mut call) => {
                let seen = call.tag_inside(&self.text, &tag, &self.names);
                self.seen(call, tag, seen);
            }
            mode => {
                self.mode = mode;
                self.outside_tag(tag);
            }
        }
    }

    /// Does what a tag inside a call is for.
    fn seen(&mut self, mut call: Box<OpenCall>, tag: Tag, seen: Seen) {
        match seen {
            Seen::Inside | Seen::Waits => self.mode = Mode::Call(call),
            Seen::Ends(ended) => {
                self.note(&tag);
                // `</send_message reply_to="12">`
                call.tag.attributes.extend(tag.attributes.iter().cloned());
                call.tag.odd_quotes |= tag.odd_quotes;
                self.close_call(*call, tag.range.clone(), ended);
            }
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
        }
    }

    /// Goes on behind a tag inside a call that is told by what follows; false where that is no text of the call.
    pub(super) fn told(&mut self) -> bool {
        let Mode::Call(call) = &mut self.mode else { return true };
        match call.told(&self.text) {
            Some(Told::Nothing) => return true,
            Some(Told::Text(end)) => self.pos = end,
            None => self.pos = self.text.len(),
            Some(Told::Is(tag, seen)) => {
                self.no_code_end |= tag.kind == TagKind::End;
                self.go_on_behind(tag, seen);
            }
        }
        false
    }

    /// Goes on behind a tag that waited.
    fn go_on_behind(&mut self, tag: Tag, seen: Seen) {
        if let Mode::Call(call) = std::mem::replace(&mut self.mode, Mode::Outside) {
            self.pos = tag.range.end;
            self.seen(call, tag, seen);
        }
    }

    /// At the end of the answer: a tag in code that ends nowhere is no part of any. False where none waits.
    pub(super) fn ends_in_code(&mut self) -> bool {
        let Mode::Call(call) = &mut self.mode else { return false };
        let Some((tag, seen)) = call.ends_after_all() else { return false };
        self.no_code_end = true;
        self.go_on_behind(tag, seen);
        true
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
        let names_a_tool = || {
            let mut attributes = tag.attributes.iter().map(|attribute| names::fold(&self.text[attribute.name.clone()]));
            attributes.any(|name| matches!(&*name, "" | "name" | "function" | "tool"))
        };
        match word {
            Word::Turn => self.turn(&tag),
            Word::Thoughts | Word::Think | Word::Quoted => self.open_thought(&tag, &name, word),
            Word::Tool(_) | Word::Heartbeat => self.open_call(tag, word),
            Word::GenericCall => self.open_call(tag, word),
            Word::Params if self.found.named.is_some() => self.open_call(tag, word),
            Word::Wrapper if names_a_tool() => self.open_call(tag, Word::GenericCall),
            Word::Wrapper => {
                self.flush(tag.range.start);
                self.repair(Repair::Wrapper);
                self.prose_from = tag.range.end;
            }
            Word::Markup => {}
            Word::Params | Word::Other if self.in_turn => self.open_call(tag, Word::Other),
            Word::Params | Word::Other => match self.names.near_tool(&name) {
                Some(place) => self.open_call(tag, Word::Tool(place)),
                None if marker::ends_answer(&name) && self.ends_answer(tag.range.start) => {}
                None if tag.kind == TagKind::Start => self.strange(&name, tag.range.start, tag.range.end, false),
                None => {}
            },
        }
    }

    /// `<turn>`: the document, unless one is open that holds nothing yet.
    fn turn(&mut self, tag: &Tag) {
        if self.in_turn && self.course.is_begun() {
            self.in_turn = false;
            self.document_ended(true);
        }
        if !self.in_turn && self.begin(tag.range.start, true) == Verdict::Over {
            self.flush(tag.range.start);
            return self.over();
        }
        let before = self.text[self.prose_from..tag.range.start].rsplit('\n').next().unwrap_or_default();
        self.mentioned_turn = has_words(before).then_some(tag.range.end);
        self.flush(tag.range.start);
        self.structure = true;
        self.turns += 1;
        self.in_turn = tag.kind == TagKind::Start;
        self.found.more |= tag.attributes.iter().any(|attribute| {
            let value = attribute.value.clone().map_or("true", |value| &self.text[value]);
            names::fold(&self.text[attribute.name.clone()]) == "requestheartbeat" && value.trim() == "true"
        });
        self.prose_from = tag.range.end;
        if !self.in_turn {
            self.document_ended(true);
        }
    }

    /// A block of thoughts, or of words that are not the companion's: behind an answer those begin somebody else's part.
    fn open_thought(&mut self, tag: &Tag, name: &str, word: Word) {
        if word == Word::Quoted && !self.in_turn && self.ends_answer(tag.range.start) {
            return;
        }
        if word != Word::Quoted && self.in_turn && self.thinks_anew() {
            self.flush(tag.range.start);
            return self.over();
        }
        self.flush(tag.range.start);
        self.structure |= word == Word::Thoughts;
        self.prose_from = tag.range.end;
        if tag.kind == TagKind::Start {
            self.mode = Mode::Thought(Thought {
                name: names::fold(name).into_owned(),
                content: tag.range.end,
                bracket: None,
                depth: 1,
                last_end: None,
                is_quoted: word == Word::Quoted,
            });
        }
    }

    /// `<send message>`: a blank in a tool's name makes attributes of the words behind it.
    pub(super) fn join_name(&self, tag: &mut Tag) {
        let bare = tag.attributes.iter().take_while(|attribute| attribute.value.is_none()).count().min(MOST_WORDS);
        if bare == 0 || self.names.word(&self.text[tag.name.clone()]) != Word::Other {
            return;
        }
        for words in 1..=bare {
            let end = tag.attributes[words - 1].name.end;
            if self.names.tool(&self.text[tag.name.start..end]).is_some() {
                tag.name.end = end;
                tag.attributes.drain(..words);
                return;
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
                self.end_of_named(tag.range.start);
                self.in_turn = false;
                self.structure = true;
                self.document_ended(true);
            }
            Word::Markup | Word::Quoted => {}
            Word::Other | Word::Params if !self.in_turn => {
                let name = self.text[tag.name.clone()].to_owned();
                if !(marker::ends_answer(&name) && self.ends_answer(tag.range.start)) {
                    self.strange(&name, tag.range.start, tag.range.end, true);
                }
            }
            Word::Other | Word::Params | Word::Tool(_) => {
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

    /// A tool that was named and got no parameters.
    pub(super) fn end_of_named(&mut self, at: usize) {
        if shape::named_alone(&self.names, &mut self.found) {
            self.settle(at);
        }
    }

    /// `</think>` without a start: the prompt's template wrote the start, so all before it was thought.
    pub(super) fn stray_think_end(&mut self, tag: Range<usize>) {
        self.flush(tag.start);
        self.repair(Repair::StrayThinkEnd);
        let thought = self.plain.take();
        self.found.think(&thought);
        self.course.was_thought();
        self.thought_ended = true;
        self.prose_from = tag.end;
    }

    fn open_call(&mut self, tag: Tag, word: Word) {
        let mut call = OpenCall::new(&self.text, tag, word, self.in_turn);
        call.ends_in_code = self.no_code_end;
        if call.tag.kind == TagKind::Empty {
            let end = call.tag.range.end;
            self.close_call(call, end..end, Ended::Own);
        } else {
            self.mode = Mode::Call(Box::new(call));
        }
    }

    /// The call's content ends where `end_tag` begins.
    pub(super) fn close_call(&mut self, call: OpenCall, end_tag: Range<usize>, ended: Ended) {
        let content = call.tag.range.end..end_tag.start;
        let blank = self.text[content.clone()].trim().is_empty();
        let is_empty = call.tag.kind == TagKind::Empty;
        let slashless = self.slashless.take() == Some(call.tag.range.start) && (ended != Ended::Own || is_empty);
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
        let from = call.tag.range.start;
        let verdict = if call.in_turn { self.go_on(from) } else { self.begin(from, false) };
        self.flush(from);
        if verdict == Verdict::Over {
            return self.over();
        }
        self.structure = true;
        self.prose_from = end_tag.end;
        if self.found.named.is_some() && call.word != Word::Params {
            shape::named_alone(&self.names, &mut self.found);
        }
        call.read(&self.text, content, ended, &self.names, &mut self.found);
        self.settle(from);
        if !call.in_turn {
            self.document_ended(false);
        }
    }
}
