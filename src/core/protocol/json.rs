//! Reads JSON the way models write it, character by character, into values: an object in the list of actions is
//! given out the moment it closes. Forgives quotes, commas, brackets, comments, literals; never fails, never nests
//! deeper than [`DEEPEST`]. A quote that may or may not end its string is decided by `json_quote.rs`.

mod brackets;

use serde_json::Value;

use super::json_key::{has_params, has_thoughts, has_tool_name, is_document};
use super::json_quote::{
    JsonStringPlace, TOKEN, TOKEN_QUOTE, is_quote, parse_literal, to_half_width,
};
use super::json_text::{JsonText, strip_closers};
use super::repair::{Repair, Repairs};
use serde::de::IgnoredAny;

/// Values nested deeper than this are skipped.
const DEEPEST: usize = 64;
/// Longest first key, in bytes: past it a `{` was no JSON.
const LONGEST_FIRST_KEY: usize = 48;

#[derive(Debug)]
pub(super) enum JsonStep {
    /// One element of the list of actions, or of a list that is the whole document.
    Item(Value),
    /// The whole document, without the items already given out.
    Root(Value),
    /// It was text all along.
    NotJson,
    /// A tag stands where a key or a comma should: the document is to be given up here.
    Tag,
}

/// A document that was never closed.
pub(super) struct PartialJson {
    pub(super) root: Value,
    /// A call whose own bracket is missing, its parameters complete.
    pub(super) items: Vec<Value>,
    pub(super) cut_call: bool,
    /// Nothing but the document's last bracket is missing.
    pub(super) whole_root: bool,
}

#[derive(Debug, Default)]
pub(super) struct JsonReader {
    pub(super) start: usize,
    frames: Vec<JsonFrame>,
    position: JsonPosition,
    /// No colon and no element yet: it may still be text.
    unsure: bool,
    /// How many brackets below [`DEEPEST`] are open.
    skipped: usize,
    gives_items: bool,
    /// The element given out last was a call, so no other list holds any: the same calls stand there again, or drafts.
    pub(super) has_call: bool,
}

impl JsonReader {
    /// At the bracket at `start`, which is yet to be read.
    pub(super) fn new(start: usize) -> Self {
        Self {
            start,
            unsure: true,
            gives_items: true,
            ..Self::default()
        }
    }

    /// As [`JsonReader::new`], for a value that is no answer: nothing in it is a call.
    pub(super) fn new_for_value(start: usize) -> Self {
        Self {
            gives_items: false,
            ..Self::new(start)
        }
    }

    pub(super) fn has_thoughts(&self) -> bool {
        self.frames
            .first()
            .and_then(|root| root.value.as_object())
            .is_some_and(has_thoughts)
    }

    /// Reads on from `pos` until something is found or `text` is used up.
    pub(super) fn read_next(&mut self, text: &str, pos: &mut usize) -> Option<JsonStep> {
        while let Some(c) = text.get(*pos..).and_then(|rest| rest.chars().next()) {
            let i = *pos;
            *pos += c.len_utf8();
            let event = match &mut self.position {
                JsonPosition::Structure => self.read_structure(c, i, pos),
                JsonPosition::Text(string) => {
                    if !self.unsure && string.take_plain_text(text, i, pos) {
                        continue;
                    }
                    match string.step(text, i, pos) {
                        Some(whole) => {
                            self.position = JsonPosition::Structure;
                            let text = self.finish_text(whole);
                            self.put_value(text)
                        }
                        // A first key is short and holds no bracket: otherwise each would be read far for nothing.
                        None if self.unsure
                            && !string.is_quote_open()
                            && (c == '{' || i - self.start > LONGEST_FIRST_KEY) =>
                        {
                            Some(JsonStep::NotJson)
                        }
                        None => None,
                    }
                }
                &mut JsonPosition::Bare { from } => self.read_bare_word(text, from, c, i, pos),
                &mut JsonPosition::Token { from } => self.read_token(text, from, i, pos),
                JsonPosition::Comment { from } => {
                    let is_open = match &text.as_bytes()[*from..*pos] {
                        [b'/', b'*', inner @ ..] => inner.len() < 2 || !inner.ends_with(b"*/"),
                        [b'/', b'/', ..] | [b'#', ..] => c != '\n',
                        _ => false,
                    };
                    if !is_open {
                        self.position = JsonPosition::Structure;
                    }
                    None
                }
            };
            if event.is_some() {
                return event;
            }
        }
        None
    }

