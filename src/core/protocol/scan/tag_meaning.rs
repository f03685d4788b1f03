//! What a whole tag means where it stands: begins or ends a turn, thoughts, a call, or nothing.

use std::ops::Range;

use super::course::ScanVerdict;
use super::label::has_words;
use super::thought::OpenThought;
use super::{AnswerScanner, Mode};
use crate::protocol::json_calls;
use crate::protocol::marker;
use crate::protocol::names::{self, TagMeaning};
use crate::protocol::open_call::{CallEnd, InnerTag, TagRole, UnclosedCall};
use crate::protocol::repair::Repair;
use crate::protocol::tag::{ParsedTag, TagAttribute, TagKind};

/// How many words a tool's name has behind its first one, at most.
const MOST_WORDS: usize = 3;

impl AnswerScanner {
    pub(super) fn handle_tag(&mut self, tag: ParsedTag) {
        match std::mem::replace(&mut self.mode, Mode::Outside) {
            Mode::Call(mut call) => {
                let seen = call.classify_tag(&self.text, &tag, &self.names);
                self.handle_inner_tag(call, tag, seen);
            }
            mode => {
                self.mode = mode;
                self.handle_outside_tag(tag);
            }
        }
    }

    fn handle_inner_tag(
        &mut self,
        mut call: Box<UnclosedCall>,
        tag: ParsedTag,
        inner_tag: InnerTag,
    ) {
        match inner_tag {
            InnerTag::Inside | InnerTag::Undecided => self.mode = Mode::Call(call),
            InnerTag::Ends(ended) => {
                self.note_tag_repairs(&tag);
                // `</send_message reply_to="12">`
                call.tag.attributes.extend(tag.attributes.iter().cloned());
                call.tag.odd_quotes |= tag.odd_quotes;
                self.close_call(*call, tag.range.clone(), ended);
            }
            InnerTag::EndsBefore(ended) => {
                self.close_call(*call, tag.range.start..tag.range.start, ended);
                self.slashless = (ended == CallEnd::SameToolStart).then_some(tag.range.start);
                self.handle_outside_tag(tag);
            }
            InnerTag::Container => {
                self.skip_tag(call.tag.range);
                self.has_structure = true;
                self.add_repair(Repair::Wrapper);
                self.handle_outside_tag(tag);
            }
        }
    }

    /// Goes on behind a tag inside a call that is told by what follows; false where that is no text of the call.
    pub(super) fn resolve_waiting_tag(&mut self) -> bool {
        let Mode::Call(call) = &mut self.mode else {
            return true;
        };
        match call.resolve_waiting_tag(&self.text) {
            Some(TagRole::Nothing) => return true,
            Some(TagRole::Text(end)) => self.pos = end,
            None => self.pos = self.text.len(),
            Some(TagRole::Tag(tag, seen)) => {
                self.no_code_end |= tag.kind == TagKind::End;
                self.resume_after_tag(tag, seen);
            }
        }
        false
    }

    fn resume_after_tag(&mut self, tag: ParsedTag, seen: InnerTag) {
        if let Mode::Call(call) = std::mem::replace(&mut self.mode, Mode::Outside) {
            self.pos = tag.range.end;
            self.handle_inner_tag(call, tag, seen);
        }
    }

    /// At the end of the answer: a tag in code that ends nowhere is no part of any. False where none waits.
    pub(super) fn end_call_in_code(&mut self) -> bool {
        let Mode::Call(call) = &mut self.mode else {
            return false;
        };
        let Some((tag, seen)) = call.take_waiting_code_tag() else {
            return false;
        };
        self.no_code_end = true;
        self.resume_after_tag(tag, seen);
        true
    }

