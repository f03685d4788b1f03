//! The course of an answer: which of what was read is the answer, where it ends, and what is a draft, an example, spoken
//! of or said a second time. Calls are given out at once where nothing that follows can change that.

mod document_bounds;

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::label::has_words;
use crate::call::{ToolCall, ToolKind};
use crate::protocol::collected_calls::{CollectedCalls, is_placeholder_call};
use crate::protocol::names::{self, ToolNames};
use crate::protocol::plain_value::is_whole_number;
use crate::protocol::repair::Repair;
use crate::protocol::speaker::WordsOf;
use kith_language::answer_problems;

/// Elements of no meaning that are remembered while they are open.
const MOST_STRANGE: usize = 16;
/// What opens or closes what somebody is quoted with.
const QUOTES: [char; 7] = ['"', '“', '”', '「', '」', '『', '』'];
/// A text of fewer bytes may well be said twice.
const SHORT: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScanVerdict {
    Take,
    /// A draft, an example, or only spoken of.
    Skip,
    /// The answer ended before it.
    Ended,
    /// It is the answer, and what was taken before is none.
    Replace,
}

/// A call of the answer. It is known again, for an answer says nothing twice, nor answers one line, or speaks, in two
/// documents.
#[derive(Debug)]
struct TakenCall {
    /// None once it was given out.
    call: Option<ToolCall>,
    start: usize,
    is_behind_words: bool,
    tool: String,
    /// Its parameters as text: a number is the same in quotes.
    params: BTreeMap<String, String>,
    text: Option<String>,
    /// Its first number.
    target: Option<(String, String)>,
    speaks: bool,
}

/// An element of no meaning that is open.
#[derive(Debug)]
struct UnknownElement {
    name: String,
    start: usize,
    end: usize,
    has_words: bool,
}

#[derive(Debug)]
struct Document {
    verdict: ScanVerdict,
    is_second: bool,
    is_behind_words: bool,
    calls_before: usize,
    start: usize,
}

#[derive(Debug, Default)]
pub(super) struct ScanResult {
    /// Text came first: it may be reasoning yet to end, so calls wait; so they do where the provider is to hand them over.
    is_held: bool,
    /// Calls of tools that are not known: only where there are no others do they tell anybody anything.
    unknown: Vec<ToolCall>,
    taken_calls: Vec<TakenCall>,
    document: Option<Document>,
    /// A whole document with calls was read: nothing but another right behind it can go on with it.
    is_complete: bool,
    /// How much speaks for the document that was taken.
    rank: u8,
    /// Who has the word behind the text that was read.
    pub(super) speaker: WordsOf,
    /// The newest document stands behind words that may go on with it, such as `Ben wrote`.
    is_in_sentence: bool,
    unknown_elements: Vec<UnknownElement>,
    /// Where elements of no meaning that hold nothing but calls began and ended.
    enclosed_ranges: Vec<Range<usize>>,
}

impl ScanResult {
    pub(super) fn new(is_held: bool) -> Self {
        Self {
            is_held,
            ..Self::default()
        }
    }

    pub(super) fn hold_calls(&mut self) {
        self.is_held = true;
    }

    pub(super) fn has_calls(&self) -> bool {
        !self.taken_calls.is_empty() || !self.unknown.is_empty()
    }

    pub(super) fn take_calls(&mut self, ended: bool) -> Vec<ToolCall> {
        if ended && self.taken_calls.is_empty() {
            return std::mem::take(&mut self.unknown);
        }
        if self.is_held && !ended {
            return Vec::new();
        }
        let taken = self.taken_calls.iter_mut();
        taken.filter_map(|taken| taken.call.take()).collect()
    }

    /// The answer is over: calls that were only spoken of are none, and nobody is to wait for those of unknown tools.
    /// Whether any was left out.
    pub(super) fn finish_course(&mut self, behind: &str, found: &mut CollectedCalls) -> bool {
        let paragraph = behind.split("\n\n").next().unwrap_or_default();
        let dropped = if self.is_in_sentence {
            self.drop_mentioned_calls(&paragraph.replace('\n', " "))
        } else {
            self.drop_mentioned_calls(behind)
        };
        if !self.taken_calls.is_empty() {
            for call in self.unknown.drain(..) {
                let name = names::shorten_name(&call.name);
                found.record_problem(
                    Repair::UnknownTool(name.clone()),
                    answer_problems::unknown_tool(name),
                );
            }
        }
        dropped
    }

