//! What the simulated companion is set up with: a channel, its settings, people and tools.

use std::sync::Arc;

use kith_core::call::{ToolKind, ToolSpec};
use kith_core::chat::{Author, AuthorKind, Channel, ChannelId, ChannelKind, UserId};
use kith_core::persona::Persona;
use kith_core::policy::{ChannelPolicy, PacingSettings};
use kith_core::schema::{Param, ParamType, Schema};

pub fn channel(id: u64) -> Channel {
    Channel {
        id: ChannelId(id),
        guild: None,
        name: "den".into(),
        topic: "".into(),
        kind: ChannelKind::Group,
        parent: None,
    }
}

pub fn policy() -> ChannelPolicy {
    let persona = Persona {
        name: "Juno".into(),
        ..Persona::default()
    };
    ChannelPolicy {
        persona: Arc::new(persona),
        names: vec!["Juno".into()],
        pacing: PacingSettings {
            characters_per_second: 0.0,
            ..PacingSettings::default()
        },
        tools: Arc::from(tools()),
        ..ChannelPolicy::default()
    }
}

/// Somebody, with an id made of the name.
pub fn author(who: &str, kind: AuthorKind) -> Author {
    let id = who.bytes().fold(7u64, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    Author {
        id: UserId(id),
        name: who.into(),
        kind,
    }
}

fn param(name: &str, kind: ParamType, required: bool) -> Param {
    Param {
        name: name.into(),
        kind,
        required,
        ..Param::default()
    }
}

fn tools() -> Vec<ToolSpec> {
    let spec = |name: &str, kind, params: Vec<Param>, primary: Option<&str>| ToolSpec {
        name: name.into(),
        kind,
        description: String::new(),
        schema: Schema { params },
        primary: primary.map(str::to_owned),
        ..ToolSpec::default()
    };
    use ParamType::{Integer, String as Text};
    vec![
        spec(
            "send_message",
            ToolKind::Visible,
            vec![param("text", Text, true), param("reply_to", Integer, false)],
            Some("text"),
        ),
        spec(
            "react",
            ToolKind::Visible,
            vec![param("to", Integer, true), param("emoji", Text, true)],
            Some("emoji"),
        ),
        spec(
            "stay_silent",
            ToolKind::Visible,
            vec![param("reason", Text, false)],
            Some("reason"),
        ),
        spec("get_time", ToolKind::Tool, vec![], None),
        spec(
            "core_memory_append",
            ToolKind::Quiet,
            vec![param("text", Text, true)],
            Some("text"),
        ),
        spec(
            "wait_for",
            ToolKind::Quiet,
            vec![
                param("note", Text, true),
                param("person", Text, false),
                param("word", Text, false),
                param("minutes", Text, false),
                param("time", Text, false),
                param("hours", Text, false),
            ],
            Some("note"),
        ),
    ]
}