    /// The document as far as it was written. A call that was cut inside its parameters is left out, unless the model
    /// `stopped` by itself: then only brackets are missing.
    pub(super) fn finish(mut self, stopped: bool) -> Option<PartialJson> {
        if self.unsure {
            return None;
        }
        if let JsonPosition::Text(string) = std::mem::take(&mut self.position) {
            let (text, ended) = string.into_parts();
            // Thoughts may be cut: they go nowhere.
            if ended || self.frames.len() == 1 {
                self.put_value(Value::String(text));
            }
        }
        let complete = self.expectation() == JsonExpectation::Comma;
        while stopped
            && complete
            && self.frames.len() > 1
            && !self.is_item_list(self.frames.len() - 1)
        {
            self.pop_frame();
        }
        let depth = self.frames.len();
        let mut items = Vec::new();
        let mut cut_call = false;
        let mut root = Value::Null;
        while let Some(frame) = self.frames.pop() {
            let place = self.frames.len();
            if place == 0 {
                root = frame.value;
            } else if self.is_item_list(place) && frame.value.is_object() {
                if complete && depth == place + 1 && has_params(&frame.value) {
                    items.push(frame.value);
                } else {
                    cut_call = true;
                }
            } else if frame.value.is_array() || is_document(&frame.value) {
                self.put_value(frame.value);
            } else {
                cut_call = true;
            }
        }
        let whole_root = complete && depth == 1 && (has_params(&root) || !has_tool_name(&root));
        cut_call |= has_tool_name(&root) && !whole_root;
        Some(PartialJson {
            root,
            items,
            cut_call,
            whole_root,
        })
    }

    fn enter_state(&mut self, at: JsonPosition) -> Option<JsonStep> {
        self.position = at;
        None
    }

    fn expectation(&self) -> JsonExpectation {
        self.frames
            .last()
            .map_or(JsonExpectation::Value, |frame| frame.expectation)
    }

    fn set_expectation(&mut self, expect: JsonExpectation) -> Option<JsonStep> {
        if let Some(frame) = self.frames.last_mut() {
            frame.expectation = expect;
        }
        None
    }

    /// A key or a value, as whatever is open wants it.
    fn expect_next(&mut self) -> Option<JsonStep> {
        self.set_expectation(if self.is_in_object() {
            JsonExpectation::Key
        } else {
            JsonExpectation::Value
        })
    }

    fn awaits_key(&self) -> bool {
        use JsonExpectation::{Comma, Key};
        self.is_in_object() && matches!(self.expectation(), Key | Comma)
    }

    fn is_in_object(&self) -> bool {
        self.frames
            .last()
            .is_some_and(|frame| frame.value.is_object())
    }

    fn read_structure(&mut self, raw: char, i: usize, pos: &mut usize) -> Option<JsonStep> {
        let c = match to_half_width(raw) {
            '(' if !self.unsure && self.expectation() == JsonExpectation::Value => '[',
            ')' if !self.unsure => ']',
            c => c,
        };
        match c {
            _ if c.is_whitespace() || c == '\u{feff}' => None,
            '{' | '[' => self.open_bracket(c),
            '}' | ']' => self.close_bracket(c),
            ':' if self.expectation() == JsonExpectation::Colon => {
                self.unsure = false;
                self.set_expectation(JsonExpectation::Value)
            }
            '=' if self.expectation() == JsonExpectation::Colon && !self.unsure => {
                self.set_expectation(JsonExpectation::Value)
            }
            _ if self.unsure && self.expectation() == JsonExpectation::Colon => {
                Some(JsonStep::NotJson)
            }
            ',' => self.read_comma(),
            '/' if !self.unsure || self.frames.len() == 1 => {
                self.enter_state(JsonPosition::Comment { from: i })
            }
            '#' if self.expectation() != JsonExpectation::Value => {
                self.enter_state(JsonPosition::Comment { from: i })
            }
            _ if is_quote(c) => self.begin_text(c),
            '<' if matches!(
                self.expectation(),
                JsonExpectation::Key | JsonExpectation::Comma
            ) =>
            {
                *pos = i;
                if self.unsure {
                    return Some(JsonStep::NotJson);
                }
                Some(JsonStep::Tag)
            }
            '<' if !self.unsure => self.enter_state(JsonPosition::Token { from: i }),
            _ if self.unsure && !(c.is_ascii_alphabetic() || c == '_') => Some(JsonStep::NotJson),
            _ => self.enter_state(JsonPosition::Bare { from: i }),
        }
    }

