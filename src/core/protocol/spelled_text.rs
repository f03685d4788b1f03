//! The syntax of a program, as far as calls are written in it: words, signs, arguments and values.

use serde_json::{Map, Value};

use super::json_quote::parse_literal;
use super::{json, names};
use crate::call::ToolSpec;

/// What a text may begin with.
const QUOTES: [char; 3] = ['"', '\'', '“'];

/// The parameters that `text` names one after the other, and nothing else: `text="hi", reply_to=12`.
pub(super) fn parse_keywords(text: &str, tool: &ToolSpec) -> Option<Map<String, Value>> {
    let is_known = |key: &str| names::has_param(Some(tool), key);
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

pub(super) struct SpelledText<'a>(pub(super) &'a str);

impl<'a> SpelledText<'a> {
    fn skip_signs(&mut self, signs: &[char]) {
        self.0 = self
            .0
            .trim_start_matches(|c: char| c.is_whitespace() || signs.contains(&c));
    }

    pub(super) fn skip_comments(&mut self) {
        loop {
            self.skip_signs(&[',', ';', '[', ']', '(', ')', '{', '}', '%', '/', '-']);
            if !self.0.starts_with('#') {
                return;
            }
            self.0 = self.0.find('\n').map_or("", |end| &self.0[end..]);
        }
    }

    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
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
    pub(super) fn take_assignment(&mut self) -> bool {
        self.skip_signs(&[]);
        !self.0.starts_with("==") && self.take_sign("=")
    }

    pub(super) fn take_word(&mut self) -> &'a str {
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
    pub(super) fn take_arguments(
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
    pub(super) fn take_pairs(&mut self, tool: &ToolSpec) -> Option<Map<String, Value>> {
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
            let mut pos = 0;
            let value = json::parse_value(self.0, &mut pos);
            self.0 = self.0.get(pos..).unwrap_or_default();
            return value;
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
        Some(parse_literal(word.trim())).filter(|value| !value.is_string())
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
