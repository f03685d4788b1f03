//! Turns the tree of a call's element into a call: attributes, child elements and text become parameters.

use serde_json::{Map, Value};

use super::collected_calls::CollectedCalls;
use super::json::parse_document;
use super::json_calls;
use super::json_key::{extract_params, is_name_key};
use super::lenient_element::{Element, ElementNode, append_text};
use super::names::{self, TagMeaning, ToolNames};
use super::outside_text::split_fence;
use super::repair::Repair;
use super::{params, spelled_text};
use crate::call::ToolSpec;
use crate::schema::Param;
use kith_language::answer_problems;

/// HTML that people put into chat text; never a parameter.
const TEXT_MARKUP: &[&str] = &[
    "b", "i", "u", "s", "em", "strong", "code", "pre", "br", "p", "a", "span", "small", "big",
];

pub(super) fn read_named_call(
    written: &str,
    element: Element<'_>,
    names: &ToolNames,
    found: &mut CollectedCalls,
) {
    let tool = names.find_tool_spec(written);
    let params = read_params(element, tool, names, found);
    found.add_call(names, written, params);
}

/// The call of an element that names its tool in an attribute or a child: `<action name="…">`, `<invoke name="…">`,
/// `<function=…>`, `<action><name>…</name><params>…</params></action>`. The name alone waits for an element of parameters.
pub(super) fn read_generic_call(
    mut element: Element<'_>,
    names: &ToolNames,
    found: &mut CollectedCalls,
) {
    found.repairs.add(Repair::GenericCall);
    let is_name =
        |name: &str| name.is_empty() || is_name_key(name) || names::fold_name(name) == "type";
    let attribute = element
        .attributes
        .iter()
        .position(|(name, _)| is_name(name));
    let child = |node: &ElementNode<'_>| matches!(node, ElementNode::Element(child) if is_name(&child.name));
    let written = match (attribute, element.nodes.iter().position(child)) {
        (Some(place), _) => Some(element.attributes.remove(place).1),
        (None, Some(place)) => match element.nodes.remove(place) {
            ElementNode::Element(child) => Some(child.into_text()),
            ElementNode::Text(_) => None,
        },
        // `<tool_call>name<arg_key>…`: the name is the text before everything else.
        (None, None) => match element
            .nodes
            .first()
            .and_then(ElementNode::as_text)
            .map(str::trim)
        {
            Some(name) if names.find_tool_spec(name).is_some() => {
                let name = name.to_owned();
                element.nodes.remove(0);
                if element.nodes.is_empty() && element.attributes.is_empty() {
                    json_calls::add_pending_call(names, found);
                    found.pending_tool = Some(name);
                    return;
                }
                Some(name)
            }
            // The name on a line, and its parameters as JSON below.
            Some(text)
                if let Some((name, rest)) = text
                    .split_once(char::is_whitespace)
                    .filter(|(name, _)| names.find_tool(name).is_some()) =>
            {
                let inside = split_fence(rest).map_or(rest, |(inside, _)| inside);
                let params = params::read_params(name, inside.into(), names, found);
                return found.add_call(names, name, params);
            }
            _ => None,
        },
    };
    match written
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
    {
        Some(written) => read_named_call(&written, element, names, found),
        None => record_nameless_element(&element, found),
    }
}

fn record_nameless_element(element: &Element<'_>, found: &mut CollectedCalls) {
    let problem = answer_problems::nameless_element(names::shorten_name(&element.name));
    found.record_problem(Repair::UnreadableCall, problem);
}

/// The parameters of a call whose name stood in the element before.
pub(super) fn read_pending_call(
    element: Element<'_>,
    names: &ToolNames,
    found: &mut CollectedCalls,
) {
    match found.pending_tool.take() {
        Some(name) => read_named_call(&name, element, names, found),
        None => record_nameless_element(&element, found),
    }
}

fn read_params(
    element: Element<'_>,
    tool: Option<&ToolSpec>,
    names: &ToolNames,
    found: &mut CollectedCalls,
) -> Map<String, Value> {
    let has_text = element
        .nodes
        .iter()
        .any(|node| node.as_text().is_some_and(|text| !text.trim().is_empty()));
    let mut reader = ParamsReader {
        tool,
        names,
        found,
        given: Map::new(),
        text: String::new(),
        key: None,
        has_text,
    };
    for (name, value) in element.attributes {
        let name = resolve_param_name(tool, name);
        insert(&mut reader.given, name, Value::String(value));
    }
    for node in element.nodes {
        match node {
            ElementNode::Text(piece) => append_text(&mut reader.text, piece),
            ElementNode::Element(child) => reader.read_child(child),
        }
    }
    let (text, mut given) = (trim_in_place(reader.text), reader.given);
    take_text(text, &mut given, tool, found);
    given
}

struct ParamsReader<'a> {
    tool: Option<&'a ToolSpec>,
    names: &'a ToolNames,
    found: &'a mut CollectedCalls,
    given: Map<String, Value>,
    text: String,
    /// The key whose value comes next.
    key: Option<String>,
    has_text: bool,
}

