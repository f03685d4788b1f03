//! A command, a menu entry or a button as Discord tells of it, read from the raw JSON: who asks, what they may, what
//! they want, and how they are answered. Rights are taken from this very interaction, never from memory.

use kith_language::{LocalizedMessage, commands};
use std::collections::HashSet;

use serde_json::Value;

use super::buttons::{DestructiveAction, EmbedButton};
use super::json::read_id;
use super::request;
use kith_commands::{Caller, CommandRequest};
use kith_core::chat::{ChannelId, GuildId, UserId};
use kith_core::persona::Language;
use kith_core::secret::Secret;

const COMMAND: u64 = 2;
const COMPONENT: u64 = 3;

/// Discord's permission bits of which one makes a moderator. The owner of a guild has all of them.
const ADMINISTRATOR: u64 = 1 << 3;
const MANAGE_GUILD: u64 = 1 << 5;

/// The largest file Discord takes where it does not say, in bytes.
const LARGEST_FILE: u64 = 10 << 20;

#[derive(Clone, Debug)]
pub(super) struct Interaction {
    /// Its id; duplicates have the same.
    pub id: u64,
    pub application: u64,
    /// What answers are sent with, for 15 minutes.
    pub token: Secret,
    pub caller: Caller,
    pub wanted: InteractionRequest,
    pub reply_target: ReplyTarget,
    /// The largest file that can be attached, in bytes.
    pub largest_file: usize,
    /// The number of the turn or the proposal that it names: who gave it knows of it.
    pub number: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum InteractionRequest {
    Command(CommandRequest),
    /// This, but it is asked back first.
    Confirm(DestructiveAction),
    /// Nothing anybody else needs to know of: they are told this.
    Reply(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplyTarget {
    /// Into a message of its own that only the caller sees.
    New,
    /// In the place of the question that the pressed button stands below.
    InPlace,
}

impl Interaction {
    /// Whether each partition has a part of the answer: in a direct message somebody asks for what is kept everywhere.
    pub fn is_for_all_partitions(&self) -> bool {
        let is_export = self.wanted == InteractionRequest::Command(CommandRequest::ExportMe);
        is_export && self.caller.guild.is_none()
    }
}

/// Reads an `INTERACTION_CREATE`; none for what needs no answer or cannot be answered.
pub(super) fn parse_interaction(raw: &Value, operators: &HashSet<UserId>) -> Option<Interaction> {
    let (caller, data) = (parse_caller(raw, operators)?, &raw["data"]);
    let interaction = Interaction {
        id: read_id(&raw["id"])?,
        application: read_id(&raw["application_id"])?,
        token: Secret::new(raw["token"].as_str()?),
        wanted: InteractionRequest::Reply(String::new()),
        reply_target: ReplyTarget::New,
        largest_file: usize::try_from(
            raw["attachment_size_limit"]
                .as_u64()
                .unwrap_or(LARGEST_FILE),
        )
        .ok()?,
        number: None,
        caller,
    };
    match raw["type"].as_u64() {
        Some(COMMAND) => Some(resolve_command(interaction, data)),
        Some(COMPONENT) => Some(resolve_button(interaction, data["custom_id"].as_str()?)),
        _ => None,
    }
}

/// What of an interaction is read, without the message that a button stands below.
pub(super) fn keep_needed(raw: &Value) -> Value {
    let needed = |key: &str| key != "message" && key != "channel" && key != "guild";
    let fields = raw.as_object().into_iter().flatten();
    fields
        .filter(|(key, _)| needed(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

fn parse_caller(raw: &Value, operators: &HashSet<UserId>) -> Option<Caller> {
    let member = &raw["member"];
    let user = if member["user"].is_object() {
        &member["user"]
    } else {
        &raw["user"]
    };
    let name = [&member["nick"], &user["global_name"], &user["username"]]
        .into_iter()
        .find_map(Value::as_str);
    let permissions = read_id(&member["permissions"]).unwrap_or(0);
    let locale = raw["locale"].as_str().unwrap_or_default();
    let user = UserId(read_id(&user["id"])?);
    Some(Caller {
        user,
        name: name.unwrap_or_default().to_owned(),
        guild: read_id(&raw["guild_id"]).map(GuildId),
        channel: ChannelId(read_id(&raw["channel_id"])?),
        roles: member["roles"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(read_id)
            .collect(),
        moderator: permissions & (ADMINISTRATOR | MANAGE_GUILD) != 0,
        is_operator: operators.contains(&user),
        language: Language::from_locale(locale).unwrap_or_default(),
    })
}

fn resolve_command(interaction: Interaction, data: &Value) -> Interaction {
    let request = match request::parse_command(data, interaction.caller.language) {
        Ok(request) => match DestructiveAction::from_request(&request) {
            Some(what) => InteractionRequest::Confirm(what),
            None => InteractionRequest::Command(request),
        },
        Err(sentence) => InteractionRequest::Reply(sentence),
    };
    Interaction {
        wanted: request,
        ..interaction
    }
}

fn resolve_button(interaction: Interaction, id: &str) -> Interaction {
    let (me, language) = (interaction.caller.user, interaction.caller.language);
    let reply = |answer: LocalizedMessage| InteractionRequest::Reply(answer.in_language(language));
    let Some(button) = EmbedButton::from_id(id) else {
        let request = reply(commands::button_of_other_version());
        return Interaction {
            wanted: request,
            ..interaction
        };
    };
    if button.owner().is_some_and(|owner| owner != me) {
        return Interaction {
            wanted: reply(commands::question_for_somebody_else()),
            ..interaction
        };
    }
    let request = button.request().map_or_else(
        || reply(commands::nothing_changed()),
        InteractionRequest::Command,
    );
    let reply_target = if button.owner().is_some() {
        ReplyTarget::InPlace
    } else {
        ReplyTarget::New
    };
    Interaction {
        wanted: request,
        reply_target,
        number: button.number(),
        ..interaction
    }
}
