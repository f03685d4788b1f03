//! `member_info`: what everybody in the channel can see of a member. Never whether they are online, and nothing from
//! elsewhere.

use chrono::DateTime;
use kith_language::{LocalizedMessage, lists, tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{MemberProfile, Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_core::chat::{Author, Millis};

#[derive(Deserialize, JsonSchema)]
struct MemberInfo {
    name: Option<String>,
    line: Option<u16>,
}

pub(super) fn tool() -> Tool {
    Tool::new(
        "member_info",
        ToolKind::Tool,
        tool_descriptions::member_info(),
        run,
    )
    .primary("name")
    .optional()
    .read_only()
}

async fn run(params: MemberInfo, context: ToolContext) -> ToolResult {
    let person = match find_member(&params, &context) {
        Ok(person) => person,
        Err(why) => return context.build_error(why),
    };
    match context.host.fetch_profile(context.channel, &person).await {
        Ok(profile) => ToolResult::ok(describe_member(&person, &profile, &context)),
        Err(why) => context.build_error(why),
    }
}

fn find_member(params: &MemberInfo, context: &ToolContext) -> Result<Author, LocalizedMessage> {
    if let Some(line) = params.line {
        return Ok(context.lines.get(line)?.author.clone());
    }
    let name = params
        .name
        .as_deref()
        .map(|name| name.trim().trim_start_matches('@'))
        .filter(|name| !name.is_empty());
    let name = name.ok_or_else(tools::say_who)?;
    let found = context
        .lines
        .find_by_name(name)
        .map(|line| line.author.clone())
        .or_else(|| context.host.find_person(context.channel, name));
    found.ok_or_else(|| tools::nobody_of_that_name(name))
}

fn describe_member(person: &Author, profile: &MemberProfile, context: &ToolContext) -> String {
    let zone = context.timezone();
    let day = |at: Millis| {
        let at = DateTime::from_timestamp_millis(at)
            .unwrap_or_default()
            .with_timezone(&zone);
        at.format("%Y-%m-%d").to_string()
    };
    let mut parts = vec![context.lines.names().shown(person.id, &profile.name)];
    let language = context.language();
    let mut add = |part: LocalizedMessage| parts.push(part.in_language(language));
    if let Some(account) = &profile.account {
        add(tools::member_account(account));
    }
    if profile.is_bot {
        add(tools::member_is_bot());
    }
    if !profile.roles.is_empty() {
        let roles = profile
            .roles
            .join(&lists::separator().in_language(language));
        add(tools::member_roles(roles));
    }
    if let Some(joined) = profile.joined.map(day) {
        add(tools::member_joined(joined));
    }
    if let Some(made) = profile.made.map(day) {
        add(tools::member_made(made));
    }
    parts.join(&lists::semicolon().in_language(language))
}
