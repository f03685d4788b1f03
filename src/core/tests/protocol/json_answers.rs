//! Answers written as JSON, well or in ways that a fault is made of.

use serde_json::Value;

use crate::protocol::outputs::{CallParams, Output, each};

pub fn quote(text: &str) -> String {
    Value::from(text).to_string()
}

pub fn params_with(params: &CallParams, quote: impl Fn(&str) -> String) -> String {
    let fields: Vec<String> = params
        .iter()
        .map(|(key, value)| match *key {
            "reply_to" | "to" | "options" => format!("{}: {value}", quote(key)),
            _ => format!("{}: {}", quote(key), quote(value)),
        })
        .collect();
    format!("{{{}}}", fields.join(", "))
}

pub fn params(params: &CallParams) -> String {
    params_with(params, quote)
}

pub fn call(name: &str, of: &CallParams) -> String {
    format!("{{\"name\": {}, \"params\": {}}}", quote(name), params(of))
}

pub fn document(output: &Output, calls: &[String]) -> String {
    format!(
        "{{\n  \"thoughts\": {},\n  \"actions\": [\n    {}\n  ],\n  \"request_heartbeat\": false\n}}",
        quote(output.thoughts),
        calls.join(",\n    ")
    )
}

pub fn plain(output: &Output) -> String {
    document(output, &each(output, call))
}

pub fn rendered(output: &Output, render: impl Fn(&str, &CallParams) -> String) -> Option<String> {
    Some(document(output, &each(output, render)))
}

pub fn compact(output: &Output) -> String {
    let calls = each(output, |n, p| {
        format!("{{\"name\":{},\"params\":{}}}", quote(n), params(p))
    });
    format!(
        "{{\"thoughts\":{},\"actions\":[{}]}}",
        quote(output.thoughts),
        calls.join(",")
    )
}

/// The document with every string written by `quote`.
pub fn requoted(output: &Output, quote: impl Fn(&str) -> String) -> String {
    let calls = each(output, |n, p| {
        format!(
            "{{{}: {}, {}: {}}}",
            quote("name"),
            quote(n),
            quote("params"),
            params_with(p, &quote)
        )
    });
    let calls = calls.join(", ");
    format!(
        "{{{}: {}, {}: [{calls}]}}",
        quote("thoughts"),
        quote(output.thoughts),
        quote("actions")
    )
}

pub fn any(output: &Output, test: impl Fn(&str) -> bool) -> bool {
    test(output.thoughts)
        || output
            .calls
            .iter()
            .any(|(_, params)| params.iter().any(|(_, value)| test(value)))
}

pub fn xml(output: &Output) -> String {
    let calls = each(output, |name, params| {
        let inner: Vec<String> = params
            .iter()
            .map(|(key, value)| {
                format!(
                    "<{key}>{}</{key}>",
                    value.replace('&', "&amp;").replace('<', "&lt;")
                )
            })
            .collect();
        format!("<{name}>{}</{name}>", inner.concat())
    });
    format!(
        "<turn><thoughts>{}</thoughts>{}</turn>",
        output.thoughts.replace('<', "&lt;"),
        calls.concat()
    )
}

/// The name with two letters swapped.
pub fn slip(name: &str) -> String {
    let (head, tail) = name.split_at(2);
    let mut letters = tail.chars();
    match (letters.next(), letters.next()) {
        (Some(a), Some(b)) if name.len() >= 5 => format!("{head}{b}{a}{}", letters.as_str()),
        _ => name.to_owned(),
    }
}

/// Changes the end of the document.
pub fn ending(output: &Output, from: &str, to: &str) -> Option<String> {
    compact(output)
        .strip_suffix(from)
        .map(|kept| format!("{kept}{to}"))
}
