//! Answers written as XML, well or in ways that a fault is made of.

use crate::protocol::outputs::{CallParams, Output, each};

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

pub fn attribute(text: &str) -> String {
    escape(text).replace('"', "&quot;").replace('\n', "&#10;")
}

pub fn primary(name: &str) -> &'static str {
    match name {
        "react" => "emoji",
        "stay_silent" => "reason",
        "get_time" => "zone",
        "recall" => "query",
        "core_memory_replace" => "",
        _ => "text",
    }
}

/// One call as the protocol asks for it: attributes, and the primary parameter as text.
pub fn element(name: &str, params: &CallParams, text: impl Fn(&str) -> String) -> String {
    let mut attributes = String::new();
    let mut inner = String::new();
    for (key, value) in params {
        if *key == primary(name) {
            inner = text(value);
        } else {
            attributes += &format!(" {key}=\"{}\"", attribute(value));
        }
    }
    format!("<{name}{attributes}>{inner}</{name}>")
}

pub fn any(output: &Output, test: impl Fn(&str) -> bool) -> bool {
    output
        .calls
        .iter()
        .any(|(_, params)| params.iter().any(|(_, value)| test(value)))
}

pub fn children(name: &str, params: &CallParams) -> String {
    let inner: String = params
        .iter()
        .map(|(key, value)| format!("<{key}>{}</{key}>", escape(value)))
        .collect();
    format!("<{name}>{inner}</{name}>")
}

pub fn attributes(name: &str, params: &CallParams, quote: impl Fn(&str, &str) -> String) -> String {
    let inner: String = params
        .iter()
        .map(|(key, value)| format!(" {}", quote(key, value)))
        .collect();
    format!("<{name}{inner}/>")
}

pub fn turn(output: &Output, calls: &[String]) -> String {
    format!(
        "<turn>\n  <thoughts>{}</thoughts>\n  {}\n</turn>",
        escape(output.thoughts),
        calls.join("\n  ")
    )
}

pub fn plain(output: &Output) -> String {
    turn(
        output,
        &each(output, |name, params| element(name, params, escape)),
    )
}

pub fn rendered(output: &Output, render: impl Fn(&str, &CallParams) -> String) -> Option<String> {
    Some(turn(output, &each(output, render)))
}

/// Replaces the end tag of the call at `place` by what `change` makes of its name.
pub fn end_tag(output: &Output, place: usize, change: impl Fn(&str) -> String) -> Option<String> {
    let mut calls = each(output, |name, params| element(name, params, escape));
    let (name, params) = output.calls.get(place)?;
    params.iter().find(|(key, _)| *key == primary(name))?;
    let end = format!("</{name}>");
    calls[place] = calls[place].replace(&end, &change(name));
    Some(turn(output, &calls))
}

pub fn json_params(params: &CallParams) -> String {
    let fields: serde_json::Map<_, _> = params
        .iter()
        .map(|(k, v)| ((*k).to_owned(), (*v).into()))
        .collect();
    serde_json::Value::Object(fields).to_string()
}

pub fn quoted(output: &Output, quote: impl Fn(&str) -> String) -> Option<String> {
    rendered(output, |n, p| {
        attributes(n, p, |key, value| format!("{key}={}", quote(value)))
    })
}

pub fn all_attributes(output: &Output) -> String {
    turn(
        output,
        &each(output, |n, p| {
            attributes(n, p, |key, value| format!("{key}=\"{}\"", attribute(value)))
        }),
    )
}

pub fn camel(name: &str) -> String {
    let words = name
        .split('_')
        .map(|word| word[..1].to_uppercase() + &word[1..]);
    words.collect()
}

/// The name with two letters swapped, where it is long enough for that to be a slip.
pub fn slip(name: &str) -> String {
    match name.char_indices().nth(2) {
        Some((at, _)) if name.len() >= 5 => {
            let (a, b) = (&name[at..at + 1], &name[at + 1..at + 2]);
            format!("{}{b}{a}{}", &name[..at], &name[at + 2..])
        }
        _ => name.to_owned(),
    }
}

pub fn json(output: &Output) -> String {
    let calls = each(output, |n, p| {
        format!("{{\"name\": \"{n}\", \"params\": {}}}", json_params(p))
    });
    format!(
        "{{\"thoughts\": {:?}, \"actions\": [{}]}}",
        output.thoughts,
        calls.join(", ")
    )
}
