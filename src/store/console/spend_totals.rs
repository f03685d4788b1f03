//! What was spent, added up by day, channel, function and model.

use rusqlite::Connection;

use crate::values::{ReadRow, params};
use crate::{Store, StoreReply};
use kith_core::chat::Millis;

/// What was spent for one thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpendTotal {
    /// The day since 1970, UTC; 0 where days are added up.
    pub day: i64,
    /// A channel's id, or the name of a function or model.
    pub label: String,
    /// The channel's name; empty for all else.
    pub name: String,
    pub calls: u64,
    /// Tokens of the prompts.
    pub prompt: u64,
    /// Of these, from the provider's cache.
    pub cached: u64,
    /// Tokens of the answers.
    pub completion: u64,
    /// Money.
    pub cost: f64,
}

/// What was spent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpendTotals {
    /// By day and function, oldest first.
    pub days: Vec<SpendTotal>,
    /// By channel, dearest first.
    pub channels: Vec<SpendTotal>,
    /// By function, dearest first.
    pub functions: Vec<SpendTotal>,
    /// By model, dearest first.
    pub models: Vec<SpendTotal>,
}

impl Store {
    /// What was spent since some moment, and the `limit` channels that took the most.
    pub fn load_spend_totals(&self, since: Millis, limit: usize) -> StoreReply<SpendTotals> {
        self.read(move |conn| {
            Ok(SpendTotals {
                days: add_up(
                    conn,
                    "at / 86400000, function",
                    "''",
                    "ORDER BY 1, 2",
                    (since, i64::MAX),
                )?,
                channels: add_up(
                    conn,
                    "0, CAST(channel AS TEXT)",
                    "coalesce((SELECT name FROM channels WHERE id = model_usage.channel), '')",
                    DEAREST,
                    (since, limit as i64),
                )?,
                functions: add_up(conn, "0, function", "''", DEAREST, (since, i64::MAX))?,
                models: add_up(conn, "0, model", "''", DEAREST, (since, i64::MAX))?,
            })
        })
    }
}

/// The dearest first; where nothing has a price, what took the most tokens.
const DEAREST: &str = "ORDER BY sum(cost) DESC, sum(prompt + completion) DESC";

fn add_up(
    conn: &Connection,
    by: &str,
    name: &str,
    order: &str,
    (since, limit): (Millis, i64),
) -> rusqlite::Result<Vec<SpendTotal>> {
    let mut find = conn.prepare_cached(&format!(
        "SELECT {by}, {name}, sum(calls), sum(prompt), sum(cached), sum(completion), sum(cost)
         FROM model_usage WHERE at >= ?1 GROUP BY 1, 2 {order} LIMIT ?2"
    ))?;
    let rows = find.query_map(params![since, limit], |row| {
        let count = |column| row.read::<i64>(column).map(i64::unsigned_abs);
        Ok(SpendTotal {
            day: row.read(0)?,
            label: row.read(1)?,
            name: row.read(2)?,
            calls: count(3)?,
            prompt: count(4)?,
            cached: count(5)?,
            completion: count(6)?,
            cost: row.read(7)?,
        })
    })?;
    rows.collect()
}
