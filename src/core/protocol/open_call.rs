//! A call's element while it is open: decides of each tag inside whether it belongs to the call, ends it, or begins
//! the next one because the end tag is missing.

use std::ops::Range;

use super::element::{self, Element};
use super::forgiving;
use super::found::{Found, is_true};
use super::names::{self, Names, Word};
use super::repair::Repair;
use super::tag::{Tag, TagKind};
use super::xml_call;

/// Open children that are remembered; what nests deeper closes with its parent.
const DEEPEST: usize = 32;

/// How a call's element ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// By its own end tag.
    Own,
    /// By an end tag that is misspelt or another's.
    Wrong,
    /// By the start of something that cannot stand inside it, or the end of what holds it.
    Boundary,
    /// By the start tag of the same tool: the next call, or an end tag without its slash.
    Again,
}

/// What a tag inside a call is.
pub(super) enum Seen {
    /// Part of the call.
    Inside,
    /// The call's end.
    Ends(Ended),
    /// Not part of it: the call ended before.
    EndsBefore(Ended),
    /// The call is no call but holds some, and this is the first.
    Container,
}

/// A call's element whose end was not seen yet.
#[derive(Debug)]
pub(super) struct OpenCall {
    pub(super) tag: Tag,
    /// As written.
    pub(super) name: String,
    pub(super) word: Word,
    pub(super) in_turn: bool,
    pub(super) in_cdata: bool,
    /// Folded names of the children that are open.
    open: Vec<String>,
    /// Nothing but blanks came so far.
    blank: bool,
    /// Where the content that was not looked at begins.
    from: usize,
}

impl OpenCall {
    pub(super) fn new(text: &str, tag: Tag, word: Word, in_turn: bool) -> Self {
        let name = text[tag.name.clone()].to_owned();
        let from = tag.range.end;
        Self { tag, name, word, in_turn, in_cdata: false, open: Vec::new(), blank: true, from }
    }

    /// Whether this is `<tool_call>` or the like with JSON inside; `rest` begins where reading goes on.
    pub(super) fn is_container_of_json(&mut self, rest: &str) -> bool {
        if !self.blank || self.word != Word::GenericCall || !self.tag.attributes.is_empty() {
            return false;
        }
        match rest.trim_start().chars().next() {
            Some('{' | '[') => true,
            Some('<') | None => false,
            Some(_) => {
                self.blank = false;
                false
            }
        }
    }

    /// What the tag is for this call.
    pub(super) fn tag_inside(&mut self, text: &str, tag: &Tag, names: &Names) -> Seen {
        let before = &text[self.from.min(tag.range.start)..tag.range.start];
        if self.in_cdata && before.contains("]]>") {
            self.in_cdata = false;
        }
        let first = self.blank && before.trim().is_empty();
        self.blank = false;
        self.from = tag.range.end;
        let name = &text[tag.name.clone()];
        if tag.kind == TagKind::End {
            return self.end_tag(name, names);
        }
        if self.in_cdata {
            return Seen::Inside;
        }
        self.start_tag(text, tag, name, names, first)
    }

    fn end_tag(&mut self, name: &str, names: &Names) -> Seen {
        let folded = names::fold(name);
        let own = names::fold(&self.name);
        if let Some(depth) = self.open.iter().rposition(|child| *child == folded) {
            if !self.in_cdata {
                self.open.truncate(depth);
            }
            return Seen::Inside;
        }
        if folded == own {
            return Seen::Ends(Ended::Own);
        }
        if self.in_cdata {
            return Seen::Inside;
        }
        if folded.is_empty() {
            return if self.open.pop().is_some() { Seen::Inside } else { Seen::Ends(Ended::Wrong) };
        }
        match names.word(name) {
            Word::Turn | Word::Wrapper => return Seen::EndsBefore(Ended::Boundary),
            Word::Tool(_) if !self.is_param(name, names) => return Seen::Ends(Ended::Wrong),
            _ => {}
        }
        let misspelt = names::is_end_slip(&folded, &own) || (folded.len() >= 4 && own.contains(&folded));
        if misspelt && !self.is_param(name, names) {
            return Seen::Ends(Ended::Wrong);
        }
        Seen::Inside
    }

    fn start_tag(&mut self, text: &str, tag: &Tag, name: &str, names: &Names, first: bool) -> Seen {
        let word = names.word(name);
        let is_param = self.is_param(name, names);
        if word == Word::Turn {
            return Seen::EndsBefore(Ended::Boundary);
        }
        let names_a_tool = word == Word::GenericCall && !tag.attributes.is_empty();
        if first
            && self.word == Word::GenericCall
            && self.tag.attributes.is_empty()
            && (names_a_tool || matches!(word, Word::Tool(_)))
        {
            return Seen::Container;
        }
        if let Word::Tool(other) = word
            && !is_param
        {
            let spec = names.tools.get(other);
            let has_params = tag.attributes.iter().any(|attribute| {
                spec.is_some_and(|tool| names::param(tool, text[attribute.name.clone()].trim()).is_some())
            });
            let known = matches!(self.word, Word::Tool(_) | Word::GenericCall) || names.near_tool(&self.name).is_some();
            let same = names::fold(name) == names::fold(&self.name);
            if known && same {
                return Seen::EndsBefore(Ended::Again);
            }
            if known && (has_params || begins_line(text, tag.range.start)) {
                return Seen::EndsBefore(Ended::Boundary);
            }
        }
        if tag.kind == TagKind::Start && self.open.len() < DEEPEST {
            self.open.push(names::fold(name));
        }
        Seen::Inside
    }

    fn is_param(&self, name: &str, names: &Names) -> bool {
        names
            .near_tool(&self.name)
            .and_then(|place| names.tools.get(place))
            .is_some_and(|tool| names::param(tool, name).is_some())
    }

    /// Makes a call of the element, its content and end now known.
    pub(super) fn read(
        &self,
        text: &str,
        content: Range<usize>,
        end: usize,
        ended: Ended,
        names: &Names,
        found: &mut Found,
    ) {
        match ended {
            Ended::Own => {}
            Ended::Wrong => found.repairs.add(Repair::WrongEndTag),
            Ended::Boundary | Ended::Again => found.repairs.add(Repair::MissingEndTag),
        }
        let tool = names.near_tool(&self.name).and_then(|place| names.tools.get(place));
        let whole = self.tag.range.start..end;
        let clean = (ended == Ended::Own).then(|| element::strict(&text[whole.clone()], whole.start)).flatten();
        let element: Element = match clean {
            Some((element, bare)) => {
                if bare {
                    found.repairs.add(Repair::BareMarkup);
                }
                if self.tag.odd_quotes {
                    found.repairs.add(Repair::AttributeQuotes);
                }
                element
            }
            None => forgiving::read(text, &self.tag, content, tool, names, &mut found.repairs),
        };
        match self.word {
            Word::Heartbeat => {
                let text: String = element.text_only();
                found.more |= text.trim().is_empty() || is_true(&serde_json::Value::String(text));
            }
            Word::GenericCall => xml_call::generic(text, element, names, found),
            _ => xml_call::named(text, &self.name, element, names, found),
        }
    }
}

/// Whether a tag at `at` stands at the start of a line or right behind another tag.
fn begins_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with(['\n', '>'])
}
