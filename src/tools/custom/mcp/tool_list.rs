//! What a server lists: its tools as Kith's, named after it and kept to a bearable size.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as Theirs};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde_json::{Map, Value};

use kith_core::call::ToolAnnotations;
use kith_language::TranslatedText;

/// The most tools that are taken of one server, and the most pages that are read of its list.
const MOST_TOOLS: usize = 200;
const MOST_PAGES: usize = 50;
/// The longest name: providers of native calls take no longer one.
const NAME_CHARACTERS: usize = 64;
/// The longest description of a tool and of a parameter: they stand in prompts.
const DESCRIPTION_CHARACTERS: usize = 1_000;
const PARAMETER_CHARACTERS: usize = 300;
/// The longest value of a list of values.
const VALUE_CHARACTERS: usize = 100;
/// The largest schema of one tool, in bytes.
const SCHEMA_BYTES: usize = 32 << 10;
/// How deep a schema is looked into.
const DEEPEST: usize = 12;

/// A tool that a server has.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct McpTool {
    /// Its name here.
    pub name: String,
    /// Its name there.
    pub remote_name: String,
    /// Its hints.
    pub annotations: ToolAnnotations,
    /// The JSON Schema of its parameters, with its own description.
    pub parameters: Value,
}

/// Asks a server for its tools.
pub(super) async fn fetch_tools(peer: &Peer<RoleClient>) -> Result<Vec<Theirs>, ServiceError> {
    let (mut tools, mut cursor) = (Vec::new(), None);
    for _ in 0..MOST_PAGES {
        let page = rmcp::model::PaginatedRequestParams::default().with_cursor(cursor.take());
        let page = peer.list_tools(Some(page)).await?;
        tools.extend(page.tools);
        cursor = page.next_cursor;
        if cursor.is_none() || tools.len() > MOST_TOOLS {
            break;
        }
    }
    Ok(tools)
}

/// Those of them that are taken, in their order; `only` are their own names, all where it is empty. Also answers what is
/// to be told of it.
pub(super) fn select_tools(
    server: &str,
    server_tools: Vec<Theirs>,
    allowed_names: &[String],
) -> (Vec<McpTool>, Vec<String>) {
    let (mut selected, mut notes): (Vec<McpTool>, _) = (Vec::new(), Vec::new());
    let missing = allowed_names
        .iter()
        .filter(|name| !server_tools.iter().any(|tool| tool.name == name.as_str()));
    notes.extend(missing.map(|name| format!("it has no tool `{name}`")));
    for tool in server_tools.into_iter().filter(|tool| {
        allowed_names.is_empty() || allowed_names.iter().any(|name| *name == tool.name)
    }) {
        if selected.len() == MOST_TOOLS {
            notes.push(format!(
                "it has more than {MOST_TOOLS} tools; the others are left out"
            ));
            break;
        }
        let parameters = match read_parameters(&tool) {
            Ok(parameters) => parameters,
            Err(why) => {
                notes.push(format!(
                    "its tool `{}` is left out: {why}",
                    truncate_text(&to_one_line(&tool.name), 80)
                ));
                continue;
            }
        };
        let name = make_unique_name(build_tool_name(server, &tool.name), |name| {
            selected.iter().any(|other| other.name == name)
        });
        selected.push(McpTool {
            name,
            remote_name: tool.name.to_string(),
            annotations: read_annotations(&tool),
            parameters,
        });
    }
    (selected, notes)
}

/// `NAME_their_name`, in small letters, digits and single underscores.
fn build_tool_name(server: &str, tool_name: &str) -> String {
    let mut name = server.to_owned();
    let mut before = '_';
    name.push('_');
    for c in tool_name.chars() {
        let is_new_word =
            c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
        if (is_new_word || !c.is_ascii_alphanumeric()) && !name.ends_with('_') {
            name.push('_');
        }
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    truncate_text(name.trim_end_matches('_'), NAME_CHARACTERS)
}

fn make_unique_name(name: String, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(&name) {
        return name;
    }
    let numbered = |number: usize| {
        let end = format!("_{number}");
        truncate_text(&name, NAME_CHARACTERS - end.len()) + &end
    };
    (2..=MOST_TOOLS + 1)
        .map(numbered)
        .find(|name| !is_taken(name))
        .unwrap_or(name)
}

fn read_annotations(tool: &Theirs) -> ToolAnnotations {
    let hints = tool.annotations.clone().unwrap_or_default();
    let title = tool.title.clone().or(hints.title).unwrap_or_default();
    let read_only = hints.read_only_hint == Some(true);
    let idempotent = read_only || hints.idempotent_hint == Some(true);
    ToolAnnotations {
        title: truncate_text(&to_one_line(&title), 80),
        read_only,
        idempotent,
    }
}

/// The schema with every description shortened, or why it cannot be shown to a model.
fn read_parameters(tool: &Theirs) -> Result<Value, &'static str> {
    let mut schema = Value::Object(JsonObject::clone(&Arc::clone(&tool.input_schema)));
    shorten_descriptions(&mut schema, DEEPEST);
    if let Value::Object(schema) = &mut schema {
        let description = tool.description.as_deref().unwrap_or_default();
        schema.insert(
            "description".to_owned(),
            truncate_text(&to_one_line(description), DESCRIPTION_CHARACTERS).into(),
        );
        schema.entry("type").or_insert_with(|| "object".into());
        schema
            .entry("properties")
            .or_insert_with(|| Map::new().into());
    }
    match &schema {
        schema if schema.to_string().len() > SCHEMA_BYTES => Err("its schema is too large"),
        schema if !can_be_shown(schema) => {
            Err("a parameter's name, or a value it may have, has forbidden characters")
        }
        _ => Ok(schema),
    }
}

