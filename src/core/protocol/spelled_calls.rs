//! Calls in the syntax of a program, as some open models were trained to write them: `[name(key="value"), …]`, or one a
//! line in a fence, printed, awaited or assigned. Read only where a text is nothing else, and only names that are known.

use serde_json::{Map, Value};

use super::collected_calls::CollectedCalls;
use super::json::{JsonReader, JsonStep};
use super::names::{self, ToolNames};
use super::outside_text::split_fence;
use super::params;
use crate::call::ToolSpec;

/// Words of a program before a call.
const WORDS: &[&str] = &["await", "return", "yield", "const", "let", "var", "print"];

pub(super) struct SpelledCalls {
    /// Names, and what stood in their brackets.
    calls: Vec<(String, Value)>,
    /// The text broke off inside a call.
    pub(super) cut: bool,
}

impl SpelledCalls {
    pub(super) fn add_calls(self, names: &ToolNames, found: &mut CollectedCalls) {
        for (name, held) in self.calls {
            let params = params::read_params(&name, held, names, found);
            found.add_call(names, &name, params);
        }
    }
}

/// The calls that `text` consists of; none where it is anything else. Values without a name, as people write who talk of
/// a function, count only where it `is_code`.
pub(super) fn parse_calls(text: &str, is_code: bool, names: &ToolNames) -> Option<SpelledCalls> {
    let fenced = split_fence(text)
        .filter(|(_, around)| !around.contains(char::is_whitespace) || around.trim().is_empty());
    let is_code = is_code || fenced.is_some();
    let inner = fenced.map_or(text, |(inside, _)| inside).trim();
    let mut rest = SpelledText(inner.strip_prefix('[').unwrap_or(inner));
    let mut spelt = SpelledCalls {
        calls: Vec::new(),
        cut: false,
    };
    loop {
        rest.skip_comments();
        if rest.0.is_empty() {
            return (!spelt.calls.is_empty()).then_some(spelt);
        }
        let name = rest.take_word();
        if WORDS.contains(&name) || (names.find_tool(name).is_none() && rest.take_assignment()) {
            rest.take_sign("(");
            continue;
        }
        let known = names.find_tool(name).is_some() && !rest.0.is_empty();
        let bracketed = is_code && spelt.calls.is_empty() && rest.0.trim_end().ends_with(']');
        if known && bracketed && rest.take_sign("[") {
            let held = rest.0.trim_end().trim_end_matches(']').trim();
            spelt.calls.push((name.to_owned(), held.into()));
            return Some(spelt);
        }
        if known
            && let Some(tool) = names.find_tool_spec(name)
            && let Some(held) = rest.take_pairs(tool)
        {
            spelt.calls.push((name.to_owned(), Value::Object(held)));
            continue;
        }
        if !known || !rest.take_sign("(") {
            // A name that is cut off is no prose: whatever came before was calls only.
            spelt.cut = true;
            return (!spelt.calls.is_empty() && rest.0.is_empty()).then_some(spelt);
        }
        match rest.take_arguments(is_code, |_| true) {
            Some(held) => spelt.calls.push((name.to_owned(), held)),
            None => {
                spelt.cut = true;
                return rest.0.is_empty().then_some(spelt);
            }
        }
    }
}

/// Takes the calls that `text` consists of; false where it is anything else or broke off.
pub(super) fn read_calls(
    text: &str,
    is_code: bool,
    names: &ToolNames,
    found: &mut CollectedCalls,
) -> bool {
    let Some(spelt) = parse_calls(text, is_code, names).filter(|spelt| !spelt.cut) else {
        return false;
    };
    spelt.add_calls(names, found);
    true
}

/// What a text may begin with.
const QUOTES: [char; 3] = ['"', '\'', '“'];

/// The parameters that `text` names one after the other, and nothing else: `text="hi", reply_to=12`.
pub(super) fn parse_keywords(text: &str, tool: &ToolSpec) -> Option<Map<String, Value>> {
    let is_known = |key: &str| names::find_param(tool, key).is_some();
    let first = text.find(['=', ':']).and_then(|end| text.get(..end))?;
    if !is_known(first.trim()) {
        return None;
    }
    let closed = format!("{text})");
    let mut rest = SpelledText(&closed);
    match rest.take_arguments(false, is_known)? {
        Value::Object(params) if rest.0.is_empty() => Some(params),
        _ => None,
    }
}

struct SpelledText<'a>(&'a str);

impl<'a> SpelledText<'a> {
    fn skip_signs(&mut self, signs: &[char]) {
        self.0 = self
            .0
            .trim_start_matches(|c: char| c.is_whitespace() || signs.contains(&c));
    }