    fn handle_outside_tag(&mut self, tag: ParsedTag) {
        if self.handle_mark(tag.range.start) {
            return;
        }
        let name = self.text[tag.name.clone()].to_owned();
        let meaning = self.names.classify_name(&name);
        if tag.full_width && matches!(meaning, TagMeaning::Other) {
            return;
        }
        if tag.kind == TagKind::End {
            return self.handle_outside_end_tag(&tag, meaning);
        }
        self.note_tag_repairs(&tag);
        let names_a_tool = |attribute: &TagAttribute| {
            let name = names::fold_name(&self.text[attribute.name.clone()]);
            matches!(&*name, "" | "name" | "function" | "tool")
        };
        match meaning {
            TagMeaning::Turn => self.handle_turn_tag(&tag),
            TagMeaning::Thoughts | TagMeaning::Think | TagMeaning::Quoted => {
                self.open_thought(&tag, &name, meaning)
            }
            TagMeaning::Tool(_) | TagMeaning::Heartbeat | TagMeaning::GenericCall => {
                self.open_call(tag, meaning)
            }
            TagMeaning::Params if self.found.pending_tool.is_some() => self.open_call(tag, meaning),
            TagMeaning::Wrapper if tag.attributes.iter().any(names_a_tool) => {
                self.open_call(tag, TagMeaning::GenericCall)
            }
            TagMeaning::Wrapper => {
                self.flush_text(tag.range.start);
                self.add_repair(Repair::Wrapper);
                self.prose_from = tag.range.end;
            }
            TagMeaning::Markup => {}
            TagMeaning::Params | TagMeaning::Other if self.in_turn => {
                self.open_call(tag, TagMeaning::Other)
            }
            TagMeaning::Params | TagMeaning::Other => match self.names.find_near_tool(&name) {
                Some(place) => self.open_call(tag, TagMeaning::Tool(place)),
                None if marker::is_answer_end(&name) && self.try_end_answer(tag.range.start) => {}
                None if tag.kind == TagKind::Start => {
                    self.track_unknown_element(&name, tag.range.start, tag.range.end, false)
                }
                None => {}
            },
        }
    }

    /// `<turn>`: the document, unless one is open that holds nothing yet.
    fn handle_turn_tag(&mut self, tag: &ParsedTag) {
        if self.in_turn && self.course.has_calls() {
            self.in_turn = false;
            self.finish_document(true);
        }
        if !self.in_turn && self.begin_document(tag.range.start, true) == ScanVerdict::Ended {
            self.flush_text(tag.range.start);
            return self.end_answer();
        }
        let before = self.text[self.prose_from..tag.range.start]
            .rsplit('\n')
            .next()
            .unwrap_or_default();
        self.mentioned_turn = has_words(before).then_some(tag.range.end);
        self.flush_text(tag.range.start);
        self.has_structure = true;
        self.turns += 1;
        self.in_turn = tag.kind == TagKind::Start;
        self.found.wants_another_round |= tag.attributes.iter().any(|attribute| {
            let value = attribute
                .value
                .clone()
                .map_or("true", |value| &self.text[value]);
            names::fold_name(&self.text[attribute.name.clone()]) == "requestheartbeat"
                && value.trim() == "true"
        });
        self.prose_from = tag.range.end;
        if !self.in_turn {
            self.finish_document(true);
        }
    }

    /// A block of thoughts, or of words that are not the companion's: behind an answer those begin somebody else's part.
    fn open_thought(&mut self, tag: &ParsedTag, name: &str, meaning: TagMeaning) {
        if meaning == TagMeaning::Quoted && !self.in_turn && self.try_end_answer(tag.range.start) {
            return;
        }
        if meaning != TagMeaning::Quoted && self.in_turn && self.is_in_second_document() {
            self.flush_text(tag.range.start);
            return self.end_answer();
        }
        self.flush_text(tag.range.start);
        self.has_structure |= meaning == TagMeaning::Thoughts;
        self.prose_from = tag.range.end;
        if tag.kind == TagKind::Start {
            self.mode = Mode::Thought(OpenThought {
                name: names::fold_name(name).into_owned(),
                content_start: tag.range.end,
                bracket: None,
                depth: 1,
                last_end: None,
                is_quoted: meaning == TagMeaning::Quoted,
            });
        }
    }

    /// `<send message>`: a blank in a tool's name makes attributes of the words behind it.
    pub(super) fn join_tag_name(&self, tag: &mut ParsedTag) {
        let bare = tag
            .attributes
            .iter()
            .take_while(|attribute| attribute.value.is_none())
            .count()
            .min(MOST_WORDS);
        if bare == 0 || self.names.classify_name(&self.text[tag.name.clone()]) != TagMeaning::Other
        {
            return;
        }
        for words in 1..=bare {
            let end = tag.attributes[words - 1].name.end;
            if self
                .names
                .find_tool(&self.text[tag.name.start..end])
                .is_some()
            {
                tag.name.end = end;
                tag.attributes.drain(..words);
                return;
            }
        }
    }

