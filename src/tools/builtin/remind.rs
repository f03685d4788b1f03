//! `remind`: something to be said at a moment, to somebody or to all. What a person asked for is said whatever the hour;
//! what the companion set itself waits like its other intentions.

use kith_language::{LocalizedMessage, tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{HostCommand, ReminderRequest, Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_core::chat::{AuthorKind, DAY, Millis};
use kith_core::intent::NOTE_CHARACTERS;
use kith_core::moment::find_given_moment;

const FURTHEST: Millis = 366 * DAY;

#[derive(Deserialize, JsonSchema)]
struct Remind {
    text: String,
    when: Option<String>,
    minutes: Option<String>,
    hours: Option<String>,
    line: Option<u16>,
}

pub(super) fn tool() -> Tool {
    Tool::new("remind", ToolKind::Quiet, tool_descriptions::remind(), run)
        .primary("text")
        .with_settler(resolve_moment)
}

/// The moment that is meant, with its date: `30` is another one by and by.
fn resolve_moment(
    params: &mut Map<String, Value>,
    context: &ToolContext,
) -> Result<(), LocalizedMessage> {
    let zone = context.timezone();
    let mut take = |name| Some(params.remove(name)?.as_str()?.to_owned());
    let given = [take("when"), take("minutes"), take("hours")];
    let when =
        find_given_moment(given.each_ref(), context.now, zone).ok_or_else(tools::no_moment)?;
    params.insert("when".into(), when.write_named(zone).into());
    Ok(())
}

async fn run(params: Remind, context: ToolContext) -> ToolResult {
    let zone = context.timezone();
    let given = [&params.when, &params.minutes, &params.hours];
    let Some(when) = find_given_moment(given, context.now, zone) else {
        return context.build_error(tools::no_moment());
    };
    let at = when.at;
    if at <= context.now || at > context.now + FURTHEST {
        return context.build_error(tools::when_too_far());
    }
    let text: String = params.text.trim().chars().take(NOTE_CHARACTERS).collect();
    if text.is_empty() {
        return context.build_error(tools::what_about());
    }
    let requester = match context.causes.as_slice() {
        [one] if one.kind == AuthorKind::Person => Some(one),
        _ => None,
    };
    let recipient = match params.line.map(|line| context.lines.get(line)).transpose() {
        Ok(line) => line.map(|line| &line.author).or(requester),
        Err(why) => return context.build_error(why),
    };
    let recipient = recipient
        .filter(|whom| whom.kind != AuthorKind::Companion)
        .map(|whom| (whom.id, whom.name.clone()));
    let reminder = ReminderRequest {
        at,
        text,
        recipient,
        asked_by: requester.map(|asked| asked.id),
    };
    match context
        .host
        .run_command(
            context.channel,
            context.authorization(),
            HostCommand::Remind(reminder),
        )
        .await
    {
        Ok(()) => ToolResult::ok(when.confirm(zone).in_language(context.language())),
        Err(why) => context.build_error(why),
    }
}
