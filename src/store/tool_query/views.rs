//! What a query of a tool may see: views over the tables that hold only what the calling channel's readers can read, and
//! that read the tables as they are, so that what was erased is gone here, too.
//!
//! The scope is a small table of the query's own connection, filled by the program before the query is looked at. It is a
//! table and no function, for the planner then goes through each channel's index. A view reads its tables inside
//! [`INNER`]: SQLite names to the authorizer whoever reads a table, but it also takes a query's own `WITH messages AS …`
//! for a view of that name; the name of `INNER` holds a character that no query may hold. A table of which a view reads
//! nothing but the row's number is told a second time, without `INNER`: so each view reads a column of each of its tables.

use rusqlite::Connection;

use crate::values::params;
use kith_core::chat::{ChannelId, MessageId};

/// Who reads the tables, as the authorizer is told.
pub(crate) const INNER: &str = "\u{1}";

pub(crate) const TABLES: &[&str] = &[
    "channels",
    "core_memory",
    "json_each",
    "messages",
    "model_usage",
    "reach",
    "reach_key",
    "reactions",
    "tool_data",
    "turns",
];

/// The largest value a query takes or makes. Also how long one step may last: SQLite can be stopped only between steps,
/// and looking for one such text in another takes a quarter of a second.
pub(crate) const VALUE_BYTES: i32 = 100_000;

/// A report larger than this tells only when its turn was: a query holds no larger value.
const REPORT_BYTES: usize = VALUE_BYTES as usize;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryScope {
    /// The channels whose text everybody who reads the answer can read.
    pub channels: Vec<ChannelId>,
    /// Up to these messages, included, a channel is left out for good.
    pub after: Vec<(ChannelId, MessageId)>,
    /// Under which scope core memory and the data of tools are kept.
    pub key: String,
}

/// The views: name, columns, what they read. Times are milliseconds since 1970, UTC.
pub(crate) const VIEWS: &[(&str, &str, &str)] = &[
    (
        "channels",
        "id, name, topic, kind, parent",
        "SELECT c.id, c.name, c.topic, CASE c.kind WHEN 0 THEN 'group' WHEN 1 THEN 'thread' ELSE 'direct' END,
             (SELECT p.channel FROM temp.reach p WHERE p.channel = c.parent)
         FROM temp.reach r JOIN main.channels c ON c.id = r.channel AND c.kind >= 0",
    ),
    (
        "messages",
        "channel, id, at, author, name, kind, reply_to, edited, text",
        "SELECT m.channel, m.id, m.at, m.author, m.author_name, {kind m.author_kind}, m.reply_to, m.edited IS NOT NULL,
             m.text
         FROM temp.reach r JOIN main.messages m ON m.channel = r.channel AND m.id > r.after",
    ),
    (
        "people",
        "id, name, kind, messages, last_at",
        // Beside `max` a column is that of the row with the largest.
        "SELECT m.author, m.author_name, {kind m.author_kind}, count(*), max(m.at)
         FROM temp.reach r JOIN main.messages m ON m.channel = r.channel AND m.id > r.after GROUP BY m.author",
    ),
    (
        "reactions",
        "channel, message, author, name, kind, emoji, at",
        "SELECT e.channel, e.message, e.user, e.user_name, {kind e.user_kind}, e.emoji, e.at
         FROM temp.reach r JOIN main.reactions e ON e.channel = r.channel AND e.message > r.after",
    ),
    (
        "turns",
        "turn, channel, started, ended, woken_by, asked, outcome, rounds",
        "SELECT t.turn, t.channel, t.started, t.ended, CAST(t.report ->> '$.wake.author' AS INTEGER),
             t.report ->> '$.wake.address' IS NOT NULL OR json_array_length(t.report, '$.wake.addressed') > 0,
             CASE WHEN json_type(t.report, '$.outcome') = 'text' THEN t.report ->> '$.outcome'
                  WHEN json_type(t.report, '$.outcome.silent') IS NOT NULL THEN 'silent'
                  WHEN json_type(t.report, '$.outcome.failed') IS NOT NULL THEN 'failed' END,
             json_array_length(t.report, '$.rounds')
         FROM ({turns}) t",
    ),
    (
        "calls",
        "turn, channel, at, name, kind, is_error",
        // What is no tool is a word of the model's.
        "SELECT t.turn, t.channel, c.value ->> '$.at', c.value ->> '$.call.name', c.value ->> '$.kind',
             coalesce(c.value ->> '$.result.is_error', 0)
         FROM ({turns}) t, json_each(t.report, '$.rounds') o, json_each(o.value, '$.calls') c
         WHERE c.value ->> '$.kind' IS NOT NULL",
    ),
    (
        "spent",
        "at, channel, model, function, calls, prompt, cached, completion, cost",
        "SELECT s.at, s.channel, s.model, s.function, s.calls, s.prompt, s.cached, s.completion, s.cost
         FROM temp.reach r JOIN main.model_usage s ON s.channel = r.channel",
    ),
    (
        "notes",
        "label, text, updated_at",
        "SELECT n.label, n.text, n.updated_at FROM temp.reach_key k JOIN main.core_memory n ON n.scope = k.scope",
    ),
    (
        "tool_data",
        "key, value, at",
        "SELECT d.key, d.value, d.at FROM temp.reach_key k JOIN main.tool_data d ON d.scope = k.scope",
    ),
];

/// Makes the views on a connection of the query's own, for this reach.
pub(crate) fn create_views(conn: &Connection, reach: &QueryScope) -> rusqlite::Result<()> {
    conn.execute_batch(
        "CREATE TEMP TABLE reach (channel INTEGER PRIMARY KEY, after INTEGER NOT NULL) WITHOUT ROWID;
         CREATE TEMP TABLE reach_key (scope TEXT NOT NULL);",
    )?;
    let mut add = conn.prepare("INSERT OR REPLACE INTO temp.reach VALUES (?1, ?2)")?;
    for channel in &reach.channels {
        let after = reach
            .after
            .iter()
            .filter(|(of, _)| of == channel)
            .map(|(_, id)| *id)
            .max();
        add.execute(params![channel, after.unwrap_or(MessageId(0))])?;
    }
    conn.execute("INSERT INTO temp.reach_key VALUES (?1)", [&reach.key])?;
    VIEWS.iter().try_for_each(|(name, columns, reads)| {
        conn.execute_batch(&format_view(name, columns, reads))
    })
}

fn format_view(name: &str, columns: &str, reads: &str) -> String {
    let turns = format!(
        "SELECT turn, channel, started, ended, CASE WHEN octet_length(report) <= {REPORT_BYTES} THEN report END AS report
         FROM temp.reach JOIN main.turns USING (channel)"
    );
    let mut reads = reads.replace("{turns}", &turns);
    while let Some((before, rest)) = reads.split_once("{kind ")
        && let Some((column, after)) = rest.split_once('}')
    {
        let kind =
            "WHEN 0 THEN 'person' WHEN 1 THEN 'bot' WHEN 2 THEN 'webhook' ELSE 'companion' END";
        reads = format!("{before}CASE {column} {kind}{after}");
    }
    format!(
        "CREATE TEMP VIEW {name} ({columns}) AS WITH \"{INNER}\" AS ({reads}) SELECT * FROM \"{INNER}\""
    )
}