    /// Drops what was held last if it stands within a line of words, as the text behind tells: it was only spoken of.
    fn drop_mentioned_calls(&mut self, behind: &str) -> bool {
        let mut newest = self.taken_calls.iter();
        let last = newest.rposition(|taken| !taken.is_behind_words);
        let kept = last.map_or(0, |last| last + 1);
        if !self.is_held || kept == self.taken_calls.len() {
            return false;
        }
        let is_mentioned = has_words(behind.split('\n').next().unwrap_or_default())
            || behind.trim_start().starts_with(QUOTES);
        if is_mentioned {
            self.taken_calls.truncate(kept);
            self.is_complete &= kept > 0;
        }
        let told = self.taken_calls.iter_mut().skip(kept);
        told.for_each(|taken| taken.is_behind_words = false);
        is_mentioned
    }

    /// The document that is being read stands in a provider's syntax, not behind words.
    pub(super) fn mark_provider_syntax(&mut self) {
        if let Some(document) = &mut self.document {
            document.is_behind_words = false;
        }
    }

    /// What was taken turns out to be thought.
    pub(super) fn discard_thought_calls(&mut self) {
        self.forget_calls(0);
        self.is_held = false;
    }

    fn forget_calls(&mut self, from: usize) {
        if self.is_held {
            self.taken_calls.retain(|taken| taken.start < from);
            self.is_complete &= !self.taken_calls.is_empty();
        }
    }

    /// What one element of no meaning held was a draft where the same tool speaks again behind it.
    fn drop_enclosed_drafts(&mut self, tool: &str) {
        let is_draft = |taken: &&TakenCall| {
            let mut enclosed = self.enclosed_ranges.iter();
            taken.tool == tool && enclosed.any(|range| range.contains(&taken.start))
        };
        if let Some(first) = self.taken_calls.iter().find(is_draft) {
            self.forget_calls(first.start);
        }
    }

    fn add_call(
        &mut self,
        call: ToolCall,
        from: usize,
        names: &ToolNames,
        found: &mut CollectedCalls,
    ) -> ScanVerdict {
        if names.find_named_tool(&call.name).is_none() {
            self.unknown.push(call);
            return ScanVerdict::Take;
        }
        if is_placeholder_call(&call, names) {
            found.repairs.add(Repair::Placeholder);
            return ScanVerdict::Skip;
        }
        let mut taken = TakenCall::new(call, from, names);
        if taken.speaks {
            self.drop_enclosed_drafts(&taken.tool);
        }
        let document = self.document.as_ref();
        let is_second = document.is_some_and(|document| document.is_second);
        taken.is_behind_words = document.is_some_and(|document| document.is_behind_words);
        let before = document.map_or(0, |document| document.calls_before);
        let before = before.min(self.taken_calls.len());
        let spoke = |other: &TakenCall| other.speaks && other.tool == taken.tool;
        if is_second && taken.speaks && self.taken_calls[..before].iter().any(spoke) {
            return ScanVerdict::Ended;
        }
        if self
            .taken_calls
            .iter()
            .any(|other| taken.says_same(other) || is_second && taken.has_same_target(other))
        {
            if is_second {
                return ScanVerdict::Ended;
            }
            found.repairs.add(Repair::Repeated);
            return ScanVerdict::Take;
        }
        self.taken_calls.push(taken);
        ScanVerdict::Take
    }
}

impl TakenCall {
    fn new(call: ToolCall, start: usize, names: &ToolNames) -> Self {
        let primary = names
            .find_named_tool(&call.name)
            .filter(|tool| tool.kind == ToolKind::Visible)
            .and_then(|tool| call.params.get(tool.primary.as_ref()?));
        let write = |(key, value): (&String, &Value)| {
            let text = value.as_str().map(str::to_owned);
            (key.clone(), text.unwrap_or_else(|| value.to_string()))
        };
        let mut numbers = call
            .params
            .iter()
            .filter(|(_, value)| is_whole_number(value));
        Self {
            start,
            is_behind_words: false,
            tool: call.name.clone(),
            params: call.params.iter().map(write).collect(),
            text: primary
                .and_then(Value::as_str)
                .filter(|text| text.len() > SHORT)
                .map(str::to_owned),
            target: numbers.next().map(write),
            speaks: primary.is_some(),
            call: Some(call),
        }
    }

    fn says_same(&self, other: &Self) -> bool {
        let is_same_text = self.text.is_some() && self.text == other.text;
        self.tool == other.tool && (self.params == other.params || is_same_text)
    }

    fn has_same_target(&self, other: &Self) -> bool {
        self.tool == other.tool && self.target.is_some() && self.target == other.target
    }
}
