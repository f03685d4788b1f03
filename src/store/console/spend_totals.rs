//! What was spent, added up by day, channel, function and model.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::sql::{SqlConnection, SqlResult, SqlRow};
use crate::values::{ReadRow, params};
use crate::{Store, StoreReply};
use kith_core::chat::{ChannelId, Millis};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpendTotal {
    /// The day since 1970, UTC; 0 where days are added up.
    pub day: i64,
    /// A channel's id, or the name of a function or model.
    pub label: String,
    /// The channel's name; empty for all else.
    pub name: String,
    pub calls: u64,
    pub prompt: u64,
    /// Of these, from the provider's cache.
    pub cached: u64,
    pub completion: u64,
    pub cost: f64,
}

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
const SINCE: &str = "rowid >= coalesce((SELECT min(number) FROM
         (SELECT rowid AS number FROM model_usage WHERE at >= ?1 ORDER BY at LIMIT 1000) AS newer), 0) AND +at >= ?1";

impl Store {
    /// What was spent since some moment, and the `limit` channels that took the most.
    pub fn load_spend_totals(&self, since: Millis, limit: usize) -> StoreReply<SpendTotals> {
        self.view(move |conn| {
            let Sums { days, channels } = Sums::read(conn, since)?;
            let mut totals = SpendTotals {
                channels: list_dearest_channels(conn, channels, limit)?,
                ..SpendTotals::default()
            };
            // Few: one for each day, function and model, of which all other sums are made.
            for ((day, label, model), sum) in days {
                let spent = SpendTotal { day, label, ..sum };
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

struct Sums {
    /// By day, function and model.
    days: BTreeMap<(i64, String, String), SpendTotal>,
    channels: BTreeMap<ChannelId, SpendTotal>,
}

impl Sums {
    /// Adds up in one pass over the rows. SQLite would sort them first, once for each way of grouping.
    fn read(conn: &SqlConnection, since: Millis) -> SqlResult<Self> {
        let mut find = conn.prepare_cached(&format!(
            "SELECT calls, prompt, cached, completion, cost, at / 86400000, function, model, channel
             FROM model_usage WHERE {SINCE}"
        ))?;
        let mut rows = find.query_paged(params![since])?;
        let (mut days, mut channels) = (BTreeMap::new(), BTreeMap::new());
        while let Some(row) = rows.next()? {
            let spent = read_spent(&row)?;
            let key = (row.read(5)?, row.read(6)?, row.read(7)?);
            let of_day: &mut SpendTotal = days.entry(key).or_default();
            of_day.add(&spent);
            let of_channel: &mut SpendTotal = channels.entry(row.read(8)?).or_default();
            of_channel.add(&spent);
        }
        Ok(Self { days, channels })
    }
}

fn read_spent(row: &SqlRow<'_>) -> SqlResult<SpendTotal> {
    Ok(SpendTotal {
        calls: row.read(0)?,
        prompt: row.read(1)?,
        cached: row.read(2)?,
        completion: row.read(3)?,
        cost: row.read(4)?,
        ..SpendTotal::default()
    })
}

fn list_dearest_channels(
    conn: &SqlConnection,
    channels: BTreeMap<ChannelId, SpendTotal>,
    limit: usize,
) -> SqlResult<Vec<SpendTotal>> {
    let mut channels: Vec<(ChannelId, SpendTotal)> = channels.into_iter().collect();
    channels.sort_by(|(_, one), (_, other)| one.compare_dearest(other));
    channels.truncate(limit);
    let find = "SELECT name FROM channels WHERE id = ?1";
    let named = channels.into_iter().map(|(id, spent)| {
        let name: Option<String> = conn.read_first(find, params![id])?;
        Ok(SpendTotal {
            label: id.0.to_string(),
            name: name.unwrap_or_default(),
            ..spent
        })
    });
    named.collect()
}