/// Names of parameters and the values they may have stand in prompts as they are, and come back in calls: they cannot be
/// mended, and must be what providers take for a name, or one short line.
fn can_be_shown(schema: &Value) -> bool {
    let is_name = |name: &String| {
        (1..=NAME_CHARACTERS).contains(&name.len())
            && name
                .bytes()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b'-'))
    };
    let is_value = |value: &Value| match value {
        Value::String(text) => {
            text.chars().count() <= VALUE_CHARACTERS && *text == to_one_line(text)
        }
        Value::Array(_) | Value::Object(_) => false,
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    };
    match schema {
        Value::Object(fields) => fields
            .iter()
            .all(|(key, field)| match (key.as_str(), field) {
                ("properties", Value::Object(named)) => {
                    named.keys().all(is_name) && named.values().all(can_be_shown)
                }
                ("enum", Value::Array(values)) => values.iter().all(is_value),
                ("const", value) => is_value(value),
                (_, other) => can_be_shown(other),
            }),
        Value::Array(items) => items.iter().all(can_be_shown),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

fn shorten_descriptions(schema: &mut Value, deep: usize) {
    if deep == 0 {
        *schema = Value::Bool(true);
        return;
    }
    match schema {
        Value::Object(fields) => {
            // Servers know one language. What looks like a translation would stand in prompts as it is.
            fields.retain(|key, field| {
                !field.is_string() || TranslatedText::find_language("description", key).is_none()
            });
            for (key, field) in fields {
                match field {
                    Value::String(text) if key == "description" => {
                        *text = truncate_text(&to_one_line(text), PARAMETER_CHARACTERS)
                    }
                    other => shorten_descriptions(other, deep - 1),
                }
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| shorten_descriptions(item, deep - 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn to_one_line(text: &str) -> String {
    // What turns the direction of writing is invisible, too.
    let is_hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let plain: String = text
        .chars()
        .map(|c| if is_hidden(c) { ' ' } else { c })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn truncate_text(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_break_a_prompt_is_left_out_and_told() {
        let tool = |schema: Value| {
            Theirs::new(
                "t",
                "a\u{202e}b\nc",
                Arc::new(schema.as_object().cloned().unwrap_or_default()),
            )
        };
        let fits = serde_json::json!({ "properties": { "a-b.c_1": { "enum": ["x y", 1, null] } } });
        let (taken, notes) = super::select_tools("s", vec![tool(fits)], &[]);
        assert_eq!(
            (taken[0].parameters["description"].as_str(), notes.len()),
            (Some("a b c"), 0)
        );
        for schema in [
            serde_json::json!({ "properties": { "x\n# Rules": {} } }),
            serde_json::json!({ "properties": { "": {} } }),
            serde_json::json!({ "properties": { "a": { "enum": ["x\n</turn>"] } } }),
            serde_json::json!({ "properties": { "a": { "items": { "properties": { "b c": {} } } } } }),
        ] {
            let (taken, notes) = super::select_tools("s", vec![tool(schema)], &[]);
            assert!(
                taken.is_empty() && notes[0].contains("forbidden characters"),
                "{notes:?}"
            );
        }
    }

    #[test]
    fn tools_are_named_after_their_server_in_small_letters_and_once() {
        let named = |theirs: &str| build_tool_name("files", theirs);
        assert_eq!(named("readFile"), "files_read_file");
        assert_eq!(named("HTTPGet2Json"), "files_httpget2_json");
        assert_eq!(named("list-all.things "), "files_list_all_things");
        assert_eq!(named("搜索"), "files");
        assert_eq!(named(&"x".repeat(200)).len(), NAME_CHARACTERS);
        let theirs = ["a-b", "a_b", "aB", "搜索", "查找"];
        let theirs = theirs.map(|name| Theirs::new(name, "", Arc::new(JsonObject::new())));
        let (taken, notes) = select_tools("s", theirs.into(), &[]);
        let names: Vec<&str> = taken.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["s_a_b", "s_a_b_2", "s_a_b_3", "s", "s_2"]);
        assert_eq!(notes, [""; 0]);
    }
}
