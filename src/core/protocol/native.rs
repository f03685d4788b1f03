//! Calls that a provider hands over beside the text, in pieces and several at once. Each is given out when its
//! arguments close, in the order they were begun; what broke off is no call.

use serde_json::{Map, Value};

use super::cleaned_text;
use super::collected_calls::{CollectedCalls, NestedReader, is_placeholder_call};
use super::json::{JsonReader, JsonStep, note_json_faults, parse_document};
use super::names::{ToolNames, shorten_name};
use super::outside_text::split_fence;
use super::params;
use super::repair::Repair;
use kith_language::answer_problems;

/// So many of the calls begun last may still get pieces: no provider mixes more.
const MOST_OPEN: usize = 64;

/// A piece of a call as a provider streams it. What is not in this piece is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolDelta {
    /// Which call of the answer it belongs to, as the provider counts.
    pub index: u32,
    /// The call's id. Another id at the same index is another call: some servers count all of them 0.
    pub id: Option<String>,
    pub name: Option<String>,
    /// The next characters of its arguments, a JSON object.
    pub arguments: String,
}

impl ToolDelta {
    /// What people read of it: a name begins a call, and each stands on a line of its own.
    pub fn to_text(&self) -> String {
        let name = self.name.iter().filter(|name| !name.is_empty());
        name.map(|name| format!("\n{name} "))
            .chain([self.arguments.clone()])
            .collect()
    }
}

#[derive(Debug)]
pub(super) struct NativeCalls {
    calls: Vec<OpenNativeCall>,
    given_count: usize,
    pub(super) cut: bool,
    pub(super) found: CollectedCalls,
}

#[derive(Debug, Default)]
struct OpenNativeCall {
    index: u32,
    id: Option<String>,
    name: String,
    arguments: String,
    read_length: usize,
    reader: Option<JsonReader>,
    params: Option<Map<String, Value>>,
    closed: bool,
    /// They begin as an object and are none: nothing behind that is taken for the beginning of another.
    is_unreadable: bool,
}

impl NativeCalls {
    pub(super) fn new(nested_reader: NestedReader) -> Self {
        Self {
            calls: Vec::new(),
            given_count: 0,
            cut: false,
            found: CollectedCalls::new(nested_reader),
        }
    }

    pub(super) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Takes the next piece; what it completed is in `found`.
    pub(super) fn feed(&mut self, delta: ToolDelta, names: &ToolNames) {
        let near = self.calls.len().saturating_sub(MOST_OPEN);
        let known = self.calls[near..]
            .iter()
            .rposition(|begun| begun.can_take_delta(&delta))
            .map(|place| near + place);
        let place = known.unwrap_or_else(|| {
            self.calls.push(OpenNativeCall {
                index: delta.index,
                id: delta.id.clone(),
                ..OpenNativeCall::default()
            });
            self.calls.len() - 1
        });
        self.calls[place].append_delta(delta, &mut self.found);
        // Blank arguments may still come, also where the next call was begun: only the end tells.
        while let Some(begun) = self.calls.get_mut(self.given_count) {
            let Some(params) = begun.params.take() else {
                break;
            };
            self.given_count += 1;
            begun.add_call(params, names, &mut self.found);
        }
    }

    /// The answer is over: what is left is a call or is named as none.
    pub(super) fn finish(&mut self, names: &ToolNames) {
        let count = self.calls.len();
        for (place, begun) in self.calls.iter_mut().enumerate().skip(self.given_count) {
            let cut = self.cut && place + 1 == count;
            begun.finish(cut, names, &mut self.found);
        }
        self.given_count = self.calls.len();
    }
}

