//! Lines of keys and values, as YAML and its kin have them and as people write lists: `Action: send_message`, then
//! `Action Input: {…}`. Read only where an answer holds nothing else.

use serde_json::{Map, Value};

use super::json_quote::parse_literal;
use super::names::{self, ToolNames};
use super::{json, params};

/// Marks of emphasis and quotes around a key.
const MARKS: [char; 6] = ['*', '_', '"', '\'', '`', '#'];
const LONGEST_KEY: usize = 40;
/// How deep lines may be set in.
const DEEPEST: usize = 24;
/// How many lines are read: what is longer is no call.
const MOST_LINES: usize = 2_000;

/// A line that is not empty.
#[derive(Clone, Copy)]
struct Line<'a> {
    indent: usize,
    text: &'a str,
    start: usize,
}

/// The objects that the lines of `text` make up. A key that comes again begins the next. Where a line that is only a
/// tool's name comes first, what stands below each such line belongs to its tool.
pub(super) fn parse_documents(text: &str, names: &ToolNames) -> Vec<Value> {
    let mut sections: Vec<(&str, usize, usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n').take(MOST_LINES) {
        let name = line
            .trim()
            .trim_matches(|c: char| MARKS.contains(&c) || matches!(c, '[' | ']' | ':' | ' '));
        if !name.contains([' ', ':', '：', '(']) && names.find_tool(name).is_some() {
            sections.push((name, at + line.len(), text.len()));
            if let [.., before, _] = sections.as_mut_slice() {
                before.2 = at;
            }
        } else if sections.is_empty() && !line.trim().is_empty() {
            return parse_objects(text);
        }
        at += line.len();
    }
    let below = |(name, from, to): (&str, usize, usize)| {
        let parts = parse_objects(&text[from..to])
            .into_iter()
            .flat_map(|part| match part {
                Value::Array(parts) => parts,
                part => vec![part],
            });
        Map::from_iter([(
            name.to_owned(),
            Value::Object(params::join_params(parts.collect())),
        )])
        .into()
    };
    sections.into_iter().map(below).collect()
}

fn parse_objects(text: &str) -> Vec<Value> {
    let mut lines = Vec::new();
    let mut from = 0;
    for line in text.split_inclusive('\n').take(MOST_LINES) {
        let (inner, indent) = (line.trim(), line.len() - line.trim_start().len());
        if !inner.is_empty() && inner != "---" && !is_heading(inner) {
            lines.push(Line {
                indent,
                text: inner,
                start: from + indent,
            });
        }
        from += line.len();
    }
    let mut reader = Reader {
        text,
        lines,
        position: 0,
        is_cut: false,
    };
    let mut documents = Vec::new();
    while let Some(line) = reader.lines.get(reader.position) {
        let at = reader.position;
        if parse_pair(line.text).is_some() || line.text.starts_with("- ") {
            let document = reader.read_node(line.indent, 0);
            if !reader.is_cut {
                documents.push(document);
            }
        }
        if reader.position == at {
            reader.position += 1;
        }
    }
    documents
}

struct Reader<'a> {
    text: &'a str,
    lines: Vec<Line<'a>>,
    position: usize,
    is_cut: bool,
}

