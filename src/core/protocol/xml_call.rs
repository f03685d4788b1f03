//! Turns the tree of a call's element into a call: attributes, child elements and text become parameters.

use serde_json::{Map, Value};

use super::element::{self, Element, Node};
use super::entity;
use super::found::Found;
use super::json_whole::whole;
use super::names::{self, Names, Word};
use super::repair::Repair;
use crate::core::call::ToolSpec;

/// HTML that people put into chat text; never a parameter.
const TEXT_MARKUP: &[&str] =
    &["b", "i", "u", "s", "em", "strong", "code", "pre", "br", "p", "a", "span", "small", "big"];

/// The call of an element named after its tool.
pub(super) fn named(source: &str, written: &str, element: Element, names: &Names, found: &mut Found) {
    let tool = names.near_tool(written).and_then(|place| names.tools.get(place));
    let params = params_of(source, element, tool, names, found);
    found.call(names, written, params);
}

/// The call of an element that names its tool in an attribute or a child: `<action name="…">`, `<invoke name="…">`,
/// `<function=…>`, `<action><name>…</name><params>…</params></action>`.
pub(super) fn generic(source: &str, mut element: Element, names: &Names, found: &mut Found) {
    found.repairs.add(Repair::GenericCall);
    let attribute = element.attributes.iter().position(|(name, _)| is_name_key(name));
    let written = match attribute {
        Some(place) => Some(element.attributes.remove(place).1),
        None => take_name_child(&mut element).or_else(|| take_name_text(&mut element, names)),
    };
    match written.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()) {
        Some(written) => named(source, &written, element, names, found),
        None => {
            let sentence = format!("<{}> names no tool, so it was not done", names::shorten(&element.name));
            found.give_up(Repair::UnreadableCall, sentence);
        }
    }
}

fn is_name_key(name: &str) -> bool {
    matches!(&*names::fold(name), "" | "name" | "function" | "tool" | "toolname" | "action" | "type")
}

fn take_name_child(element: &mut Element) -> Option<String> {
    let place =
        element.nodes.iter().position(|node| matches!(node, Node::Element(child) if is_name_key(&child.name)))?;
    match element.nodes.remove(place) {
        Node::Element(child) => Some(child.into_text()),
        Node::Text(_) => None,
    }
}

/// `<tool_call>name<arg_key>…`: the name is the text before everything else.
fn take_name_text(element: &mut Element, names: &Names) -> Option<String> {
    let name = element.nodes.first()?.as_text()?.trim().to_owned();
    names.near_tool(&name)?;
    element.nodes.remove(0);
    Some(name)
}

fn params_of(
    source: &str,
    element: Element,
    tool: Option<&ToolSpec>,
    names: &Names,
    found: &mut Found,
) -> Map<String, Value> {
    let mut params = Map::new();
    for (name, value) in element.attributes {
        insert(&mut params, canonical(tool, name), Value::String(value));
    }
    let has_text = element.nodes.iter().any(|node| node.as_text().is_some_and(|text| !text.trim().is_empty()));
    let mut text = String::new();
    let mut key = None;
    for node in element.nodes {
        let mut child = match node {
            Node::Text(piece) => {
                element::join(&mut text, piece);
                continue;
            }
            Node::Element(child) => child,
        };
        let known = tool.is_some_and(|tool| names::param(tool, &child.name).is_some());
        let word = names.word(&child.name);
        let folded = names::fold(&child.name);
        if known {
            let name = canonical(tool, child.name.clone());
            let value = value_of(source, child, tool.is_some_and(|tool| names::is_text_param(tool, &name)));
            insert(&mut params, name, value);
        } else if folded == "argkey" {
            found.repairs.add(Repair::ProviderSyntax);
            key = Some(canonical(tool, trimmed(child.into_text())));
        } else if folded == "argvalue" {
            let name = key.take().unwrap_or_else(|| child.name.clone());
            let value = value_of(source, child, tool.is_none_or(|tool| names::is_text_param(tool, &name)));
            insert(&mut params, name, value);
        } else if matches!(word, Word::Think | Word::Thoughts) {
            found.think(&entity::decode(source.get(child.inner.clone()).unwrap_or_default()));
        } else if matches!(&*folded, "params" | "parameters" | "arguments" | "args" | "input") {
            found.repairs.add(Repair::ParamsPlace);
            let inner = params_of(source, child, tool, names, found);
            params.extend(inner);
        } else if matches!(&*folded, "parameter" | "param" | "argument" | "arg") && !child.attributes.is_empty() {
            found.repairs.add(Repair::ProviderSyntax);
            let attributes = std::mem::take(&mut child.attributes);
            let name = attributes.into_iter().find(|(name, _)| is_name_key(name)).map(|(_, value)| value);
            let name = canonical(tool, name.unwrap_or_else(|| child.name.clone()));
            let value = value_of(source, child, tool.is_none_or(|tool| names::is_text_param(tool, &name)));
            insert(&mut params, name, value);
        } else if TEXT_MARKUP.contains(&&*folded) || (tool.is_some() && has_text) {
            text.push_str(&entity::decode(source.get(child.outer.clone()).unwrap_or_default()));
        } else {
            insert(&mut params, child.name.clone(), value_of(source, child, false));
        }
    }
    take_text(trimmed(text), &mut params, tool, found);
    params
}

