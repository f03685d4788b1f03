//! Calls written in the syntax of Python, as some open models were trained to: `[name(key="value"), …]`, or one a line
//! in a `tool_code` fence, printed or not. Read only where an answer is nothing else, and only names that are known.

use serde_json::{Map, Value};

use super::names::Names;

/// What was read.
pub(super) struct Read {
    pub(super) calls: Vec<(String, Map<String, Value>)>,
    /// The answer broke off inside a call.
    pub(super) cut: bool,
}

/// The calls that `text` consists of; none where it is anything else.
pub(super) fn calls(text: &str, names: &Names) -> Option<Read> {
    let inner = text.trim();
    let inner = inner.strip_prefix("```").map_or(inner, |fenced| {
        let info = fenced.find('\n').unwrap_or(fenced.len());
        fenced[info..].trim().trim_end_matches('`').trim()
    });
    let mut rest = Rest(inner.strip_prefix('[').unwrap_or(inner));
    let mut calls = Vec::new();
    loop {
        rest.skip(&[',', ';', ']']);
        if rest.0.is_empty() {
            return (!calls.is_empty()).then_some(Read { calls, cut: false });
        }
        let printed = rest.take("print(");
        let name = rest.word();
        let known = names.tool(name).is_some() && rest.take("(");
        if !known {
            // A name that is cut off is no prose: whatever came before was calls only.
            return (!calls.is_empty() && rest.0.is_empty()).then_some(Read { calls, cut: true });
        }
        let Some(params) = rest.params() else {
            return rest.0.is_empty().then_some(Read { calls, cut: true });
        };
        if printed {
            rest.take(")");
        }
        calls.push((name.to_owned(), params));
    }
}

/// What is left to be read.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn skip(&mut self, signs: &[char]) {
        self.0 = self.0.trim_start_matches(|c: char| c.is_whitespace() || signs.contains(&c));
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip(&[]);
        let rest = self.0.strip_prefix(sign);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn word(&mut self) -> &'a str {
        self.skip(&[]);
        let end = self.0.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        word
    }

    /// `key=value, …)`; where it breaks off, nothing is left to be read.
    fn params(&mut self) -> Option<Map<String, Value>> {
        let mut params = Map::new();
        loop {
            self.skip(&[',']);
            if self.take(")") {
                return Some(params);
            }
            let key = self.word();
            if key.is_empty() || !self.take("=") {
                return None;
            }
            params.insert(key.to_owned(), self.value()?);
        }
    }

    /// A text, number, literal or flat list of them.
    fn value(&mut self) -> Option<Value> {
        if !self.take("[") {
            return self.scalar();
        }
        let mut list = Vec::new();
        loop {
            self.skip(&[',']);
            if self.take("]") {
                return Some(Value::Array(list));
            }
            list.push(self.scalar()?);
        }
    }

    fn scalar(&mut self) -> Option<Value> {
        self.skip(&[]);
        match self.0.chars().next()? {
            quote @ ('"' | '\'') => self.string(quote).map(Value::String),
            _ => {
                let Some(end) = self.0.find([',', ')', ']', '\n']) else {
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
        }
    }

    fn string(&mut self, quote: char) -> Option<String> {
        let mut out = String::new();
        let mut signs = self.0.char_indices().skip(1);
        while let Some((at, c)) = signs.next() {
            match c {
                '\\' => match signs.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, other)) => out.push(other),
                    None => break,
                },
                c if c == quote => {
                    self.0 = &self.0[at + c.len_utf8()..];
                    return Some(out);
                }
                c => out.push(c),
            }
        }
        self.0 = "";
        None
    }
}