    fn skip_comments(&mut self) {
        loop {
            self.skip_signs(&[',', ';', '[', ']', '(', ')', '{', '}', '%', '/', '-']);
            if !self.0.starts_with('#') {
                return;
            }
            self.0 = self.0.find('\n').map_or("", |end| &self.0[end..]);
        }
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        self.skip_signs(&[]);
        let wide = match sign {
            "(" => "（",
            ")" => "）",
            "=" => "＝",
            ":" => "：",
            sign => sign,
        };
        let rest = self
            .0
            .strip_prefix(sign)
            .or_else(|| self.0.strip_prefix(wide));
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// `=`, but not `==`.
    fn take_assignment(&mut self) -> bool {
        self.skip_signs(&[]);
        !self.0.starts_with("==") && self.take_sign("=")
    }

    fn take_word(&mut self) -> &'a str {
        self.take_word_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
    }

    /// A word that may hold dashes, as the options of a command do.
    fn take_dashed_word(&mut self) -> &'a str {
        self.take_word_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    }

    fn take_word_while(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        self.skip_signs(&[]);
        let end = self.0.find(|c: char| !is_part(c)).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        word
    }

    /// `key=value, …)`, or values alone where those count; where it breaks off, nothing is left to be read.
    fn take_arguments(
        &mut self,
        values_count: bool,
        is_known: impl Fn(&str) -> bool,
    ) -> Option<Value> {
        let (mut named, mut unnamed) = (Map::new(), Vec::new());
        loop {
            self.skip_signs(&[',', '，']);
            if self.take_sign(")") {
                break;
            }
            let before = self.0;
            let key = self.take_word();
            let has_key =
                !key.is_empty() && is_known(key) && (self.take_assignment() || self.take_sign(":"));
            if !has_key && self.0.is_empty() {
                return None;
            }
            if !has_key {
                self.0 = before;
                if !values_count && !before.starts_with('{') && !before.starts_with(QUOTES) {
                    return None;
                }
                let value = self.take_value()?;
                unnamed.push(value);
                continue;
            }
            let value = self.take_value()?;
            named.insert(key.to_owned(), value);
        }
        Some(match unnamed.len() {
            0 => Value::Object(named),
            1 if named.is_empty() => unnamed.pop().unwrap_or_default(),
            _ => {
                unnamed.extend([Value::Object(named)]);
                Value::Array(unnamed)
            }
        })
    }

    /// `text="hi" reply_to=12`, or `--text "hi"`, to the end of the line.
    fn take_pairs(&mut self, tool: &ToolSpec) -> Option<Map<String, Value>> {
        let mut ahead = SpelledText(self.0);
        let mut pairs = Map::new();
        loop {
            ahead.0 = ahead.0.trim_start_matches([' ', '\t', ',']);
            if ahead.0.is_empty() || ahead.0.starts_with(['\n', '\r', ']', '}', ';']) {
                break;
            }
            let marked = ahead
                .0
                .strip_prefix("--")
                .or_else(|| ahead.0.strip_prefix(':'));
            ahead.0 = marked.unwrap_or(ahead.0);
            let key = ahead.take_dashed_word();
            let key = &names::find_param(tool, key)?.name;
            if !ahead.take_assignment() && !ahead.take_sign(":") && marked.is_none() {
                return None;
            }
            let value = ahead.take_value()?;
            pairs.insert(key.clone(), value);
        }
        (!pairs.is_empty()).then(|| {
            self.0 = ahead.0;
            pairs
        })
    }

    /// A text, number, literal, list or object.
    fn take_value(&mut self) -> Option<Value> {
        self.skip_signs(&[]);
        if self.0.starts_with(['{', '[']) {
            let (mut reader, mut pos) = (JsonReader::new_for_certain_value(0), 0);
            let read = reader.read_next(self.0, &mut pos);
            self.0 = self.0.get(pos..).unwrap_or_default();
            return match read {
                Some(JsonStep::Root(value)) => Some(value),
                _ => None,
            };
        }
        let text = self.0.trim_start_matches(['f', 'r', 'b', 'u']);
        if text.starts_with(QUOTES) {
            self.0 = text;
            return self.take_string().map(Value::String);
        }
        let Some(end) = self
            .0
            .find([',', ')', ']', '}', '\n', ' '])
            .or((!self.0.is_empty()).then_some(self.0.len()))
        else {
            self.0 = "";
            return None;
        };
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        match word.trim() {
            "True" => Some(Value::Bool(true)),
            "False" => Some(Value::Bool(false)),
            "None" => Some(Value::Null),
            word => serde_json::from_str(word).ok(),
        }
    }

    fn take_string(&mut self) -> Option<String> {
        let triple = ["\"\"\"", "'''"]
            .into_iter()
            .find(|quotes| self.0.starts_with(quotes));
        let (begun, quote) = match (triple, self.0.chars().next()?) {
            (Some(quote), _) => (quote.len(), quote),
            (None, '“') => (1, "”"),
            (None, _) => (1, self.0.get(..1)?),
        };
        let mut out = String::new();
        let mut signs = self.0.char_indices().skip(begun);
        while let Some((at, c)) = signs.next() {
            match c {
                '\\' => match signs.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, other)) => out.push(other),
                    None => break,
                },
                _ if self.0[at..].starts_with(quote) => {
                    self.0 = &self.0[at + quote.len()..];
                    return Some(out);
                }
                c => out.push(c),
            }
        }
        self.0 = "";
        None
    }
}
