//! What the console shows of all channels, and what was spent: lists in pages, a day of a channel, sums. Reads only, most
//! of it on a connection of its own and within bounds, so that neither the writer nor the companion's own reading waits
//! for it.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;

use crate::from_row::from_row;
use crate::handle::{Store, StoreReply};
use crate::memories::{MemorySearch, find_entries, find_people};
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult, SqlRow};
use crate::usage::{ModelSpend, UsageRow, read_usage_rows};
use crate::values::{ReadRow, params};
use kith_core::chat::{Author, AuthorKind, Channel, ChannelId, Millis, TurnId};
use kith_core::memory_entry::MemoryEntry;
use kith_core::report::{TokenUsage, TurnReport};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelRecency {
    Heard,
    Spoken,
    /// Nothing: each is as recent as any other.
    Any,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ChannelActivity {
    pub channel: Channel,
    pub heard: Option<Millis>,
    /// When the companion spoke last, as far as that is still on record.
    pub spoke: Option<Millis>,
}

const LAST_SPOKEN: &str = "SELECT journaled_at FROM outbox WHERE channel = channels.id AND state = 1 ORDER BY cursor DESC LIMIT 1";

#[derive(Clone, Debug, PartialEq)]
pub struct DayMessage {
    pub at: Millis,
    pub author: AuthorKind,
    /// The willingness; none where it was not scored.
    pub score: Option<f64>,
    /// What it had to reach.
    pub threshold: Option<f64>,
    pub is_addressed: bool,
}

from_row! { DayMessage { at, author, score, threshold, is_addressed } }

#[derive(Clone, Debug, Default, PartialEq)]
pub struct DayRecord {
    /// The newest of them, oldest first.
    pub messages: Vec<DayMessage>,
    pub left_out: usize,
    /// Those that began in that time, oldest first.
    pub turns: Vec<TurnReport>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct NamedTurn {
    pub report: TurnReport,
    /// Empty where the channel is not on record.
    pub channel_name: String,
}

from_row! { NamedTurn { report: json, channel_name } }

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
    /// Every channel on record with a number that is larger the more recent it is; 0 where nothing happened. Of thousands
    /// no more is looked up than their order takes: one entry of an index each.
    pub fn load_channels(&self, recency: ChannelRecency) -> StoreReply<Vec<(Channel, i64)>> {
        let number = match recency {
            ChannelRecency::Heard => {
                "SELECT max(m.id) FROM messages m WHERE m.channel = channels.id"
            }
            ChannelRecency::Spoken => LAST_SPOKEN,
            ChannelRecency::Any => "0",
        };
        let query = format!(
            "SELECT id, guild, name, topic, kind, parent, coalesce(({number}), 0) FROM channels"
        );
        self.view(move |conn| conn.read_all(&query, params![]))
    }

    /// When these channels were heard and spoken in last.
    pub fn load_channel_activity(
        &self,
        channels: Vec<Channel>,
    ) -> StoreReply<Vec<ChannelActivity>> {
        self.view(move |conn| {
            let find = format!(
                "SELECT (SELECT at FROM messages WHERE channel = channels.id ORDER BY messages.id DESC LIMIT 1), ({LAST_SPOKEN})
                 FROM (SELECT CAST(?1 AS BIGINT) AS id) channels"
            );
            let with_times = channels.iter().map(|channel| {
                let (heard, spoke) = conn.read_one(&find, params![channel.id])?;
                Ok(ChannelActivity { channel: channel.clone(), heard, spoke })
            });
            with_times.collect()
        })
    }

    pub fn find_channel_name(&self, channel: ChannelId) -> StoreReply<String> {
        self.view(move |conn| {
            let find = "SELECT name FROM channels WHERE id = ?1";
            Ok(conn.read_first(find, params![channel])?.unwrap_or_default())
        })
    }

    /// The tokens that each channel took since some moment.
    pub fn load_channel_tokens(&self, since: Millis) -> StoreReply<HashMap<ChannelId, u64>> {
        self.view(move |conn| {
            let find = "SELECT channel, sum(prompt + completion) FROM model_usage WHERE at >= ?1 GROUP BY channel";
            let rows: Vec<(ChannelId, i64)> = conn.read_all(find, params![since])?;
            let tokens = rows.into_iter().map(|(channel, tokens)| (channel, tokens.unsigned_abs()));
            Ok(tokens.collect())
        })
    }

    /// What happened in a channel from `from` to before `until`: at most `limit` messages, and as many turns.
    pub fn load_channel_day(
        &self,
        channel: ChannelId,
        (from, until): (Millis, Millis),
        limit: usize,
    ) -> StoreReply<DayRecord> {
        self.view(move |conn| {
            let range = |probe| -> SqlResult<(i64, i64)> {
                Ok((
                    find_first_key(conn, probe, channel, from)?,
                    find_first_key(conn, probe, channel, until)?,
                ))
            };
            let messages = range(MESSAGE_PROBE)?;
            let mut record = DayRecord {
                messages: read_messages(conn, channel, messages, limit)?,
                ..DayRecord::default()
            };
            let count = "SELECT count(*) FROM messages WHERE channel = ?1 AND id >= ?2 AND id < ?3";
            let all: i64 = conn.read_one(count, params![channel, messages.0, messages.1])?;
            record.left_out = (all as usize).saturating_sub(record.messages.len());
            let turns = range(TURN_PROBE)?;
            let find = "SELECT report FROM turns WHERE channel = ?1 AND turn >= ?2 AND turn < ?3 ORDER BY turn DESC LIMIT ?4";
            let values = params![channel, turns.0, turns.1, limit as i64];
            record.turns = conn.map_all(find, values, |row| row.read_json(0))?;
            record.turns.reverse();
            Ok(record)
        })
    }

    /// How much is remembered in each channel that holds anything, the most first; what is superseded does not count.
    pub fn count_memories(&self) -> StoreReply<Vec<(ChannelId, usize)>> {
        self.view(|conn| {
            let find = "SELECT channel, count(*) FROM memories WHERE superseded_by IS NULL GROUP BY channel ORDER BY 2 DESC, 1";
            conn.read_all(find, params![])
        })
    }

    /// What [`Store::find_memories`] finds, beside what the companion reads itself: there may be much of it.
    pub fn list_memories(&self, search: MemorySearch) -> StoreReply<Vec<MemoryEntry>> {
        self.view(move |conn| find_entries(conn, &search))
    }

    /// Whom [`Store::find_known_people`] finds, in the same way.
    pub fn list_known_people(&self, channels: Vec<ChannelId>) -> StoreReply<Vec<Author>> {
        self.view(move |conn| find_people(conn, &channels))
    }

    /// The `limit` newest turns with an id below `before`, of one channel or of all, newest first.
    pub fn find_named_turns(
        &self,
        channel: Option<ChannelId>,
        before: Option<TurnId>,
        limit: usize,
    ) -> StoreReply<Vec<NamedTurn>> {
        let of_channel = channel.map_or("", |_| "channel = ?3 AND ");
        let query = format!(
            "SELECT report, coalesce(name, '') FROM turns LEFT JOIN channels ON id = channel
             WHERE {of_channel} turn < ?1 ORDER BY turn DESC LIMIT ?2"
        );
        self.view(move |conn| {
            let before = before
                .and_then(|turn| i64::try_from(turn.0).ok())
                .unwrap_or(i64::MAX);
            match channel {
                Some(channel) => conn.read_all(&query, params![before, limit as i64, channel]),
                None => conn.read_all(&query, params![before, limit as i64]),
            }
        })
    }

    /// The `limit` newest turns in which a model, a tool or the turn itself failed, newest first.
    pub fn find_faulty_turns(&self, limit: usize) -> StoreReply<Vec<NamedTurn>> {
        self.view(move |conn| {
            // The condition of the index `turns_with_faults`, word for word.
            let find = "SELECT report, coalesce(name, '') FROM turns INDEXED BY turns_with_faults LEFT JOIN channels ON id = channel
                 WHERE instr(report, '\"failure\":{') + instr(report, '\"is_error\":true') + instr(report, '\"outcome\":{\"failed\"') > 0
                 ORDER BY turn DESC LIMIT ?1";
            conn.read_all(find, params![limit as i64])
        })
    }

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

    pub fn save_spend(&self, spend: ModelSpend) -> StoreReply<()> {
        self.write(move |db| {
            let ModelSpend { at, model, channel, function, usage, cost } = &spend;
            let TokenUsage { prompt, cached, completion, .. } = usage;
            let row = row! { at, model, channel, function, calls: 1_u32, prompt, cached, completion, cost };
            db.conn.insert_row("model_usage", row)?;
            Ok(())
        })
    }

    pub fn load_usage(&self, day: NaiveDate) -> StoreReply<Vec<UsageRow>> {
        self.load_usage_between(day, day)
    }

    /// What was spent from one day to another, both included, by day.
    pub fn load_usage_between(
        &self,
        first: NaiveDate,
        last: NaiveDate,
    ) -> StoreReply<Vec<UsageRow>> {
        self.read(move |conn| read_usage_rows(conn, first, last))
    }
}

const MESSAGE_PROBE: &str =
    "SELECT id, at FROM messages WHERE channel = ?1 AND id >= ?2 ORDER BY id LIMIT 1";
const TURN_PROBE: &str =
    "SELECT turn, started FROM turns WHERE channel = ?1 AND turn >= ?2 ORDER BY turn LIMIT 1";

/// The first id in a channel whose time is `at` or later. Ids grow with time, so that a search by halves finds it in the
/// index there is, and none by time is needed.
fn find_first_key(
    conn: &SqlConnection,
    probe: &str,
    channel: ChannelId,
    at: Millis,
) -> SqlResult<i64> {
    let (mut low, mut high) = (0, i64::MAX);
    while low < high {
        let middle = low + (high - low) / 2;
        let next: Option<(i64, Millis)> = conn.read_first(probe, params![channel, middle])?;
        match next {
            Some((key, time)) if time < at => low = key + 1,
            _ => high = middle,
        }
    }
    Ok(low)
}

fn read_messages(
    conn: &SqlConnection,
    channel: ChannelId,
    (first, end): (i64, i64),
    limit: usize,
) -> SqlResult<Vec<DayMessage>> {
    let values = params![channel, first, end, limit as i64];
    let mut messages = conn.read_all(conn.statements().read_day, values)?;
    messages.reverse();
    Ok(messages)
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
