//! What was spent, added up by day, channel, function and model.

use std::cmp::Ordering;

use rusqlite::{Connection, Row};

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

/// Rows come about in the order of their times, so that a year of them is read in one go and not one by one through the
/// index, which tells where to begin.
const SINCE: &str = "rowid >= coalesce((SELECT min(row) FROM
         (SELECT rowid AS row FROM model_usage WHERE at >= ?1 ORDER BY at LIMIT 1000)), 0) AND +at >= ?1";

impl Store {
    /// What was spent since some moment, and the `limit` channels that took the most.
    pub fn load_spend_totals(&self, since: Millis, limit: usize) -> StoreReply<SpendTotals> {
        self.view(move |conn| {
            let mut totals = SpendTotals {
                channels: read_channels(conn, since, limit)?,
                ..SpendTotals::default()
            };
            // Few: one for each day, function and model, of which all other sums are made.
            for (spent, model) in read_days(conn, since)? {
                add_to(&mut totals.functions, &spent.label, &spent);
                add_to(&mut totals.models, &model, &spent);
                // They come by day and function.
                match totals.days.last_mut() {
                    Some(last) if (last.day, &last.label) == (spent.day, &spent.label) => {
                        last.add(&spent)
                    }
                    _ => totals.days.push(spent),
                }
            }
            totals.functions.sort_by(SpendTotal::compare_dearest);
            totals.models.sort_by(SpendTotal::compare_dearest);
            Ok(totals)
        })
    }
}

impl SpendTotal {
    fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.prompt += other.prompt;
        self.cached += other.cached;
        self.completion += other.completion;
        self.cost += other.cost;
    }

    /// The dearest first; where nothing has a price, what took the most tokens.
    fn compare_dearest(&self, other: &Self) -> Ordering {
        let tokens = |it: &Self| it.prompt + it.completion;
        other
            .cost
            .total_cmp(&self.cost)
            .then_with(|| tokens(other).cmp(&tokens(self)))
    }
}

fn add_to(sums: &mut Vec<SpendTotal>, label: &str, spent: &SpendTotal) {
    match sums.iter_mut().find(|sum| sum.label == label) {
        Some(sum) => sum.add(spent),
        None => sums.push(SpendTotal {
            day: 0,
            label: label.to_owned(),
            ..spent.clone()
        }),
    }
}

/// By day and function, each beside the name of a model.
fn read_days(conn: &Connection, since: Millis) -> rusqlite::Result<Vec<(SpendTotal, String)>> {
    let mut find = conn.prepare_cached(&format!(
        "SELECT at / 86400000, function, '', sum(calls), sum(prompt), sum(cached), sum(completion), sum(cost), model
         FROM model_usage WHERE {SINCE} GROUP BY 1, 2, model ORDER BY 1, 2"
    ))?;
    let rows = find.query_map(params![since], |row| Ok((read_total(row)?, row.read(8)?)))?;
    rows.collect()
}

fn read_channels(
    conn: &Connection,
    since: Millis,
    limit: usize,
) -> rusqlite::Result<Vec<SpendTotal>> {
    let mut find = conn.prepare_cached(&format!(
        "SELECT 0, CAST(channel AS TEXT), coalesce((SELECT name FROM channels WHERE id = model_usage.channel), ''),
             sum(calls), sum(prompt), sum(cached), sum(completion), sum(cost)
         FROM model_usage WHERE {SINCE} GROUP BY channel
         ORDER BY sum(cost) DESC, sum(prompt + completion) DESC LIMIT ?2"
    ))?;
    let rows = find.query_map(params![since, limit as i64], read_total)?;
    rows.collect()
}

fn read_total(row: &Row<'_>) -> rusqlite::Result<SpendTotal> {
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
}
