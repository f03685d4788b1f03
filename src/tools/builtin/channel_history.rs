//! `channel_history`: pages back in this channel, beyond what the prompt shows.

use chrono::{DateTime, NaiveDateTime};
use chrono_tz::Tz;
use kith_language::{tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use super::recall::format_messages;
use crate::{Tool, ToolContext};
use kith_core::calendar;
use kith_core::call::{ToolKind, ToolResult};
use kith_core::chat::{Millis, SECOND};
use kith_core::context::RecalledMessage;
use kith_memory::{RecallQuestion, RecallSources};

const PAGE: usize = 20;
/// How a moment is written.
const FORM: &str = "%Y-%m-%d %H:%M:%S";

#[derive(Deserialize, JsonSchema)]
struct ChannelHistory {
    before: Option<String>,
}

pub(super) fn tool() -> Tool {
    Tool::new(
        "channel_history",
        ToolKind::Tool,
        tool_descriptions::channel_history(),
        run,
    )
    .describe_parameter("before", tool_descriptions::channel_history_before())
    .primary("before")
    .optional()
    .read_only()
}

async fn run(params: ChannelHistory, context: ToolContext) -> ToolResult {
    let zone = context.timezone();
    let to = match params
        .before
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(|text| parse_moment(text, zone))
    {
        Some(None) => {
            return context.build_error(tools::before_no_moment());
        }
        to => to.flatten(),
    };
    let sources = RecallSources {
        channels: vec![context.channel],
        ..context.sources()
    };
    match context
        .memory
        .recall(
            &sources,
            RecallQuestion {
                to,
                limit: PAGE,
                ..RecallQuestion::default()
            },
        )
        .await
    {
        Ok(found) if found.is_empty() => {
            ToolResult::ok(tools::nothing_older().in_language(context.language()))
        }
        Ok(found) => {
            let mut found: Vec<RecalledMessage> = found.into_iter().map(|talk| talk.hit).collect();
            found.sort_by_key(|message| message.at);
            let mut lines = format_messages(&found, &context);
            if let Some(oldest) = found.first().filter(|_| found.len() == PAGE) {
                // Up to a full second, so that nothing said in the same one is passed over.
                let before =
                    DateTime::from_timestamp_millis(oldest.at + SECOND - 1).unwrap_or_default();
                let before = before.with_timezone(&zone).format(FORM);
                let note = context.language();
                lines.insert(0, tools::older_before(before.to_string()).in_language(note));
            }
            ToolResult::ok(lines.join("\n"))
        }
        Err(error) => {
            tracing::warn!(%error, "a channel could not be read for the model");
            context.build_error(tools::channel_unreadable(error.to_string()))
        }
    }
}

/// A moment in a zone; seconds and the time may be left out.
fn parse_moment(text: &str, zone: Tz) -> Option<Millis> {
    let text = text.replace('T', " ");
    let whole = [
        text.clone(),
        format!("{text}:00"),
        format!("{text} 00:00:00"),
    ];
    let naive = whole
        .iter()
        .find_map(|text| NaiveDateTime::parse_from_str(text, FORM).ok())?;
    calendar::find_instants(naive, zone)[0]
}
