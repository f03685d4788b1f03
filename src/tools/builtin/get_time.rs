//! `get_time`: the time in the companion's zone or another.

use chrono::{DateTime, Datelike, FixedOffset, Utc};
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
    let Some(now) = DateTime::from_timestamp_millis(context.now) else {
        return context.build_error(tools::time_unknown());
    };
    let zone = params.zone.as_deref().map(str::trim);
    let (now, zone) = match zone.filter(|name| !name.is_empty()) {
        None => to_zone(now, context.timezone()),
        Some(name) => match find_local_time(now, name) {
            Some(found) => found,
            None => return context.build_error(tools::no_time_zone(name)),
        },
    };
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
                zone,
            );
            text.in_language(context.language())
        }
    })
}

/// The time in a zone, and what that is called: with how far it is ahead of UTC, for an hour that clocks show twice, and
/// because the names `Etc/GMT+8` mean the opposite of what people read in them.
fn to_zone(now: DateTime<Utc>, zone: Tz) -> (DateTime<FixedOffset>, String) {
    let now = now.with_timezone(&zone).fixed_offset();
    let offset = now.format("UTC%:z");
    let named = match zone.name() {
        "UTC" | "Etc/UTC" => "UTC".to_owned(),
        name if name.starts_with("Etc/") => offset.to_string(),
        name => format!("{name}, {offset}"),
    };
    (now, named)
}

/// The time where a name says: a zone's IANA name in any case, the last part of it (`Tokyo`), or how far it is ahead of
/// UTC (`UTC+8`, `GMT-3:30`).
fn find_local_time(now: DateTime<Utc>, name: &str) -> Option<(DateTime<FixedOffset>, String)> {
    if let Some(offset) = parse_offset(name) {
        return Some((now.with_timezone(&offset), format!("UTC{offset}")));
    }
    find_zone(&name.replace(' ', "_")).map(|zone| to_zone(now, zone))
}

/// `UTC+8`, `gmt -03:30`, `+0530`: as people write them, more is further east.
fn parse_offset(name: &str) -> Option<FixedOffset> {
    let name = name.to_ascii_uppercase().replace([' ', ':'], "");
    let name = name.trim_start_matches("UTC").trim_start_matches("GMT");
    let (sign, digits) = match (name.strip_prefix('+'), name.strip_prefix(['-', '−'])) {
        (Some(digits), _) => (1, digits),
        (_, Some(digits)) => (-1, digits),
        (None, None) => return None,
    };
    let is_plain = (1..=4).contains(&digits.len()) && digits.bytes().all(|c| c.is_ascii_digit());
    let (hours, minutes) = match is_plain.then_some(digits.len())? {
        3.. => digits.split_at(digits.len() - 2),
        _ => (digits, "0"),
    };
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let is_on_earth = hours <= 14 && minutes < 60;
    is_on_earth.then(|| FixedOffset::east_opt(sign * (hours * 3_600 + minutes * 60)))?
}

fn find_zone(name: &str) -> Option<Tz> {
    if let Ok(zone) = name.parse() {
        return Some(zone);
    }
    let mut named = chrono_tz::TZ_VARIANTS.iter().filter(|zone| {
        let full = zone.name();
        full.eq_ignore_ascii_case(name)
            || full
                .rsplit('/')
                .next()
                .is_some_and(|city| city.eq_ignore_ascii_case(name))
    });
    named.next().copied()
}
