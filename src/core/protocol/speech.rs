//! An answer that names no tool as it should and can only be a message: an object whose one text is called words, an
//! element called words around all of it, a line that a tool's name begins.

use serde_json::{Map, Value};

use super::collected_calls::CollectedCalls;
use super::json_key::is_name_key;
use super::names::{self, ANSWER_WORDS, TURN, ToolNames, fold_name};
use super::params;
use super::plain_value::to_plain_text;
use super::repair::Repair;
use super::speaker::is_foreign_line;
use super::speech_name::{SPEAKS, is_speech_field, is_speech_name};
use crate::call::ToolSpec;
use crate::word::strip_leading_word;

/// How many values may stand around the words.
const DEEPEST: usize = 3;
/// What may stand around a tool's name at the beginning of a line.
const MARKS: [char; 9] = ['*', '_', '`', '"', '\'', '#', '/', '-', ' '];

/// Takes a document that is thoughts at most and one text that is called words; false where it is anything else.
pub(super) fn read_message_object(
    fields: &Map<String, Value>,
    names: &ToolNames,
    found: &mut CollectedCalls,
) -> bool {
    read_fields(fields, names, found, DEEPEST).is_some()
}

fn read_fields(
    fields: &Map<String, Value>,
    names: &ToolNames,
    found: &mut CollectedCalls,
    depth: usize,
) -> Option<()> {
    let tool = names.find_named_tool(SPEAKS).filter(|_| depth > 0)?;
    let is_aside = |(key, value): &(&String, &Value)| is_aside(key, value, names);
    let is_said = |field: &(&String, &Value)| {
        !is_aside(field) && names::find_param(tool, field.0).is_none_or(is_primary(tool))
    };
    let mut message_fields = fields.iter().filter(is_said);
    let (key, value) = message_fields
        .next()
        .filter(|_| message_fields.next().is_none())?;
    match value {
        Value::Object(inner) if is_speech_name(key) => read_fields(inner, names, found, depth - 1)?,
        Value::String(text) if is_speech_name(key) && text.trim_start().starts_with('{') => {
            read_fields(&serde_json::from_str(text).ok()?, names, found, depth - 1)?;
        }
        Value::Array(list)
            if fold_name(key) == "messages" || names::is_text_word(key) && list.len() == 1 =>
        {
            read_messages(list, names, found, depth)?;
        }
        value if is_speech_field(key, value, names) => {
            let params = fields.iter().filter(|field| !is_aside(field));
            let name = |named: &str| {
                if named == key {
                    params::find_primary_param(Some(tool))
                } else {
                    named.to_owned()
                }
            };
            let params = params
                .map(|(key, value)| (name(key), value.clone()))
                .collect();
            found.repairs.add(Repair::MissingRoot);
            found.add_call(names, SPEAKS, params);
        }
        _ => return None,
    }
    fields
        .iter()
        .filter(|(key, _)| names::is_thinking(key))
        .for_each(|(_, value)| found.add_thought(&to_plain_text(value)));
    Some(())
}

/// A list of messages, as texts or as objects, which is read whole or not at all.
fn read_messages(
    list: &[Value],
    names: &ToolNames,
    found: &mut CollectedCalls,
    depth: usize,
) -> Option<()> {
    let is_line = |item: &Value| {
        let name = item
            .as_str()
            .and_then(|text| text.split_once([':', '：']))
            .map(|(name, _)| name.trim());
        name.is_some_and(|name| !name.is_empty() && !name.contains(char::is_whitespace))
    };
    // A transcript: nobody can tell which of its lines are meant to be said.
    if list.len() > 1 && list.iter().all(is_line) {
        return None;
    }
    let mut inner = found.new_beside();
    for item in list {
        match item {
            Value::Object(fields) => read_fields(fields, names, &mut inner, depth - 1)?,
            text => read_fields(
                &Map::from_iter([("text".to_owned(), text.clone())]),
                names,
                &mut inner,
                depth - 1,
            )?,
        }
    }
    found.merge(inner);
    Some(())
}

