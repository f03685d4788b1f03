//! A call's element while it is open: decides of each tag inside whether it belongs to the call, ends it, or begins
//! the next one because the end tag is missing.

use std::ops::Range;

use super::code_span::{CodeContext, CodeRemainder};
use super::collected_calls::CollectedCalls;
use super::lenient_element;
use super::names::{self, TURN, TagMeaning, ToolNames};
use super::plain_value::is_true;
use super::repair::Repair;
use super::sign::trim_trailing_blanks;
use super::tag::{ParsedTag, TagKind};
use super::xml_call;

/// Open children that are remembered; what nests deeper closes with its parent.
const DEEPEST: usize = 32;
/// How far behind a tag within a line its end is looked for, in bytes.
const LONGEST_MENTION: usize = 256;
/// The longest name of an end tag that ends a call whose name it is not, in bytes.
const LONGEST_FOREIGN: usize = 48;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallEnd {
    OwnEndTag,
    /// By an end tag that is misspelt or another's, or by the end of an answer that lacks one.
    WrongEndTag,
    /// By the start of something that cannot stand inside it, or the end of what holds it.
    Boundary,
    /// By the start tag of the same tool: the next call, or an end tag without its slash.
    SameToolStart,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum InnerTag {
    Inside,
    Ends(CallEnd),
    /// Not part of it: the call ended before.
    EndsBefore(CallEnd),
    /// The call is no call but holds some, and this is the first.
    Container,
    /// Told by what comes behind it.
    Undecided,
}

/// A call's element whose end was not seen yet.
#[derive(Debug)]
pub(super) struct UnclosedCall {
    pub(super) tag: ParsedTag,
    pub(super) name: String,
    pub(super) meaning: TagMeaning,
    pub(super) in_turn: bool,
    open_children: Vec<String>,
    blank: bool,
    /// Where the content that was not looked at begins.
    unread_start: usize,
    /// Inside a fence or a code span of the text.
    code: CodeContext,
    /// No tag in code waits for the end of that.
    pub(super) ends_in_code: bool,
    /// A tag that is told by what comes behind it, while that is not known.
    waiting: Option<PendingTag>,
}

/// A tag that is told by what comes behind it.
#[derive(Debug)]
struct PendingTag {
    tag: ParsedTag,
    /// What it is unless it is text.
    inner_tag: InnerTag,
    /// Where it stands in code, what was found behind it.
    code_remainder: Option<CodeRemainder>,
}

impl UnclosedCall {
    pub(super) fn new(text: &str, tag: ParsedTag, meaning: TagMeaning, in_turn: bool) -> Self {
        let name = text[tag.name.clone()].to_owned();
        let unread_start = tag.range.end;
        Self {
            tag,
            name,
            meaning,
            in_turn,
            open_children: Vec::new(),
            blank: true,
            unread_start,
            code: CodeContext::None,
            ends_in_code: false,
            waiting: None,
        }
    }

    /// Whether this is `<tool_call>` or the like with JSON inside; `rest` begins where reading goes on.
    pub(super) fn is_json_container(&mut self, rest: &str) -> bool {
        if !self.blank || !self.may_hold_calls() {
            return false;
        }
        match rest.trim_start().chars().next() {
            Some('{' | '[' | '`') => true,
            Some('<') | None => false,
            Some(_) => {
                self.blank = false;
                false
            }
        }
    }

    /// Whether its name says nothing of which tool is called.
    fn may_hold_calls(&self) -> bool {
        matches!(self.meaning, TagMeaning::GenericCall | TagMeaning::Other)
            && self.tag.attributes.is_empty()
    }

    pub(super) fn classify_tag(
        &mut self,
        text: &str,
        tag: &ParsedTag,
        names: &ToolNames,
    ) -> InnerTag {
        let before = &text[self.unread_start.min(tag.range.start)..tag.range.start];
        let first = self.blank && before.trim().is_empty();
        self.code = self.code.advance_over(before);
        self.blank = false;
        self.unread_start = tag.range.end;
        let name = &text[tag.name.clone()];
        if tag.kind != TagKind::End {
            return self.classify_start_tag(text, tag, name, names, first);
        }
        let seen = self.classify_end_tag(name, names);
        let code = match self.code {
            CodeContext::None => CodeContext::from_open_quote(before),
            code => code,
        };
        if matches!(seen, InnerTag::Inside) || code == CodeContext::None || self.ends_in_code {
            return seen;
        }
        let behind = Some(CodeRemainder::new(code, &self.name, tag.range.end));
        self.waiting = Some(PendingTag {
            tag: tag.clone(),
            inner_tag: seen,
            code_remainder: behind,
        });
        InnerTag::Undecided
    }

    fn classify_end_tag(&mut self, name: &str, names: &ToolNames) -> InnerTag {
        if self.open_children.is_empty() && name == self.name {
            return InnerTag::Ends(CallEnd::OwnEndTag);
        }
        let folded = names::fold_name(name);
        let own = names::fold_name(&self.name);
        if let Some(depth) = self
            .open_children
            .iter()
            .rposition(|child| *child == folded)
        {
            self.open_children.truncate(depth);
            return InnerTag::Inside;
        }
        if folded == own {
            return InnerTag::Ends(CallEnd::OwnEndTag);
        }
        if folded.is_empty() {
            return if self.open_children.pop().is_some() {
                InnerTag::Inside
            } else {
                InnerTag::Ends(CallEnd::WrongEndTag)
            };
        }
        match names.classify_name(name) {
            TagMeaning::Turn | TagMeaning::Wrapper => {
                return InnerTag::EndsBefore(CallEnd::Boundary);
            }
            TagMeaning::Tool(_) if !self.is_param(name, names) => {
                return InnerTag::Ends(CallEnd::WrongEndTag);
            }
            _ => {}
        }
        let misspelt =
            names::is_end_tag_typo(&folded, &own) || (folded.len() >= 4 && own.contains(&*folded));
        if misspelt && !self.is_param(name, names) {
            return InnerTag::Ends(CallEnd::WrongEndTag);
        }
        InnerTag::Inside
    }

    fn classify_start_tag(
        &mut self,
        text: &str,
        tag: &ParsedTag,
        name: &str,
        names: &ToolNames,
        first: bool,
    ) -> InnerTag {
        let word = names.classify_name(name);
        let is_quoting = self.code == CodeContext::Fence
            || self
                .open_children
                .first()
                .is_some_and(|outer| outer == TURN);
        if word == TagMeaning::Turn && !is_quoting && is_line_start(text, tag.range.start) {
            return InnerTag::EndsBefore(CallEnd::Boundary);
        }
        // With attributes it names a tool; the same once more is an end tag without its slash, or opened twice.
        let is_call =
            word == TagMeaning::GenericCall && (!tag.attributes.is_empty() || name == self.name);
        if first && self.may_hold_calls() && (is_call || matches!(word, TagMeaning::Tool(_))) {
            return InnerTag::Container;
        }
        if let TagMeaning::Tool(other) = word
            && !is_quoting
            && !self.is_param(name, names)
        {
            let has_params = tag.attributes.iter().any(|attribute| {
                let name = text[attribute.name.clone()].trim();
                names::has_param(names.tools.get(other), name)
            });
            let known = matches!(self.meaning, TagMeaning::Tool(_) | TagMeaning::GenericCall)
                || names.find_near_tool(&self.name).is_some();
            let same = names::fold_name(name) == names::fold_name(&self.name);
            let begins_line = is_line_start(text, tag.range.start);
            if known && (same || has_params || begins_line) {
                let ended = if same {
                    CallEnd::SameToolStart
                } else {
                    CallEnd::Boundary
                };
                let may_be_text =
                    tag.kind == TagKind::Empty || is_word_start(text, tag.range.start);
                if begins_line || tag.unfinished || !may_be_text {
                    return InnerTag::EndsBefore(ended);
                }
                self.waiting = Some(PendingTag {
                    tag: tag.clone(),
                    inner_tag: InnerTag::EndsBefore(ended),
                    code_remainder: None,
                });
                return InnerTag::Undecided;
            }
        }
        if tag.kind == TagKind::Start && self.open_children.len() < DEEPEST {
            self.open_children.push(names::fold_name(name).into_owned());
        }
        InnerTag::Inside
    }

    /// What a tag that waits is, by what stands behind it; none while only blanks do.
    pub(super) fn resolve_waiting_tag(&mut self, text: &str) -> Option<TagRole> {
        let Some(PendingTag {
            tag,
            inner_tag: seen,
            code_remainder: behind,
        }) = &mut self.waiting
        else {
            return Some(TagRole::Nothing);
        };
        if let Some(behind) = behind {
            let told = match behind.find_code_end(text)? {
                Some(end) => {
                    (self.unread_start, self.code) = (end, CodeContext::None);
                    TagRole::Text(end)
                }
                None => TagRole::Tag(tag.clone(), *seen),
            };
            self.waiting = None;
            return Some(told);
        }
        let behind = text.get(tag.range.end..)?;
        let next = behind.chars().next()?;
        let apart =
            tag.kind == TagKind::Empty || next.is_whitespace() || is_closing_punctuation(next);
        let is_mentioned = if apart {
            is_line_continued(behind)?
        } else {
            // With its content and its end: what stands behind all of it tells.
            let near = &behind[..behind.floor_char_boundary(LONGEST_MENTION)];
            let line = near.split('\n').next().unwrap_or_default();
            let end_tag = format!("</{}>", &text[tag.name.clone()]);
            match line.find(&end_tag) {
                Some(end) => is_line_continued(&behind[end + end_tag.len()..])?,
                None if line.len() == behind.len() => return None,
                None => false,
            }
        };
        let told = if is_mentioned {
            let name = names::fold_name(&text[tag.name.clone()]);
            let has_end = !apart || name != names::fold_name(&self.name);
            if tag.kind == TagKind::Start && has_end && self.open_children.len() < DEEPEST {
                self.open_children.push(name.into_owned());
            }
            TagRole::Text(tag.range.end)
        } else {
            TagRole::Tag(tag.clone(), *seen)
        };
        self.waiting = None;
        Some(told)
    }

    /// At the end of the answer: the tag in code that nothing behind it told of, so that it is what it looks like.
    pub(super) fn take_waiting_code_tag(&mut self) -> Option<(ParsedTag, InnerTag)> {
        self.waiting
            .take_if(|waiting| waiting.code_remainder.is_some())
            .map(|waiting| (waiting.tag, waiting.inner_tag))
    }

    fn is_param(&self, name: &str, names: &ToolNames) -> bool {
        names::has_param(names.find_tool_spec(&self.name), name)
    }

    /// Makes a call of the element, its content and end now known.
    pub(super) fn build_call(
        &self,
        text: &str,
        content: Range<usize>,
        ended: CallEnd,
        names: &ToolNames,
        found: &mut CollectedCalls,
    ) {
        if ended != CallEnd::OwnEndTag {
            found.repairs.add(Repair::XmlSyntax);
        }
        let content = match ended {
            CallEnd::OwnEndTag | CallEnd::SameToolStart => content,
            CallEnd::WrongEndTag | CallEnd::Boundary => strip_foreign_end_tag(text, content),
        };
        let tool = names.find_tool_spec(&self.name);
        let element = lenient_element::read_element(
            text,
            &self.tag,
            content,
            tool,
            names,
            &mut found.repairs,
        );
        match self.meaning {
            TagMeaning::Heartbeat => {
                let text: String = element.into_text();
                found.wants_another_round |=
                    text.trim().is_empty() || is_true(&serde_json::Value::String(text));
            }
            TagMeaning::GenericCall => xml_call::read_generic_call(element, names, found),
            TagMeaning::Params => xml_call::read_pending_call(element, names, found),
            _ => xml_call::read_named_call(&self.name, element, names, found),
        }
    }
}

pub(super) enum TagRole {
    /// No tag waits.
    Nothing,
    /// Text of the call, mentioned there; up to here.
    Text(usize),
    /// What it looked like.
    Tag(ParsedTag, InnerTag),
}

/// The content of a call without an end tag, less the foreign one in its place: translated, or in other brackets.
fn strip_foreign_end_tag(text: &str, content: Range<usize>) -> Range<usize> {
    let inside = text[content.clone()].trim_end();
    let begins = inside.rfind(['<', '＜', '《', '‹']);
    let foreign = begins.and_then(|begins| {
        let (before, tag) = inside.split_at(begins);
        let tag = tag
            .trim_start_matches(['<', '＜', '《', '‹'])
            .strip_prefix(['/', '／'])?;
        let name = tag.strip_suffix(['>', '＞', '》', '›'])?;
        let is_name = (1..=LONGEST_FOREIGN).contains(&name.len())
            && !name.contains(|c: char| c.is_whitespace());
        (is_name && !before.contains(&format!("<{name}"))).then_some(begins)
    });
    foreign.map_or(content.clone(), |begins| {
        content.start..content.start + begins
    })
}

/// Whether a line goes on with words; none while only blanks are known.
fn is_line_continued(behind: &str) -> Option<bool> {
    let first = behind.trim_start_matches([' ', '\t']).chars().next()?;
    Some(!matches!(first, '\n' | '\r' | '<' | '＜'))
}

/// Whether a tag at `at` stands apart from the text before it, as a word does.
fn is_word_start(text: &str, at: usize) -> bool {
    text[..at].ends_with([
        ' ', '\t', '`', '"', '\'', '(', '“', '‘', '（', '「', '*', '_',
    ])
}

/// Whether it can stand behind a word.
fn is_closing_punctuation(c: char) -> bool {
    "`\"')”’）」*_,.?!;:，。？！、".contains(c)
}

/// Whether a tag at `at` stands at the start of a line or right behind another tag.
fn is_line_start(text: &str, at: usize) -> bool {
    let before = trim_trailing_blanks(&text[..at]);
    before.is_empty() || before.ends_with(['\n', '>'])
}
