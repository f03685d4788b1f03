//! What a program reads on its standard input: one JSON object, never a secret in it.

use chrono::{DateTime, SecondsFormat};
use serde_json::{Map, Value, json};

use super::super::session_event::SessionEvent;
use crate::ToolContext;

pub(super) fn build_call_input(
    name: &str,
    params: &Map<String, Value>,
    shared: Map<String, Value>,
    context: &ToolContext,
) -> Value {
    let mut input = build_base_input(name, shared, context);
    input.insert("arguments".to_owned(), params.clone().into());
    input.insert("approved".to_owned(), context.approved.is_some().into());
    input.into()
}

/// What it reads when something happened to a session.
pub(super) fn build_event_input(
    name: &str,
    event: SessionEvent,
    about: &Value,
    shared: Map<String, Value>,
    context: &ToolContext,
) -> Value {
    let mut input = build_base_input(name, shared, context);
    input.insert("event".to_owned(), json!({ "name": event, "about": about }));
    input.into()
}

fn build_base_input(
    name: &str,
    shared: Map<String, Value>,
    context: &ToolContext,
) -> Map<String, Value> {
    // Ids as text: many languages read large numbers as floats.
    let id = |id: u64| Value::from(id.to_string());
    let server = context
        .host
        .server(context.channel)
        .map(|server| server.name.to_string());
    let asked_by: Vec<&str> = context.causes.iter().map(|person| &*person.name).collect();
    let now = DateTime::from_timestamp_millis(context.now).unwrap_or_default();
    let now = now
        .with_timezone(&context.timezone())
        .to_rfc3339_opts(SecondsFormat::Secs, false);
    let input = json!({
        "tool": name,
        "session": {
            "channel": id(context.channel.0),
            "parent": context.parent.map(|parent| id(parent.0)),
            "guild": context.guild.map(|guild| id(guild.0)),
            "server": server,
            "direct": context.is_direct,
            "asked_by": asked_by,
            "companion": context.persona.name,
        },
        "model": { "name": &*context.model, "tokens_left": context.tokens_left },
        "shared": shared,
        "language": context.language().code(),
        "now": now,
        "timezone": context.timezone().name(),
    });
    if let Value::Object(input) = input {
        input
    } else {
        Map::new()
    }
}
