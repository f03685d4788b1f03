//! What model calls took: one row a call, with when, where, what for, which model, tokens and money. It names no person
//! and holds no text, so that nothing of it is ever to be forgotten.

use std::path::Path;

use chrono::{DateTime, NaiveDate};

use crate::error::StoreError;
use crate::handle::DatabasePlace;
use crate::history::read_channels;
use crate::migration_mark;
use crate::setup::server;
use crate::sql::{SqlConnection, SqlError, SqlResult};
use crate::sqlite::connection::connect_reading;
use crate::sqlite::schema;
use crate::values::{ReadRow, params};
use kith_core::chat::{Channel, ChannelId, DAY, Millis};
use kith_core::report::TokenUsage;

#[derive(Clone, Debug, PartialEq)]
pub struct ModelSpend {
    pub at: Millis,
    pub model: String,
    /// Where; 0 for no channel.
    pub channel: ChannelId,
    /// What for: `turn`, or the name of a side task.
    pub function: String,
    pub usage: TokenUsage,
    /// Money, in that of the prices at that time; 0 where none was set.
    pub cost: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct UsageRow {
    /// The day budgets count by.
    pub day: NaiveDate,
    pub model: String,
    pub channel: ChannelId,
    /// What for: `turn`, or the name of a side task.
    pub function: String,
    pub calls: u64,
    pub prompt: u64,
    /// Of these, from the provider's cache.
    pub cached: u64,
    pub completion: u64,
    pub cost: f64,
}

/// What was spent from one day to another, both included, and the channels it names, read beside a Kith that may be
/// running.
///
/// # Errors
/// There is no database of this format. Not for async code.
pub fn read_usage(
    place: &DatabasePlace,
    first: NaiveDate,
    last: NaiveDate,
) -> Result<(Vec<UsageRow>, Vec<Channel>), StoreError> {
    let (conn, path) = match place {
        DatabasePlace::File(path) => (connect_reading(path)?.into(), path.clone()),
        DatabasePlace::Server(address) => server::connect_beside(address)?,
    };
    read_usage_of(&conn, &path, first, last)
}

fn read_usage_of(
    conn: &SqlConnection,
    path: &Path,
    first: NaiveDate,
    last: NaiveDate,
) -> Result<(Vec<UsageRow>, Vec<Channel>), StoreError> {
    let explain = |error: SqlError| StoreError::explain(error, path);
    if let Some(conn) = conn.as_sqlite() {
        schema::check_version(conn, path)?;
        migration_mark::refuse_unfinished(
            migration_mark::find_in_file(conn).map_err(|error| explain(error.into()))?,
            path,
        )?;
    }
    let rows = read_usage_rows(conn, first, last).map_err(explain)?;
    let channels = read_channels(conn).map_err(explain)?;
    Ok((rows, channels))
}

pub(crate) fn read_usage_rows(
    conn: &SqlConnection,
    first: NaiveDate,
    last: NaiveDate,
) -> SqlResult<Vec<UsageRow>> {
    let start = |day: NaiveDate| {
        day.and_time(chrono::NaiveTime::MIN)
            .and_utc()
            .timestamp_millis()
    };
    let find = "SELECT at / 86400000, model, channel, function, sum(calls), sum(prompt), sum(cached), sum(completion), sum(cost)
         FROM model_usage WHERE at >= ?1 AND at < ?2
         GROUP BY at / 86400000, model, channel, function ORDER BY at / 86400000, model, channel, function";
    conn.map_all(find, params![start(first), start(last) + DAY], |row| {
        let day = DateTime::from_timestamp_millis(row.read::<i64>(0)?.saturating_mul(DAY));
        Ok(UsageRow {
            day: day.unwrap_or_default().date_naive(),
            model: row.read(1)?,
            channel: row.read(2)?,
            function: row.read(3)?,
            calls: row.read(4)?,
            prompt: row.read(5)?,
            cached: row.read(6)?,
            completion: row.read(7)?,
            cost: row.read(8)?,
        })
    })
}