    /// The character at `i` belongs to the token, or what began at `from` is bare and it is looked at again.
    fn read_token(
        &mut self,
        text: &str,
        from: usize,
        i: usize,
        pos: &mut usize,
    ) -> Option<JsonStep> {
        match text.get(from..*pos) {
            Some(TOKEN_QUOTE) => self.begin_text(TOKEN),
            Some(begun) if TOKEN_QUOTE.starts_with(begun) => None,
            _ => {
                *pos = i;
                self.enter_state(JsonPosition::Bare { from })
            }
        }
    }

    fn begin_text(&mut self, open: char) -> Option<JsonStep> {
        if self.unsure && !self.is_in_object() {
            return Some(JsonStep::NotJson);
        }
        match self.expectation() {
            JsonExpectation::Comma => self.expect_next(),
            JsonExpectation::Colon => self.set_expectation(JsonExpectation::Value),
            JsonExpectation::Key | JsonExpectation::Value => None,
        };
        let place = match (self.expectation(), self.is_in_object()) {
            (JsonExpectation::Key, _) => JsonStringPlace::Key,
            (_, true) => JsonStringPlace::InObject,
            (_, false) => JsonStringPlace::InArray,
        };
        self.enter_state(JsonPosition::Text(JsonText::new(open, place)))
    }

    /// A text that was read, without the end of the document that was written into it.
    fn finish_text(&mut self, whole: String) -> Value {
        let is_value = self.is_in_object() && self.expectation() == JsonExpectation::Value;
        match strip_closers(&whole) {
            Some(before) if is_value => before.into(),
            _ => whole.into(),
        }
    }

    /// A bare key or a bare value; the character that ends it is looked at again.
    fn read_bare_word(
        &mut self,
        text: &str,
        from: usize,
        c: char,
        i: usize,
        pos: &mut usize,
    ) -> Option<JsonStep> {
        let folded = to_half_width(c);
        let as_key = self.awaits_key();
        let ended = match folded {
            ',' | '}' | ']' | '\n' => true,
            ':' | '=' => as_key,
            '"' | '{' | '[' => as_key,
            _ => as_key && c.is_whitespace(),
        };
        if !ended {
            return (self.unsure && i - self.start > LONGEST_FIRST_KEY)
                .then_some(JsonStep::NotJson);
        }
        *pos = i;
        self.position = JsonPosition::Structure;
        let word = text.get(from..i).unwrap_or_default().trim();
        if self.expectation() == JsonExpectation::Comma {
            self.expect_next();
        }
        self.put_value(if as_key {
            word.into()
        } else {
            parse_literal(word)
        })
    }
}

/// The object or list at `pos`, where nothing else can stand, in whatever writing; `pos` is then behind it.
pub(super) fn parse_value(text: &str, pos: &mut usize) -> Option<Value> {
    let mut reader = JsonReader::new_for_value(*pos);
    reader.unsure = false;
    match reader.read_next(text, pos)? {
        JsonStep::Root(value) => Some(value),
        _ => None,
    }
}

/// The list that `text` is.
pub(super) fn parse_list(text: &str) -> Option<Value> {
    let mut pos = 0;
    parse_value(text, &mut pos).filter(|value| value.is_array() && pos == text.len())
}

/// Names what is no JSON as it stands.
pub(super) fn note_json_faults(text: &str, repairs: &mut Repairs) {
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        repairs.add(Repair::JsonSyntax);
    }
}

/// Reads a whole document from `text`; none where it holds none or more than one.
pub(super) fn parse_document(text: &str, repairs: &mut Repairs) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let mut reader = JsonReader::new_for_value(0);
    let mut pos = 0;
    match reader.read_next(text, &mut pos) {
        Some(JsonStep::Root(root)) if text.get(pos..)?.trim().is_empty() => {
            repairs.add(Repair::JsonSyntax);
            Some(root)
        }
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JsonExpectation {
    Key,
    Colon,
    Value,
    Comma,
}

#[derive(Debug)]
struct JsonFrame {
    value: Value,
    key: Option<String>,
    expectation: JsonExpectation,
}

#[derive(Debug, Default)]
enum JsonPosition {
    #[default]
    Structure,
    Text(JsonText),
    Bare {
        from: usize,
    },
    /// Inside what may be a quote that is a token.
    Token {
        from: usize,
    },
    Comment {
        from: usize,
    },
}