/// The element's own text fills the primary parameter, unless it is the parameters written as JSON.
fn take_text(text: String, params: &mut Map<String, Value>, tool: Option<&ToolSpec>, found: &mut Found) {
    if text.is_empty() {
        return;
    }
    if text.starts_with('{')
        && text.ends_with('}')
        && let Some(Value::Object(fields)) = whole(&text, &mut found.repairs)
        && !fields.is_empty()
        && tool.is_none_or(|tool| fields.keys().all(|key| names::param(tool, key).is_some()))
    {
        found.repairs.add(Repair::JsonInXml);
        params.extend(fields);
        return;
    }
    let primary = tool.map_or(Some("text"), |tool| tool.primary.as_deref());
    let primary = primary.or_else(|| {
        // A tool without a primary parameter: its only one can be meant.
        match tool.map(|tool| tool.schema.params.as_slice()) {
            Some([only]) => Some(only.name.as_str()),
            _ => None,
        }
    });
    match primary {
        Some(primary) if !params.contains_key(primary) => {
            params.insert(primary.to_owned(), Value::String(text));
        }
        _ => found.repairs.add(Repair::DroppedText),
    }
}

fn canonical(tool: Option<&ToolSpec>, name: String) -> String {
    match tool.and_then(|tool| names::param(tool, &name)) {
        Some(param) if param.name != name => param.name.clone(),
        _ => name,
    }
}

/// `text` without the blanks around it, in its own place.
fn trimmed(mut text: String) -> String {
    text.truncate(text.trim_end().len());
    text.drain(..text.len() - text.trim_start().len());
    text
}

/// Repeated parameters become a list.
fn insert(params: &mut Map<String, Value>, name: String, value: Value) {
    match params.get_mut(&name) {
        None => {
            params.insert(name, value);
        }
        Some(Value::Array(items)) => items.push(value),
        Some(one) => *one = Value::Array(vec![one.take(), value]),
    }
}

/// Text for a leaf, an object for an element with children. Declared text stays as it was written, tags included.
fn value_of(source: &str, element: Element, declared_text: bool) -> Value {
    let has_children = element.nodes.iter().any(|node| matches!(node, Node::Element(_)));
    if !has_children && element.attributes.is_empty() {
        return Value::String(trimmed(element.into_text()));
    }
    if declared_text {
        return Value::String(trimmed(entity::decode(source.get(element.inner).unwrap_or_default())));
    }
    let mut fields = Map::new();
    for (name, value) in element.attributes {
        insert(&mut fields, name, Value::String(value));
    }
    let mut text = String::new();
    for node in element.nodes {
        match node {
            Node::Text(piece) => element::join(&mut text, piece),
            Node::Element(child) => insert(&mut fields, child.name.clone(), value_of(source, child, false)),
        }
    }
    let text = trimmed(text);
    if !text.is_empty() {
        insert(&mut fields, "text".to_owned(), Value::String(text));
    }
    Value::Object(fields)
}
