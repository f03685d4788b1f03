//! What the companion tells about itself, kept: turns, and the tokens they took.

use chrono::NaiveDate;
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::values::Json;
use super::{Pending, Store, erase, logged, why};
use crate::core::chat::{ChannelId, TurnId};
use crate::core::report::{PromptPart, TurnReport, Usage};

/// The exact prompts of so many newest turns are kept; they are large and asked for while a turn is fresh.
const PROMPTS_KEPT: i64 = 1_000;

/// The prompt of one model call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// The number of the model call in its turn.
    pub ask: u32,
    /// The model's name.
    #[serde(default)]
    pub model: String,
    /// The system message.
    pub system: String,
    /// The user message.
    pub user: String,
    /// How large its parts are.
    #[serde(default)]
    pub parts: Vec<PromptPart>,
}

/// A turn as it was kept. What was deleted since is taken out of it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredTurn {
    /// Its report.
    pub report: TurnReport,
    /// Its prompts, in order; empty for turns long ago.
    pub prompts: Vec<Prompt>,
}

/// Tokens spent on one day by one model, in one channel, for one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageRow {
    /// The day budgets count by.
    pub day: NaiveDate,
    /// The model's name.
    pub model: String,
    /// Where.
    pub channel: ChannelId,
    /// What for: `turn`, or the name of a side task.
    pub function: String,
    /// Model calls.
    pub calls: u64,
    /// Tokens of the prompts.
    pub prompt: u64,
    /// Of these, from the provider's cache.
    pub cached: u64,
    /// Tokens of the answers.
    pub completion: u64,
}

impl Store {
    /// Keeps a turn with its prompts, without what was erased while it ran, and notes it at the messages that woke it
    /// and the lines it said; saved again it is replaced.
    pub fn save_turn(&self, report: TurnReport, prompts: Vec<Prompt>) -> Pending<()> {
        self.write(move |db| {
            let (mut report, mut prompts) = (report.clone(), prompts.clone());
            if erase::forget_lately(db, &mut report, &mut prompts) {
                logged::due(db, report.turn)?;
            }
            let TurnReport { turn, channel, started, ended, .. } = &report;
            let mut save = db.conn.prepare_cached(
                "INSERT OR REPLACE INTO turns (turn, channel, started, ended, report, prompts)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
            save.execute(params![turn, channel, started, ended, Json(&report), Json(&prompts)])?;
            let mut thin = db.conn.prepare_cached("UPDATE turns SET prompts = NULL WHERE turn = ?1")?;
            thin.execute([turn.0 as i64 - PROMPTS_KEPT])?;
            why::note_turn(db, &report)
        })
    }

    /// A turn by id.
    pub fn turn(&self, turn: TurnId) -> Pending<Option<StoredTurn>> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached("SELECT report, prompts FROM turns WHERE turn = ?1")?;
            let read = |row: &rusqlite::Row<'_>| {
                let Json(report) = row.get(0)?;
                let prompts = row.get::<_, Option<Json<_>>>(1)?.map(|Json(prompts)| prompts).unwrap_or_default();
                Ok(StoredTurn { report, prompts })
            };
            find.query_row([turn], read).optional()
        })
    }

    /// A channel's `limit` newest turns with an id below `before`, newest first.
    pub fn turns(&self, channel: ChannelId, before: Option<TurnId>, limit: usize) -> Pending<Vec<TurnReport>> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached(
                "SELECT report FROM turns WHERE channel = ?1 AND turn < ?2 ORDER BY turn DESC LIMIT ?3",
            )?;
            let before = before.and_then(|turn| i64::try_from(turn.0).ok()).unwrap_or(i64::MAX);
            let rows = find.query_map(params![channel, before, limit as i64], |row| row.get(0))?;
            rows.map(|row| row.map(|Json(report)| report)).collect()
        })
    }

    /// The largest turn id ever journaled or reported: the next turn takes a larger one.
    pub fn last_turn(&self) -> Pending<TurnId> {
        self.read(|conn| {
            conn.query_row(
                "SELECT max(coalesce((SELECT max(turn) FROM turns), 0), coalesce((SELECT max(turn) FROM outbox), 0))",
                [],
                |row| row.get(0),
            )
        })
    }

    /// Adds what a model call took to its day.
    pub fn add_usage(
        &self,
        day: NaiveDate,
        model: impl Into<String>,
        channel: ChannelId,
        function: impl Into<String>,
        usage: Usage,
    ) -> Pending<()> {
        let (model, function) = (model.into(), function.into());
        self.write(move |db| {
            let mut add = db.conn.prepare_cached(
                "INSERT INTO usage (day, model, channel, function, calls, prompt, cached, completion)
                 VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7)
                 ON CONFLICT (day, model, channel, function) DO UPDATE
                 SET calls = calls + 1, prompt = prompt + ?5, cached = cached + ?6, completion = completion + ?7",
            )?;
            let Usage { prompt, cached, completion, .. } = usage;
            add.execute(params![day.to_string(), model, channel, function, prompt, cached, completion])?;
            Ok(())
        })
    }

    /// What was spent on a day.
    pub fn usage(&self, day: NaiveDate) -> Pending<Vec<UsageRow>> {
        self.usage_between(day, day)
    }

    /// What was spent from one day to another, both included, by day.
    pub fn usage_between(&self, first: NaiveDate, last: NaiveDate) -> Pending<Vec<UsageRow>> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached(
                "SELECT day, model, channel, function, calls, prompt, cached, completion FROM usage
                 WHERE day BETWEEN ?1 AND ?2 ORDER BY day, model, channel, function",
            )?;
            let rows = find.query_map([first.to_string(), last.to_string()], |row| {
                let count = |column| row.get::<_, i64>(column).map(i64::unsigned_abs);
                let day: String = row.get(0)?;
                Ok(UsageRow {
                    day: day.parse().map_err(|error| {
                        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
                    })?,
                    model: row.get(1)?,
                    channel: row.get(2)?,
                    function: row.get(3)?,
                    calls: count(4)?,
                    prompt: count(5)?,
                    cached: count(6)?,
                    completion: count(7)?,
                })
            })?;
            rows.collect()
        })
    }
}
