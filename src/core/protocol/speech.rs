//! An answer that names no tool as it should and can only be a message: an object whose one text is called words, an
//! element called words around all of it, a line that a tool's name begins.

use serde_json::{Map, Value};

use super::found::{Found, plain};
use super::json_key::is_of_another;
use super::names::{self, Names, TURN, fold};
use super::params;
use super::repair::Repair;
use crate::core::call::ToolSpec;

/// The tool that says something.
const SPEAKS: &str = "send_message";
/// What people call saying something, besides the words they have for what is said.
const SAYING: &[&str] = &["send", "speak", "post", "respond", "chat", "发送", "发送消息", "发消息", "说"];
/// How many objects may stand around the words.
const DEEPEST: usize = 2;
/// What may stand around a tool's name at the beginning of a line.
const MARKS: [char; 9] = ['*', '_', '`', '"', '\'', '#', '/', '-', ' '];

/// The tool that another name for saying something means, if the parameters hold words.
pub(super) fn tool<'a>(written: &str, params: &Map<String, Value>, names: &'a Names) -> Option<&'a ToolSpec> {
    let is_saying = names::is_text_word(written) || fold(written) == TURN || SAYING.contains(&&*fold(written));
    let has_words = || params.iter().any(|(key, value)| is_words(key, value));
    speaks(names).filter(|_| is_saying && has_words())
}

/// Takes a document that is thoughts at most and one text that is called words; false where it is anything else.
pub(super) fn object(fields: &Map<String, Value>, names: &Names, found: &mut Found) -> bool {
    read(fields, names, found, DEEPEST).is_some()
}

fn read(fields: &Map<String, Value>, names: &Names, found: &mut Found, depth: usize) -> Option<()> {
    let tool = speaks(names).filter(|_| depth > 0 && !is_of_another(fields))?;
    let is_aside = |key: &str| names::is_thinking(key) || matches!(&*fold(key), "role" | "type");
    let mut said =
        fields.iter().filter(|(key, _)| !is_aside(key) && names::param(tool, key).is_none_or(is_primary(tool)));
    let (key, value) = said.next().filter(|_| said.next().is_none())?;
    match value {
        Value::Object(inner) if names::is_text_word(key) || fold(key) == TURN => read(inner, names, found, depth - 1)?,
        value if is_words(key, value) => {
            let params = fields.iter().filter(|(key, _)| !is_aside(key));
            let name = |named: &str| if named == key { params::primary(Some(tool)) } else { named.to_owned() };
            let params = params.map(|(key, value)| (name(key), value.clone())).collect();
            found.repairs.add(Repair::MissingRoot);
            found.call(names, SPEAKS, params);
        }
        _ => return None,
    }
    fields.iter().filter(|(key, _)| names::is_thinking(key)).for_each(|(_, value)| found.think(&plain(value)));
    Some(())
}

/// The call of `send_message: hi`, or `[send_message] hi`: a tool's whole name, with its words behind it and below. Where
/// other lines begin so, too, they may tell what the tools are.
pub(super) fn line(text: &str, names: &Names) -> Option<Value> {
    let (mut rest, mut params) = (text.trim(), Map::new());
    let mut thoughts = Vec::new();
    while let Some((thought, below)) =
        rest.split_once('\n').filter(|(line, _)| key(line).is_some_and(names::is_thinking))
    {
        thoughts.extend(thought.split_once([':', '：']).map(|(_, thought)| thought.trim()));
        rest = below.trim_start();
    }
    let (tool, value) = named_line(rest, names)?;
    let mut lines = value.lines();
    let mut words = lines.next()?.trim().to_owned();
    for line in lines {
        let is_key = |of: &str| names.tool(of).is_some() || names::is_thinking(of);
        if named_line(line.trim(), names).is_some() || key(line).is_some_and(is_key) {
            return None;
        }
        match line.split_once([':', '=']).and_then(|(key, value)| Some((names::param(tool, key.trim())?, value))) {
            Some((param, value)) => _ = params.insert(param.name.clone(), value.trim().into()),
            None => words = format!("{words}\n{line}"),
        }
    }
    let words = words.trim();
    let is_words = !words.is_empty() && !words.starts_with(['{', '[', '<', '(']);
    let words = words.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(words);
    params.insert(params::primary(Some(tool)), words.into());
    let call = [("thoughts".to_owned(), thoughts.join("\n").into()), (tool.name.clone(), Value::Object(params))];
    is_words.then(|| Map::from_iter(call).into())
}

/// What stands before the colon of a line, if it is one word.
fn key(line: &str) -> Option<&str> {
    let (key, _) = line.split_once([':', '：'])?;
    let key = key.trim_matches(|c: char| MARKS.contains(&c));
    (!key.contains(char::is_whitespace)).then_some(key)
}

/// A tool whose whole name begins a line, and what stands behind its colon or bracket.
fn named_line<'a, 'n>(line: &'a str, names: &'n Names) -> Option<(&'n ToolSpec, &'a str)> {
    let bracketed = line.strip_prefix(['[', '【']);
    let bare = bracketed.unwrap_or(line).trim_start_matches(MARKS);
    let end = bare.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(bare.len());
    let (name, behind) = bare.split_at(end);
    let tool = names.tool(name).filter(|_| name.contains('_')).and_then(|place| names.tools.get(place))?;
    let behind = behind.trim_start_matches([' ', '*', '`', '"', '\'']);
    let inner =
        bracketed.and_then(|_| behind.strip_prefix([']', '】'])).map(|rest| rest.trim_start_matches([' ', '*']));
    let value = inner.unwrap_or(behind);
    let value = value.strip_prefix([':', '：']).or_else(|| value.strip_prefix("->")).or(inner)?;
    Some((tool, value.trim_start_matches(['*', '`'])))
}

/// The answer with its one element, which is called words, as the call it means.
pub(super) fn element(text: &str, names: &Names) -> Option<String> {
    speaks(names)?;
    let body = text.trim_end().trim_end_matches('`').trim_end();
    let body = body.strip_suffix("</turn>").unwrap_or(body).trim_end();
    let (before_end, name) = body.strip_suffix('>')?.rsplit_once("</")?;
    if !is_element_of_words(name) {
        return None;
    }
    let start = before_end.find(&format!("<{name}"))?;
    let behind = &before_end[start + 1 + name.len()..];
    // Only the turn and thoughts may stand before it: what is open inside a call is a part of that.
    let is_aside = |tag: &str| {
        let name = tag.trim_start_matches('/');
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        name[..end].eq_ignore_ascii_case(TURN) || names::is_thinking(&name[..end])
    };
    let before = text[..start].trim_end();
    let is_all = (before.is_empty() || before.ends_with('>')) && before.split('<').skip(1).all(is_aside);
    let is_one = behind.starts_with(['>', ' ', '\n']) && !behind.contains(&format!("<{name}"));
    (is_all && is_one).then(|| format!("{}<{SPEAKS}{behind}</{SPEAKS}>{}", &text[..start], &text[body.len()..]))
}

fn is_element_of_words(name: &str) -> bool {
    names::is_text_word(name) || matches!(&*fold(name), "output" | "final" | "finalanswer")
}

fn speaks(names: &Names) -> Option<&ToolSpec> {
    names.tools.iter().find(|tool| tool.name == SPEAKS)
}

fn is_primary(tool: &ToolSpec) -> impl Fn(&crate::core::schema::Param) -> bool {
    |param| tool.primary.as_ref() == Some(&param.name)
}

fn is_words(key: &str, value: &Value) -> bool {
    names::is_text_word(key) && value.as_str().is_some_and(|text| !text.trim().is_empty())
}