impl OpenNativeCall {
    fn can_take_delta(&self, delta: &ToolDelta) -> bool {
        let is_filled = |text: &&String| !text.is_empty();
        let id = delta.id.as_ref().filter(is_filled);
        let is_named = delta.name.as_ref().is_some_and(|name| !name.is_empty());
        // Without a name, what is still open goes on, whatever its id.
        let other_id = id
            .zip(self.id.as_ref().filter(is_filled))
            .is_some_and(|(theirs, own)| theirs != own)
            && (is_named || self.closed);
        // Without ids a name behind whole arguments can only begin the next call.
        let next = self.closed && id.is_none() && is_named;
        self.index == delta.index && !other_id && !next
    }

    fn append_delta(&mut self, delta: ToolDelta, found: &mut CollectedCalls) {
        if let Some(name) = delta.name.filter(|name| *name != self.name) {
            self.name.push_str(&name);
        }
        self.id = self.id.take().or(delta.id);
        self.arguments.push_str(&delta.arguments);
        while !self.closed && !self.is_unreadable && self.read_length < self.arguments.len() {
            let Some(reader) = &mut self.reader else {
                let rest = &self.arguments[self.read_length..];
                let blank = rest.len() - rest.trim_start().len();
                if !rest[blank..].starts_with('{') {
                    return;
                }
                self.read_length += blank;
                self.reader = Some(JsonReader::new_for_value(self.read_length));
                continue;
            };
            match reader.read_next(&self.arguments, &mut self.read_length) {
                None => return,
                // `{}` may be a placeholder before the arguments themselves.
                Some(JsonStep::Root(Value::Object(fields))) if fields.is_empty() => {
                    self.reader = None
                }
                Some(JsonStep::Root(Value::Object(fields))) => {
                    let read = &self.arguments[reader.start..self.read_length];
                    note_json_faults(read, &mut found.repairs);
                    (self.reader, self.params, self.closed) = (None, Some(fields), true);
                }
                Some(_) => (self.reader, self.is_unreadable) = (None, true),
            }
        }
    }

    fn finish(&mut self, cut: bool, names: &ToolNames, found: &mut CollectedCalls) {
        let name = shorten_name(&self.name);
        let params = match self.params.take() {
            Some(params) => params,
            None if self.reader.is_some() || (cut && self.arguments.trim().is_empty()) => {
                let problem = answer_problems::broken_off_arguments(name);
                return found.record_problem(Repair::TruncatedCall, problem);
            }
            None if is_blank(&self.arguments) => Map::new(),
            None => match self.read_arguments(found) {
                Some(value) => params::read_params(&self.name, value, names, found),
                None => {
                    let problem = answer_problems::no_json_arguments(name);
                    return found.record_problem(Repair::UnreadableCall, problem);
                }
            },
        };
        self.add_call(params, names, found);
    }

    /// Arguments behind thoughts, or in a fence.
    fn read_arguments(&self, found: &mut CollectedCalls) -> Option<Value> {
        let mut text = self.arguments.clone();
        if let Some(cleaned) = cleaned_text::clean_text(&text, false) {
            found.repairs.extend(cleaned.repairs);
            text = cleaned.text;
        }
        if let Some((inside, _)) = split_fence(&text) {
            found.repairs.add(Repair::Fence);
            text = inside.to_owned();
        }
        parse_document(text.trim(), &mut found.repairs)
    }

    fn add_call(&self, params: Map<String, Value>, names: &ToolNames, found: &mut CollectedCalls) {
        found.is_native = true;
        match self.name.trim() {
            "" => found.record_problem(Repair::UnreadableCall, answer_problems::nameless_call()),
            name => {
                found.add_call(names, name, params);
                if found
                    .calls
                    .pop_if(|call| is_placeholder_call(call, names))
                    .is_some()
                {
                    let problem = answer_problems::placeholder(shorten_name(name));
                    found.record_problem(Repair::Placeholder, problem);
                }
            }
        }
    }
}

/// Whether arguments hold nothing: a call without parameters.
fn is_blank(arguments: &str) -> bool {
    let arguments = arguments.trim();
    arguments.is_empty() || arguments == "{}" || arguments == "null"
}