/// Whether a field only tells of the words beside it: what was thought, that it speaks, that this is a message, and how it
/// is said. Under the name of anybody else nothing is said by itself.
fn is_aside(key: &str, value: &Value, names: &ToolNames) -> bool {
    let folded = fold_name(key);
    let text = value.as_str().unwrap_or_default();
    names::is_thinking(key)
        || ANSWER_WORDS.done.contains(&folded) && value.as_bool() == Some(true)
        || value.is_null()
        || ANSWER_WORDS.speaker.contains(&folded) && names.is_own_name(text)
        || (folded == "type" || is_name_key(key))
            && (is_speech_name(text) || fold_name(text) == "outputtext")
        || ANSWER_WORDS.manner.contains(&folded) && value.is_string()
}

/// The call of `send_message: hi`, or `[send_message] hi`: a tool's whole name, with its words behind it and below. Where
/// other lines begin so, too, they may tell what the tools are.
pub(super) fn parse_line(text: &str, names: &ToolNames) -> Option<Value> {
    let (mut rest, mut params) = (text.trim(), Map::new());
    let mut thoughts = Vec::new();
    while let Some((thought, below)) = rest
        .split_once('\n')
        .filter(|(line, _)| parse_line_key(line).is_some_and(names::is_thinking))
    {
        thoughts.extend(
            thought
                .split_once([':', '：'])
                .map(|(_, thought)| thought.trim()),
        );
        rest = below.trim_start();
    }
    let (tool, value) = parse_named_line(rest, names).or_else(|| {
        let (key, value) = rest.split_once([':', '：'])?;
        let key = key.trim_matches(|c: char| MARKS.contains(&c));
        let is_answer = ANSWER_WORDS.final_answers.contains(&fold_name(key))
            || !thoughts.is_empty() && is_speech_name(key);
        Some((
            names.find_named_tool(SPEAKS).filter(|_| is_answer)?,
            value.trim_start_matches(['*', '`']),
        ))
    })?;
    let mut lines = value.lines();
    let mut words = lines.next()?.trim().to_owned();
    for line in lines.take_while(|line| !is_foreign_line(line, names)) {
        // Of a numbered list the other points tell what the tools are, or what is to be done.
        let is_listed = [rest, line]
            .iter()
            .all(|line| strip_list_number(line.trim()).len() < line.trim().len());
        let is_key =
            |key_name: &str| names.find_tool(key_name).is_some() || names::is_thinking(key_name);
        let is_name = names.find_tool(line.trim().trim_matches(MARKS)).is_some();
        if is_listed
            || is_name
            || parse_named_line(line.trim(), names).is_some()
            || parse_line_key(line).is_some_and(is_key)
        {
            return None;
        }
        match line
            .split_once([':', '='])
            .and_then(|(key, value)| Some((names::find_param(tool, key.trim())?, value)))
        {
            Some((param, value)) => _ = params.insert(param.name.clone(), value.trim().into()),
            None => words = format!("{words}\n{line}"),
        }
    }
    let words = words.trim();
    let is_words = !words.is_empty() && !words.starts_with(['{', '[', '<', '(']);
    let words = strip_quotes(words).unwrap_or(words);
    params.insert(params::find_primary_param(Some(tool)), words.into());
    let call = [
        ("thoughts".to_owned(), thoughts.join("\n").into()),
        (tool.name.clone(), Value::Object(params)),
    ];
    is_words.then(|| Map::from_iter(call).into())
}

/// What stands before the colon of a line, if it is one word.
fn parse_line_key(line: &str) -> Option<&str> {
    let (key, _) = line.split_once([':', '：'])?;
    let key = key.trim_matches(|c: char| MARKS.contains(&c));
    (!key.contains(char::is_whitespace)).then_some(key)
}

