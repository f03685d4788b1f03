//! What a server lists: its tools as Kith's, named after it and kept to a bearable size.

use std::sync::Arc;

use rmcp::model::{
    ClientRequest, CustomResult, JsonObject, ListToolsRequest, PaginatedRequestParams,
    ServerResult, Tool as Theirs,
};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use kith_core::call::ToolAnnotations;
use kith_core::context::escape;
use kith_core::persona::Language;
use kith_language::{TranslatedText, custom_tools};

/// The most tools that are taken of one server, and the most pages that are read of its list.
const MOST_TOOLS: usize = 200;
const MOST_PAGES: usize = 50;
/// The longest name: providers of native calls take no longer one.
const NAME_CHARACTERS: usize = 64;
/// The longest description of a tool and of a parameter: they stand in prompts.
const DESCRIPTION_CHARACTERS: usize = 1_000;
const PARAMETER_CHARACTERS: usize = 300;
const VALUE_CHARACTERS: usize = 100;
/// The largest schema of one tool, in bytes.
const SCHEMA_BYTES: usize = 32 << 10;
/// The most characters of what a server says of itself: it stands in every prompt.
const NOTE_CHARACTERS: usize = 600;
/// What the tool that reads a server's resources is called there.
const RESOURCES: &str = "resources";
const DEEPEST: usize = 12;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct McpTool {
    pub name: String,
    /// Its name there; none for the tool that reads the server's resources.
    pub remote_name: Option<String>,
    pub annotations: ToolAnnotations,
    /// The JSON Schema of its parameters, with its own description.
    pub parameters: Value,
    /// What the server says of all of its tools, as one safe line.
    pub server_note: String,
}

#[derive(Default)]
pub(super) struct ServerList {
    tools: Vec<Theirs>,
    /// What of it could not be read.
    notes: Vec<String>,
    has_resources: bool,
    instructions: String,
}

pub(super) async fn fetch_tools(peer: &Peer<RoleClient>) -> Result<ServerList, ServiceError> {
    let (mut list, mut cursor) = (ServerList::default(), None);
    let about = peer.peer_info();
    let capabilities = about.as_ref().map(|about| &about.capabilities);
    if capabilities.is_some_and(|can| can.resources.is_some()) {
        // Many promise resources and have none.
        let first = peer.list_resources(None).await;
        list.has_resources = first.is_ok_and(|page| !page.resources.is_empty());
    }
    list.instructions = about
        .and_then(|about| about.instructions.clone())
        .unwrap_or_default();
    for _ in 0..MOST_PAGES {
        let page = PaginatedRequestParams::default().with_cursor(cursor.take());
        let request = ListToolsRequest {
            params: Some(page),
            ..ListToolsRequest::default()
        };
        cursor = match peer
            .send_request(ClientRequest::ListToolsRequest(request))
            .await?
        {
            ServerResult::ListToolsResult(page) => {
                list.tools.extend(page.tools);
                page.next_cursor
            }
            // One tool that is no tool makes a list of another kind.
            ServerResult::CustomResult(CustomResult(page)) => list.read_tools_one_by_one(&page)?,
            _ => return Err(ServiceError::UnexpectedResponse),
        };
        if cursor.is_none() || list.tools.len() > MOST_TOOLS {
            break;
        }
    }
    Ok(list)
}

impl ServerList {
    /// Takes the tools of a page that can be read; answers where the next begins.
    fn read_tools_one_by_one(&mut self, page: &Value) -> Result<Option<String>, ServiceError> {
        let tools = page.get("tools").and_then(Value::as_array);
        for tool in tools.ok_or(ServiceError::UnexpectedResponse)? {
            match Theirs::deserialize(tool) {
                Ok(tool) => self.tools.push(tool),
                Err(error) => {
                    let name = tool.get("name").and_then(Value::as_str).unwrap_or("?");
                    let why = to_safe_line(&error.to_string());
                    self.notes.push(build_left_out_note(name, &why));
                }
            }
        }
        let next = page.get("nextCursor").and_then(Value::as_str);
        Ok(next.map(str::to_owned))
    }
}

fn build_left_out_note(tool: &str, why: &str) -> String {
    let name = truncate_text(&to_safe_line(tool), 80);
    format!("its tool `{name}` is left out: {why}")
}

/// Those of them that are taken, in their order; `only` are their own names, all where it is empty. Also answers what is
/// to be told of it.
pub(super) fn select_tools(
    server: &str,
    list: ServerList,
    allowed_names: &[String],
) -> (Vec<McpTool>, Vec<String>) {
    let mut selected: Vec<McpTool> = Vec::new();
    let ServerList {
        tools: server_tools,
        mut notes,
        has_resources,
        instructions,
    } = list;
    let mut server_note = truncate_text(&to_safe_line(&instructions), NOTE_CHARACTERS);
    if !server_note.is_empty() {
        server_note = format!("{server}: {server_note}");
    }
    let has = |name: &String| {
        name == RESOURCES && has_resources || server_tools.iter().any(|tool| tool.name == *name)
    };
    let missing = allowed_names.iter().filter(|name| !has(name));
    notes.extend(missing.map(|name| format!("it has no tool `{name}`")));
    let takes_resources =
        allowed_names.is_empty() || allowed_names.iter().any(|name| name == RESOURCES);
    if has_resources && takes_resources {
        selected.push(build_resource_tool(server, &server_note));
    }
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
                notes.push(build_left_out_note(&tool.name, why));
                continue;
            }
        };
        let name = make_unique_name(build_tool_name(server, &tool.name), |name| {
            selected.iter().any(|other| other.name == name)
        });
        selected.push(McpTool {
            name,
            remote_name: Some(tool.name.to_string()),
            annotations: read_annotations(&tool),
            parameters,
            server_note: server_note.clone(),
        });
    }
    (selected, notes)
}

/// The tool that lists and reads what a server has to read.
fn build_resource_tool(server: &str, server_note: &str) -> McpTool {
    let mut parameters = json!({ "type": "object", "properties": { "uri": { "type": "string" } } });
    let told = custom_tools::resources_of(server);
    let mut description = TranslatedText::from(told.in_language(Language::default()));
    for language in Language::ALL {
        description.add(language, told.in_language(language));
    }
    for (field, text) in description.fields("description") {
        parameters[field] = text.into();
    }
    McpTool {
        name: build_tool_name(server, RESOURCES),
        remote_name: None,
        annotations: ToolAnnotations {
            read_only: true,
            idempotent: true,
            ..ToolAnnotations::default()
        },
        parameters,
        server_note: server_note.to_owned(),
    }
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
        title: truncate_text(&to_safe_line(&title), 80),
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
            truncate_text(&to_safe_line(description), DESCRIPTION_CHARACTERS).into(),
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
            text.chars().count() <= VALUE_CHARACTERS && *text == to_safe_line(text)
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
                        *text = truncate_text(&to_safe_line(text), PARAMETER_CHARACTERS)
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

/// One line that can stand in a prompt: a server's words are those of a stranger.
fn to_safe_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut line = String::new();
    escape::escape_line(&mut line, &words.join(" "), &|_| None);
    line
}

fn truncate_text(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}

#[cfg(test)]
#[path = "../../tests/inside/tool_list.rs"]
mod tests;