impl<'a> Reader<'a> {
    fn peek_line(&self, min_indent: usize) -> Option<Line<'a>> {
        self.lines
            .get(self.position)
            .copied()
            .filter(|line| line.indent >= min_indent)
    }

    /// The list or object whose first line is the next.
    fn read_node(&mut self, indent: usize, depth: usize) -> Value {
        let mut list = Vec::new();
        while let Some(line) = self
            .peek_line(indent)
            .filter(|line| line.indent == indent && depth < DEEPEST)
        {
            let Some(item) = line
                .text
                .strip_prefix('-')
                .filter(|item| item.starts_with(' '))
            else {
                break;
            };
            let item = item.trim_start();
            let inner = indent + (line.text.len() - item.len());
            if parse_pair(item).is_some() {
                let start = line.start + (line.text.len() - item.len());
                if let Some(place) = self.lines.get_mut(self.position) {
                    *place = Line {
                        indent: inner,
                        text: item,
                        start,
                    };
                }
                list.push(self.read_node(inner, depth + 1));
            } else {
                self.position += 1;
                list.push(parse_scalar(item));
            }
        }
        if list.is_empty() {
            self.read_object(indent, depth)
        } else {
            Value::Array(list)
        }
    }

    fn read_object(&mut self, indent: usize, depth: usize) -> Value {
        let mut fields = Map::new();
        while let Some(line) = self.peek_line(indent).filter(|line| line.indent == indent) {
            // A list under a key is read with it, so a mark of one here is only an ornament.
            let text = if fields.is_empty() {
                line.text
            } else {
                line.text.trim_start_matches(['-', '*', ' '])
            };
            let Some((key, value)) = parse_pair(text).filter(|(key, _)| !fields.contains_key(*key))
            else {
                break;
            };
            if names::is_quoted(key) && !fields.is_empty() {
                self.position = self.lines.len();
                break;
            }
            self.position += 1;
            let value = self.read_value(value, line, depth);
            fields.insert(key.to_owned(), value);
        }
        Value::Object(fields)
    }

    /// What stands behind a key's colon, or in the lines below that are set in.
    fn read_value(&mut self, value: &'a str, line: Line<'a>, depth: usize) -> Value {
        let is_folded = value.starts_with('>');
        if value.is_empty() {
            return match self.peek_line(line.indent) {
                Some(next)
                    if depth < DEEPEST
                        && (next.indent > line.indent || next.text.starts_with("- ")) =>
                {
                    self.read_node(next.indent, depth + 1)
                }
                _ => Value::Null,
            };
        }
        if is_folded && value.len() <= 2 || matches!(value, "|" | "|-" | "|+") {
            let mut block = Vec::new();
            while let Some(next) = self.peek_line(line.indent + 1) {
                block.push(next.text);
                self.position += 1;
            }
            return block.join(if is_folded { " " } else { "\n" }).into();
        }
        if value.starts_with(['{', '['])
            && let Some(offset) = line.text.find(value)
        {
            let start = line.start + offset;
            let mut pos = start;
            let read = json::parse_value(self.text, &mut pos);
            while self
                .lines
                .get(self.position)
                .is_some_and(|line| line.start < pos)
            {
                self.position += 1;
            }
            self.is_cut |= read.is_none();
            return read.unwrap_or_default();
        }
        let mut text = value.to_owned();
        while let Some(next) = self.lines.get(self.position).filter(|next| {
            parse_pair(next.text).is_none() && !next.text.starts_with(['-', '`', '~', '['])
        }) {
            text = format!("{text}\n{}", next.text);
            self.position += 1;
        }
        parse_scalar(&text)
    }
}

/// Whether a line is the heading of a table: `[[actions]]`.
fn is_heading(line: &str) -> bool {
    let inner = line.trim_start_matches('[').trim_end_matches(']');
    inner.len() < line.len()
        && inner.starts_with(char::is_alphabetic)
        && inner
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'))
}

/// A value on a line of its own: quoted, a literal, or text as it stands.
fn parse_scalar(text: &str) -> Value {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    if inner('"').is_some() {
        return serde_json::from_str(text).unwrap_or_else(|_| text.trim_matches('"').into());
    }
    match inner('\'') {
        Some(inner) => inner.replace("''", "'").into(),
        None => parse_literal(text),
    }
}

/// The key and value of a line, marks of emphasis and quotes around the key left out.
fn parse_pair(line: &str) -> Option<(&str, &str)> {
    let at = line.find([':', '：', '='])?;
    let sign = line[at..].chars().next()?;
    let behind = line.get(at + sign.len_utf8()..)?;
    let is_apart = sign != ':'
        || behind.is_empty()
        || behind.starts_with([' ', '\t', '*', '"', '\'', '{', '[', '_', '`']);
    let key = line[..at].trim().trim_matches(MARKS).trim();
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
    let fits = is_apart && !key.is_empty() && key.len() <= LONGEST_KEY && key.chars().all(is_key);
    let value = behind
        .trim_start_matches(['*', '_'])
        .trim()
        .trim_end_matches("**");
    let value = value
        .strip_prefix('`')
        .and_then(|inner| inner.strip_suffix('`'))
        .unwrap_or(value);
    fits.then_some((key, value))
}