/// A tool whose whole name begins a line, and what stands behind its colon or bracket, or below a name that is alone.
fn parse_named_line<'a, 'n>(
    line: &'a str,
    names: &'n ToolNames,
) -> Option<(&'n ToolSpec, &'a str)> {
    let bracketed = line.strip_prefix(['[', '【']);
    let bare = strip_list_number(bracketed.unwrap_or(line)).trim_start_matches(MARKS);
    let bare = ANSWER_WORDS
        .calling
        .iter()
        .find_map(|word| strip_leading_word(bare, word))
        .unwrap_or(bare)
        .trim_start_matches(MARKS);
    let end = bare
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(bare.len());
    let (name, behind) = bare.split_at(end);
    let tool = names.find_exact_tool(name).filter(|_| name.contains('_'))?;
    let alone = behind
        .strip_prefix(' ')
        .map(|alone| alone.trim_start_matches([' ', '=']).trim_end());
    if let Some(alone) = alone.filter(|alone| strip_quotes(alone).is_some()) {
        return Some((tool, alone));
    }
    let behind = behind.trim_start_matches([' ', '*', '`', '"', '\'']);
    let inner = bracketed
        .and_then(|_| behind.strip_prefix([']', '】']))
        .map(|rest| rest.trim_start_matches([' ', '*']));
    let value = inner.unwrap_or(behind);
    let below = || {
        let below = value.strip_prefix('\n')?.trim_start();
        let is_param = |(key, _): (&str, &str)| {
            names::find_param(tool, key.trim()).is_some() || names::is_params(key.trim())
        };
        let first = below.lines().next().unwrap_or_default();
        let is_name = names.find_tool(first.trim().trim_matches(MARKS)).is_some();
        (!is_name && !first.split_once([':', '：', '=']).is_some_and(is_param)).then_some(below)
    };
    let value = value
        .strip_prefix([':', '：'])
        .or_else(|| value.strip_prefix("->"))
        .or(inner)
        .or_else(below)?;
    Some((tool, value.trim_start_matches(['*', '`'])))
}

fn strip_list_number(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix(['.', ')', '、'])
        .filter(|_| rest.len() < line.len())
        .unwrap_or(line)
}

fn strip_quotes(text: &str) -> Option<&str> {
    let pairs = [('"', '"'), ('\'', '\''), ('“', '”'), ('「', '」')];
    let (open, close) = pairs
        .into_iter()
        .find(|(open, _)| text.starts_with(*open))?;
    text.strip_prefix(open)?
        .strip_suffix(close)
        .filter(|inner| match close {
            '\'' => !inner.contains("' ") && !inner.contains(" '"),
            _ => !inner.contains(close),
        })
}

/// The answer with its elements, which are called words, as the calls they mean; several only inside of a turn.
pub(super) fn convert_speech_elements(text: &str, names: &ToolNames) -> Option<String> {
    names.find_named_tool(SPEAKS)?;
    let body = text.trim_end().trim_end_matches('`').trim_end();
    let body = body.strip_suffix("</turn>").unwrap_or(body).trim_end();
    let (before_end, name) = body.strip_suffix('>')?.rsplit_once("</")?;
    if fold_name(name) == TURN || !is_speech_name(name) && !names.is_own_name(name) {
        return None;
    }
    let start = before_end.find(&format!("<{name}"))?;
    // Only the turn and thoughts may stand before it: what is open inside a call is a part of that.
    let is_aside = |tag: &str| {
        let name = tag.trim_start_matches('/');
        let end = name
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(name.len());
        name[..end].eq_ignore_ascii_case(TURN) || names::is_thinking(&name[..end])
    };
    let before = text[..start].trim_end();
    let is_all =
        (before.is_empty() || before.ends_with('>')) && before.split('<').skip(1).all(is_aside);
    let mut out = text[..start].to_owned();
    let (mut rest, mut count) = (&body[start..], 0);
    while !rest.is_empty() {
        let element = rest.strip_prefix('<')?.strip_prefix(name)?;
        let (inner, behind) = element.split_once(&format!("</{name}>"))?;
        if !inner.starts_with(['>', ' ', '\n']) || inner.contains(&format!("<{name}")) {
            return None;
        }
        out.push_str(&format!("<{SPEAKS}{inner}</{SPEAKS}>"));
        (rest, count) = (behind.trim_start(), count + 1);
    }
    out.push_str(&text[body.len()..]);
    (is_all && (count == 1 || before.contains("<turn"))).then_some(out)
}

fn is_primary(tool: &ToolSpec) -> impl Fn(&crate::schema::Param) -> bool {
    |param| tool.primary.as_ref() == Some(&param.name)
}