    fn note_tag_repairs(&mut self, tag: &ParsedTag) {
        if tag.is_faulty() {
            self.add_repair(Repair::XmlSyntax);
        }
    }

    fn handle_outside_end_tag(&mut self, tag: &ParsedTag, meaning: TagMeaning) {
        match meaning {
            TagMeaning::Think | TagMeaning::Thoughts => {
                self.handle_stray_think_end(tag.range.clone())
            }
            TagMeaning::Turn => {
                self.flush_text(tag.range.start);
                self.prose_from = tag.range.end;
                self.finish_pending_tool(tag.range.start);
                self.in_turn = false;
                self.has_structure = true;
                self.finish_document(true);
            }
            TagMeaning::Markup | TagMeaning::Quoted => {}
            TagMeaning::Other | TagMeaning::Params if !self.in_turn => {
                let name = self.text[tag.name.clone()].to_owned();
                self.track_unknown_element(&name, tag.range.start, tag.range.end, true);
            }
            TagMeaning::Other | TagMeaning::Params | TagMeaning::Tool(_) => {
                self.flush_text(tag.range.start);
                self.prose_from = tag.range.end;
                self.dropped = true;
                self.add_repair(Repair::XmlSyntax);
            }
            TagMeaning::Wrapper | TagMeaning::GenericCall | TagMeaning::Heartbeat => {
                self.flush_text(tag.range.start);
                self.prose_from = tag.range.end;
            }
        }
    }

    /// A tool that was named and got no parameters.
    pub(super) fn finish_pending_tool(&mut self, at: usize) {
        if json_calls::add_pending_call(&self.names, &mut self.found) {
            self.settle_calls(at);
        }
    }

    /// `</think>` without a start: the prompt's template wrote the start, so all before it was thought.
    pub(super) fn handle_stray_think_end(&mut self, tag: Range<usize>) {
        self.flush_text(tag.start);
        self.add_repair(Repair::StrayThinkEnd);
        let thought = std::mem::take(&mut self.outside_text.text);
        self.found.add_thought(&thought);
        self.course.discard_thought_calls();
        self.thought_ended = true;
        self.prose_from = tag.end;
    }

    fn open_call(&mut self, tag: ParsedTag, meaning: TagMeaning) {
        let mut call = UnclosedCall::new(&self.text, tag, meaning, self.in_turn);
        call.ends_in_code = self.no_code_end;
        if call.tag.kind == TagKind::Empty {
            let end = call.tag.range.end;
            self.close_call(call, end..end, CallEnd::OwnEndTag);
        } else {
            self.mode = Mode::Call(Box::new(call));
        }
    }

    /// The call's content ends where `end_tag` begins.
    pub(super) fn close_call(&mut self, call: UnclosedCall, end_tag: Range<usize>, ended: CallEnd) {
        let content = call.tag.range.end..end_tag.start;
        let blank = self.text[content.clone()].trim().is_empty();
        let is_empty = call.tag.kind == TagKind::Empty;
        let slashless = self.slashless.take() == Some(call.tag.range.start)
            && (ended != CallEnd::OwnEndTag || is_empty);
        if blank && call.tag.attributes.is_empty() && (slashless || ended == CallEnd::SameToolStart)
        {
            self.add_repair(Repair::XmlSyntax);
            return self.skip_tag(call.tag.range.start..end_tag.end);
        }
        if !call.in_turn {
            if matches!(ended, CallEnd::Boundary | CallEnd::SameToolStart) {
                // Nobody closed it and no turn holds it: it was only spoken of.
                self.dropped = true;
                return;
            }
            if self.turns == 0 && call.meaning != TagMeaning::GenericCall {
                self.add_repair(Repair::MissingRoot);
            }
        }
        let from = call.tag.range.start;
        let verdict = if call.in_turn {
            self.judge_document_part(from)
        } else {
            self.begin_document(from, false)
        };
        self.flush_text(from);
        if verdict == ScanVerdict::Ended {
            return self.end_answer();
        }
        self.has_structure = true;
        self.prose_from = end_tag.end;
        if self.found.pending_tool.is_some() && call.meaning != TagMeaning::Params {
            json_calls::add_pending_call(&self.names, &mut self.found);
        }
        call.build_call(&self.text, content, ended, &self.names, &mut self.found);
        self.settle_calls(from);
        if !call.in_turn {
            self.finish_document(false);
        }
    }
}