impl ParamsReader<'_> {
    fn read_child(&mut self, mut child: Element<'_>) {
        let tool = self.tool;
        let known = names::has_param(tool, &child.name);
        let word = self.names.classify_name(&child.name);
        let folded = names::fold_name(&child.name).into_owned();
        if known {
            let name = resolve_param_name(tool, child.name.clone());
            let is_text = tool.is_some_and(|tool| names::is_text_param(tool, &name));
            self.insert_value(name, child, is_text);
        } else if folded == "argkey" {
            self.found.repairs.add(Repair::ProviderSyntax);
            self.key = Some(resolve_param_name(tool, trim_in_place(child.into_text())));
        } else if folded == "argvalue" {
            let name = self.key.take().unwrap_or_else(|| child.name.clone());
            self.insert_param(name, child);
        } else if matches!(word, TagMeaning::Think | TagMeaning::Thoughts) {
            self.found.add_thought(&child.written_inside());
        } else if names::is_params(&folded)
            || names::is_param(&folded) && child.attributes.is_empty()
        {
            self.found.repairs.add(Repair::ParamsPlace);
            let inner = read_params(child, tool, self.names, self.found);
            self.given.extend(inner);
        } else if names::is_param(&folded) {
            self.found.repairs.add(Repair::ProviderSyntax);
            let attributes = std::mem::take(&mut child.attributes);
            let is_name =
                |name: &str| matches!(&*names::fold_name(name), "" | "name" | "key" | "id");
            let name = attributes
                .into_iter()
                .find(|(name, _)| is_name(name))
                .map(|(_, value)| value);
            let name = resolve_param_name(tool, name.unwrap_or_else(|| child.name.clone()));
            self.insert_param(name, child);
        } else if TEXT_MARKUP.contains(&&*folded) || (tool.is_some() && self.has_text) {
            self.text.push_str(&child.written_whole());
        } else {
            self.insert_value(child.name.clone(), child, false);
        }
    }

    /// The value of a parameter; of an unknown tool it may be any text.
    fn insert_param(&mut self, name: String, child: Element<'_>) {
        let is_text = self
            .tool
            .is_none_or(|tool| names::is_text_param(tool, &name));
        self.insert_value(name, child, is_text);
    }

    fn insert_value(&mut self, name: String, child: Element<'_>, is_text: bool) {
        let value = read_value(child, is_text);
        insert(&mut self.given, name, value);
    }
}

/// The element's own text fills the primary parameter, unless it is the parameters written in another way.
fn take_text(
    text: String,
    params: &mut Map<String, Value>,
    tool: Option<&ToolSpec>,
    found: &mut CollectedCalls,
) {
    if text.is_empty() {
        return;
    }
    if text.starts_with('{')
        && text.ends_with('}')
        && let Some(Value::Object(fields)) = parse_document(&text, &mut found.repairs)
        && let Some(fields) = extract_params(fields, tool)
    {
        found.repairs.add(Repair::JsonInXml);
        params.extend(fields);
        return;
    }
    if let Some(named) = tool.and_then(|tool| spelled_text::parse_keywords(&text, tool)) {
        found.repairs.add(Repair::ParamsPlace);
        params.extend(named);
        return;
    }
    let primary = params::find_primary_param(tool);
    // The number of a line as text, where what usually stands there is an attribute.
    let is_free_line = |param: &&Param| {
        names::is_line_param_name(&param.name) && !params.contains_key(&param.name)
    };
    if params.contains_key(&primary)
        && text.parse::<u32>().is_ok()
        && let Some(line) = tool.and_then(|tool| tool.schema.params.iter().find(is_free_line))
    {
        params.insert(line.name.clone(), Value::String(text));
        return;
    }
    let takes_text =
        tool.is_none_or(|tool| tool.primary.is_some() || tool.schema.params.len() == 1);
    if !takes_text
        || params
            .get(&primary)
            .is_some_and(|given| given.as_str() != Some(&text))
    {
        return found.repairs.add(Repair::DroppedText);
    }
    params.insert(primary, Value::String(text));
}

fn resolve_param_name(tool: Option<&ToolSpec>, name: String) -> String {
    match tool.and_then(|tool| names::find_param(tool, &name)) {
        Some(param) if param.name != name => param.name.clone(),
        _ => name,
    }
}

fn trim_in_place(mut text: String) -> String {
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
fn read_value(element: Element<'_>, declared_text: bool) -> Value {
    let has_children = element
        .nodes
        .iter()
        .any(|node| matches!(node, ElementNode::Element(_)));
    if !has_children && element.attributes.is_empty() {
        return Value::String(trim_in_place(element.into_text()));
    }
    if declared_text && (has_children || !element.nodes.is_empty()) {
        return Value::String(trim_in_place(element.written_inside()));
    }
    let mut fields = Map::new();
    for (name, value) in element.attributes {
        insert(&mut fields, name, Value::String(value));
    }
    let mut text = String::new();
    for node in element.nodes {
        match node {
            ElementNode::Text(piece) => append_text(&mut text, piece),
            ElementNode::Element(child) => {
                insert(&mut fields, child.name.clone(), read_value(child, false))
            }
        }
    }
    let text = trim_in_place(text);
    if !text.is_empty() {
        insert(&mut fields, "text".to_owned(), Value::String(text));
    }
    Value::Object(fields)
}
