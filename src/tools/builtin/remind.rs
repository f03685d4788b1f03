//! `remind`: something to be said at a moment, to somebody or to all. What a person asked for is said whatever the hour;
//! what the companion set itself waits like its other intentions.

use chrono::{DateTime, NaiveDateTime};
use chrono_tz::Tz;
use kith_language::{LocalizedMessage, tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{HostCommand, ReminderRequest, Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};
use kith_core::chat::{AuthorKind, DAY, MINUTE, Millis};
use kith_core::daily_hours;
use kith_core::daily_hours::parse_clock;
use kith_core::intent::NOTE_CHARACTERS;

/// The furthest a reminder can be away.
const FURTHEST: Millis = 366 * DAY;
/// How a moment is written.
const FORM: &str = "%Y-%m-%d %H:%M";

#[derive(Deserialize, JsonSchema)]
struct Remind {
    text: String,
    when: String,
    line: Option<u16>,
}

/// `remind`.
pub(super) fn tool() -> Tool {
    Tool::new("remind", ToolKind::Quiet, tool_descriptions::remind(), run)
        .primary("text")
        .optional()
        .with_settler(resolve_moment)
}

/// The moment that is meant, with its date: `30` is another one by and by.
fn resolve_moment(
    params: &mut Map<String, Value>,
    context: &ToolContext,
) -> Result<(), LocalizedMessage> {
    let zone = context.timezone();
    let when = params
        .get("when")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let at = parse_moment(when, context.now, zone).ok_or_else(no_moment_error)?;
    params.insert("when".into(), format_moment(at, zone).into());
    Ok(())
}

async fn run(params: Remind, context: ToolContext) -> ToolResult {
    let zone = context.timezone();
    let Some(at) = parse_moment(&params.when, context.now, zone) else {
        return context.build_error(no_moment_error());
    };
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
        Ok(()) => {
            let at = format_moment(at, zone);
            ToolResult::ok(tools::noted_for(at).in_language(context.language()))
        }
        Err(why) => context.build_error(why),
    }
}

fn format_moment(at: Millis, zone: Tz) -> String {
    DateTime::from_timestamp_millis(at)
        .unwrap_or_default()
        .with_timezone(&zone)
        .format(FORM)
        .to_string()
}

/// What is said of a moment that cannot be read.
fn no_moment_error() -> LocalizedMessage {
    tools::no_moment()
}

/// A moment by minutes from now, by the next time a clock shows it, or by its date.
fn parse_moment(when: &str, now: Millis, zone: Tz) -> Option<Millis> {
    let when = when.trim().replace('T', " ");
    if let Ok(minutes) = when.parse::<u32>() {
        return Some(now + Millis::from(minutes) * MINUTE);
    }
    if let Some(time) = parse_clock(&when) {
        return daily_hours::find_next_time(now, time, zone);
    }
    let naive = NaiveDateTime::parse_from_str(when.get(..16)?, FORM).ok()?;
    Some(
        naive
            .and_local_timezone(zone)
            .earliest()?
            .timestamp_millis(),
    )
}
