//! `get_time`: the time in the companion's zone or another.

use chrono::{DateTime, Datelike};
use chrono_tz::Tz;
use kith_language::{tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};

#[derive(Deserialize, JsonSchema)]
struct GetTime {
    zone: Option<String>,
    format: Option<Format>,
}

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    #[default]
    Readable,
    Iso,
    Timestamp,
}

/// `get_time`.
pub(super) fn tool() -> Tool {
    Tool::new(
        "get_time",
        ToolKind::Tool,
        tool_descriptions::get_time(),
        run,
    )
    .describe_parameter("zone", tool_descriptions::get_time_zone())
    .primary("zone")
    .read_only()
}

async fn run(params: GetTime, context: ToolContext) -> ToolResult {
    let zone = match params
        .zone
        .as_deref()
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        None => context.timezone(),
        Some(name) => match find_zone(name) {
            Some(zone) => zone,
            None => {
                return context.build_error(tools::no_time_zone(name));
            }
        },
    };
    let Some(now) = DateTime::from_timestamp_millis(context.now) else {
        return context.build_error(tools::time_unknown());
    };
    let now = now.with_timezone(&zone);
    ToolResult::ok(match params.format.unwrap_or_default() {
        Format::Timestamp => now.timestamp().to_string(),
        Format::Iso => now.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
        Format::Readable => {
            let text = tools::time_now(
                now.day(),
                now.month(),
                now.format("%H:%M").to_string(),
                now.weekday().number_from_monday(),
                now.year().to_string(),
                zone.name(),
            );
            text.in_language(context.language())
        }
    })
}

/// A zone by its IANA name in any case, or by the last part of it (`Tokyo`).
fn find_zone(name: &str) -> Option<Tz> {
    let name = name.replace(' ', "_");
    if let Ok(zone) = name.parse() {
        return Some(zone);
    }
    let mut named = chrono_tz::TZ_VARIANTS.iter().filter(|zone| {
        let full = zone.name();
        full.eq_ignore_ascii_case(&name)
            || full
                .rsplit('/')
                .next()
                .is_some_and(|city| city.eq_ignore_ascii_case(&name))
    });
    named.next().copied()
}
