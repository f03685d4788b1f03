//! What the companion tells about itself, kept: turns with their prompts.

use serde::{Deserialize, Serialize};

use super::{Store, StoreReply, decisions, log_messages, turn_erasure, turn_signatures};
use crate::row_writes::row;
use crate::sql::SqlRow;
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::chat::{ChannelId, TurnId};
use kith_core::report::{PromptPart, TurnReport};

/// The exact prompts of so many newest turns are kept; they are large and asked for while a turn is fresh.
const PROMPTS_KEPT: i64 = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPrompt {
    pub ask: u32,
    #[serde(default)]
    pub model: String,
    pub system: String,
    /// What stands below it; each of several messages under a line that says whose it is.
    pub user: String,
    #[serde(default)]
    pub parts: Vec<PromptPart>,
}

/// A turn as it was kept. What was deleted since is taken out of it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredTurn {
    pub report: TurnReport,
    /// Its prompts, in order; empty for turns long ago.
    pub prompts: Vec<StoredPrompt>,
}

impl Store {
    /// Keeps a turn with its prompts, without what was erased while it ran, and notes it at the messages that woke it
    /// and the lines it said; saved again it is replaced.
    pub fn save_turn(&self, report: TurnReport, prompts: Vec<StoredPrompt>) -> StoreReply<()> {
        self.write(move |db| {
            let (mut report, mut prompts) = (report.clone(), prompts.clone());
            let (signature, changed) =
                turn_erasure::forget_recent_erasures(db, &mut report, &mut prompts)?;
            if changed {
                log_messages::mark_turn_due(db, report.turn)?;
            }
            let TurnReport {
                turn,
                channel,
                started,
                ended,
                ..
            } = &report;
            let row = row! { turn, channel, started, ended, report: JsonColumn(&report), prompts: JsonColumn(&prompts) };
            db.conn.put_row("turns", row)?;
            turn_signatures::save(db, &signature, *turn, *channel)?;
            let thin = "UPDATE turns SET prompts = NULL WHERE turn IN
                 (SELECT turn FROM turns WHERE prompts IS NOT NULL ORDER BY started DESC LIMIT 9 OFFSET ?1)";
            db.conn.execute(thin, params![PROMPTS_KEPT])?;
            decisions::note_turn(db, &report)
        })
    }

    pub fn turn(&self, turn: TurnId) -> StoreReply<Option<StoredTurn>> {
        self.read(move |conn| {
            let find = "SELECT report, prompts FROM turns WHERE turn = ?1";
            let read = |row: &SqlRow<'_>| {
                let prompts: Option<_> = row.read_json(1)?;
                Ok(StoredTurn {
                    report: row.read_json(0)?,
                    prompts: prompts.unwrap_or_default(),
                })
            };
            conn.map_first(find, params![turn], read)
        })
    }

    /// Answers when all that was to be written until now is written, so that it can be read.
    pub fn wait_for_writes(&self) -> StoreReply<()> {
        self.write(|_| Ok(()))
    }

    /// A channel's `limit` newest turns with an id below `before`, newest first.
    pub fn find_turns(
        &self,
        channel: ChannelId,
        before: Option<TurnId>,
        limit: usize,
    ) -> StoreReply<Vec<TurnReport>> {
        self.read(move |conn| {
            let find = "SELECT report FROM turns WHERE channel = ?1 AND turn < ?2 ORDER BY turn DESC LIMIT ?3";
            let before = before.and_then(|turn| i64::try_from(turn.0).ok()).unwrap_or(i64::MAX);
            conn.map_all(find, params![channel, before, limit as i64], |row| row.read_json(0))
        })
    }

    /// The largest turn id ever journaled or reported: the next turn takes a larger one.
    pub fn last_turn(&self) -> StoreReply<TurnId> {
        self.read(|conn| {
            let last = "SELECT max(coalesce((SELECT max(turn) FROM turns), 0), coalesce((SELECT max(turn) FROM outbox), 0))";
            conn.read_one(last, params![])
        })
    }
}
