//! `recall`: full-text search over what was said where the readers of this channel can read, too.

use chrono::{Days, NaiveDate};
use chrono_tz::Tz;
use kith_language::{LocalizedMessage, tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Tool, ToolContext};
use kith_core::calendar::find_midnight;
use kith_core::call::{ToolKind, ToolResult};
use kith_core::context::{RecalledMessage, RecalledTalk};
use kith_core::recall::find_time_range;
use kith_memory::RecallQuestion;
use kith_store::SearchAuthor;

const MOST_FOUND: usize = 8;
const SHOWN_CHARACTERS: usize = 240;

#[derive(Deserialize, JsonSchema)]
struct Recall {
    query: String,
    speaker: Option<String>,
    since: Option<String>,
    until: Option<String>,
}

pub(super) fn tool() -> Tool {
    Tool::new("recall", ToolKind::Tool, tool_descriptions::recall(), run)
        .primary("query")
        .read_only()
}

async fn run(params: Recall, context: ToolContext) -> ToolResult {
    let zone = context.timezone();
    let (since, until) = match (
        parse_day("since", params.since),
        parse_day("until", params.until),
    ) {
        (Ok(since), Ok(until)) => (since, until),
        (Err(problem), _) | (_, Err(problem)) => return context.build_error(problem),
    };
    let given = |text: String| {
        Some(text.trim().trim_start_matches('@').to_owned()).filter(|text| !text.is_empty())
    };
    let question = RecallQuestion {
        period: find_time_range(&params.query, context.now, zone),
        now: Some(context.now),
        words: params.query,
        author: params.speaker.and_then(given).map(|name| {
            context
                .lines
                .find_person(&name)
                .map_or(SearchAuthor::Name(name), SearchAuthor::Id)
        }),
        from: since.and_then(|day| find_midnight(day, zone)),
        to: until.and_then(|day| find_midnight(day.checked_add_days(Days::new(1))?, zone)),
        limit: MOST_FOUND,
        ..RecallQuestion::default()
    };
    match context.memory.recall(&context.sources(), question).await {
        Ok(found) if found.is_empty() => {
            ToolResult::ok(tools::nothing_found().in_language(context.language()))
        }
        Ok(found) => ToolResult::ok(format_messages(&list_lines(&found), &context).join("\n")),
        Err(error) => {
            tracing::warn!(%error, "the history could not be searched for the model");
            context.build_error(tools::search_failed(error.to_string()))
        }
    }
}

/// The lines of talks, each once, oldest first.
fn list_lines(talks: &[RecalledTalk]) -> Vec<RecalledMessage> {
    let mut lines: Vec<RecalledMessage> = Vec::new();
    for line in talks.iter().flat_map(RecalledTalk::lines) {
        if !lines.contains(line) {
            lines.push(line.clone());
        }
    }
    lines.sort_by_key(|line| line.at);
    lines
}

/// A date filter; empty text counts as none.
fn parse_day(name: &str, text: Option<String>) -> Result<Option<NaiveDate>, LocalizedMessage> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Ok(None);
    };
    let date = text.trim().get(..10).unwrap_or(text.trim());
    match NaiveDate::parse_from_str(date, "%Y-%m-%d") {
        Ok(date) => Ok(Some(date)),
        Err(_) => Err(tools::no_date(name)),
    }
}

/// `2026-02-27 14:05 Anna: text` for each message.
pub(super) fn format_messages(found: &[RecalledMessage], context: &ToolContext) -> Vec<String> {
    let (zone, mut names) = (context.timezone(), context.lines.names());
    let mut lines = Vec::with_capacity(found.len());
    for message in found {
        if !names.is_demo_line(message.author, &message.text) {
            let name = names.resolve_quoted_name(message.author, &message.name);
            lines.push(format_message(message, &name, zone));
        }
    }
    lines
}

fn format_message(message: &RecalledMessage, name: &str, zone: Tz) -> String {
    let at = chrono::DateTime::from_timestamp_millis(message.at)
        .unwrap_or_default()
        .with_timezone(&zone);
    let mut text = message
        .text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if let Some((end, _)) = text.char_indices().nth(SHOWN_CHARACTERS) {
        text.truncate(end);
        text.push('…');
    }
    format!("{} {name}: {text}", at.format("%Y-%m-%d %H:%M"))
}
