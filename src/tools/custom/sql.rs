//! Tools of the kind `sql`: one statement that reads, written by the host, over views of what the companion keeps. The
//! model gives values for its parameters and nothing else; which channels it sees is said by the program.

use kith_language::{LocalizedMessage, custom_tools};
use std::time::Duration;

use chrono::{DateTime, Offset, TimeZone};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::definition_fault::DefinitionFault;
use crate::ToolContext;
use kith_core::call::ToolResult;
use kith_store::{QueryRows, QueryScope, ToolQuery, check_query};

/// The most rows a query may answer with, and how many it does where nothing says so.
pub(super) const MOST_ROWS: usize = 500;
const ROWS: usize = 50;
/// The most bytes of all rows: a multiple of what a model is shown.
const BYTES: usize = 64 << 10;
/// The longest a query may run, and how long it does where nothing says so.
const MOST_SECONDS: f32 = 8.0;
const SECONDS: f32 = 2.0;
/// The values that the program fills in: the time in milliseconds since 1970, the channel, and how many seconds the
/// companion's clock is ahead of UTC.
const OFFERED: [&str; 3] = ["now", "channel", "utc_offset"];

/// `[NAME.sql]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SqlTool {
    /// One statement that reads. `:name` stands for the parameter of that name.
    pub query: String,
    pub max_rows: usize,
    pub max_seconds: f32,
}

impl Default for SqlTool {
    fn default() -> Self {
        Self {
            query: String::new(),
            max_rows: ROWS,
            max_seconds: SECONDS,
        }
    }
}

impl SqlTool {
    pub(super) fn find_problems(&self, names: &[&str]) -> Vec<DefinitionFault> {
        let mut wrong = Vec::new();
        if !(1..=MOST_ROWS).contains(&self.max_rows) {
            let message = format!("`max_rows` is {}", self.max_rows);
            wrong.push(DefinitionFault::new(
                "sql.max_rows",
                message,
                format!("write 1 to {MOST_ROWS}"),
            ));
        }
        if !(0.05..=MOST_SECONDS).contains(&self.max_seconds) {
            let message = format!("`max_seconds` is {}", self.max_seconds);
            wrong.push(DefinitionFault::new(
                "sql.max_seconds",
                message,
                format!("write 0.05 to {MOST_SECONDS}"),
            ));
        }
        for name in names.iter().filter(|name| OFFERED.contains(name)) {
            let message = format!("`:{name}` is filled in by kith");
            wrong.push(DefinitionFault::new(
                format!("parameters.{name}"),
                message,
                "call the parameter otherwise, or remove it",
            ));
        }
        let problems = check_query(&self.query, names, &OFFERED);
        let cure = "mend the query; docs/TOOLS.md lists the views and their columns";
        wrong.extend(
            problems
                .into_iter()
                .map(|problem| DefinitionFault::new("sql.query", problem.to_string(), cure)),
        );
        wrong
    }

    /// Asks with these values, and answers for the model.
    pub(super) async fn run(&self, params: Map<String, Value>, context: ToolContext) -> ToolResult {
        match self.ask(params, &context).await {
            Ok(rows) => to_tool_result(rows, &context),
            Err(why) => context.build_error(why),
        }
    }

    /// Asks with these values, about what everybody here can read.
    pub(super) async fn ask(
        &self,
        params: Map<String, Value>,
        context: &ToolContext,
    ) -> Result<QueryRows, LocalizedMessage> {
        let sources = context.sources();
        let reach = QueryScope {
            channels: sources.channels,
            after: sources
                .begins_after
                .map(|id| (sources.here, id))
                .into_iter()
                .collect(),
            key: context.scope().to_string(),
        };
        // First, for of two values with one name the first is bound.
        let offered = [
            json!(context.now),
            json!(context.channel.0),
            json!(utc_offset(context)),
        ];
        let offered = OFFERED.into_iter().map(str::to_owned).zip(offered);
        let query = ToolQuery {
            sql: self.query.as_str().into(),
            params: offered.chain(params).collect(),
            reach,
            rows: self.max_rows.min(MOST_ROWS),
            bytes: BYTES,
            time: Duration::try_from_secs_f32(self.max_seconds.min(MOST_SECONDS))
                .unwrap_or_default(),
        };
        Ok(context.store.query(query).await??)
    }
}

/// How many seconds the companion's clock is ahead of UTC.
fn utc_offset(context: &ToolContext) -> i32 {
    let now = DateTime::from_timestamp_millis(context.now)
        .unwrap_or_default()
        .naive_utc();
    context
        .timezone()
        .offset_from_utc_datetime(&now)
        .fix()
        .local_minus_utc()
}

/// The names of the columns, then a row a line, as JSON lists: what is in them cannot be taken for another row.
fn to_tool_result(answer: QueryRows, context: &ToolContext) -> ToolResult {
    let QueryRows {
        columns,
        rows,
        is_cut,
    } = answer;
    let details = Some(json!({ "columns": columns, "rows": rows, "is_cut": is_cut }));
    let mut lines: Vec<String> = rows.iter().map(|row| json!(row).to_string()).collect();
    lines.insert(0, json!(columns).to_string());
    if is_cut {
        let cut = custom_tools::more_rows().in_language(context.language());
        lines.push(cut.to_owned());
    } else if rows.is_empty() {
        lines = vec![custom_tools::no_rows().in_language(context.language())];
    }
    ToolResult {
        details,
        ..ToolResult::ok(lines.join("\n"))
    }
}
