//! What the companion tells about itself: turns with their prompts, why it spoke or kept silent, and which message of a
//! log channel tells of which turns.

use std::collections::HashMap;

use crate::connection_threads::JobKind;
use crate::db::Database;
use crate::from_row::from_row;
use crate::handle::{Store, StoreReply};
use crate::history::{self, StoredMessage};
use crate::log_messages::{NO_TURN, record_message, record_posted_message};
use crate::row_writes::{RowStatement, row};
use crate::sql::{SqlConnection, SqlResult};
use crate::stored_decision::{DecidedMessage, StoredDecision, StoredReport};
use crate::stored_prompt::{PROMPTS_KEPT, StoredPrompt};
use crate::turn_signatures::{SIGNED_AT_ONCE, sign};
use crate::values::{JsonColumn, ReadRow, params};
use crate::{log_messages, turn_erasure, turn_signatures};
use kith_core::chat::{AuthorKind, ChannelId, MessageId, Millis, TurnId};
use kith_core::report::{DecisionReport, MessageDecision, TurnReport};

/// A turn as it was kept. What was deleted since is taken out of it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredTurn {
    pub report: TurnReport,
    /// Its prompts, in order; empty for turns long ago.
    pub prompts: Vec<StoredPrompt>,
}

/// Why it spoke or kept silent at a message, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecisionReason {
    pub decision: Option<MessageDecision>,
    /// The latest decision point that decided on it.
    pub report: Option<DecisionReport>,
    /// The latest turn it woke; of the companion's own line, the turn that said it.
    pub turn: Option<TurnId>,
}

from_row! { StoredTurn { report: json, prompts: list } }

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
            let (turn, channel) = (report.turn, report.channel);
            let row = row! {
                turn, channel, started: report.started, ended: report.ended, report: JsonColumn(&report),
                prompts: JsonColumn(&prompts),
            };
            db.conn.put_row("turns", row)?;
            turn_signatures::save(db, &signature, turn, channel)?;
            let thin = "UPDATE turns SET prompts = NULL WHERE turn IN
                 (SELECT turn FROM turns ORDER BY ended DESC LIMIT 9 OFFSET ?1)";
            db.conn.execute(thin, params![PROMPTS_KEPT])?;
            note_turn(db, &report)
        })
    }

    pub fn turn(&self, turn: TurnId) -> StoreReply<Option<StoredTurn>> {
        self.read(move |conn| {
            let find = "SELECT report, prompts FROM turns WHERE turn = ?1";
            conn.read_first(find, params![turn])
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

    /// Keeps decisions beside their messages; one whose message is gone is left out.
    pub fn save_decisions(&self, decisions: Vec<MessageDecision>) -> StoreReply<()> {
        let rows: Vec<_> = decisions
            .into_iter()
            .map(|it| (it.channel, it.message, JsonColumn(StoredDecision::from(it))))
            .collect();
        let kind = JobKind::Write {
            rows: rows.len().max(1),
        };
        // What was thought of a message last is what counts.
        let save = RowStatement {
            for_each: "INSERT INTO decisions (arrival, message_decision)
                SELECT arrival, ?3 FROM messages WHERE channel = ?1 AND id = ?2
                ON CONFLICT (arrival) DO UPDATE SET message_decision = excluded.message_decision"
                .into(),
            for_all: "INSERT INTO decisions (arrival, message_decision)
                SELECT DISTINCT ON (arrival) arrival, decision
                FROM unnest(?1::bigint[], ?2::bigint[], ?3::text[]) WITH ORDINALITY AS new (channel, id, decision, place)
                JOIN messages USING (channel, id) ORDER BY arrival, place DESC
                ON CONFLICT (arrival) DO UPDATE SET message_decision = excluded.message_decision"
                .into(),
        };
        self.write_as(kind, move |db| {
            db.conn
                .write_rows(&save, &rows, [|row| &row.0, |row| &row.1, |row| &row.2])
        })
    }

    /// Keeps a decision point beside the message it decided on; one without a message, or whose message is gone, is left out.
    pub fn save_decision_report(&self, report: DecisionReport) -> StoreReply<()> {
        self.write(move |db| {
            let Some(message) = report.message else {
                return Ok(());
            };
            let Some((arrival, _, at)) = find_message(db, report.channel, message)? else {
                return Ok(());
            };
            let report = JsonColumn(StoredReport::new(&report, at));
            db.conn.put_row("decisions", row! { arrival, report })
        })
    }

    /// Why it spoke or kept silent at a message; nothing is known of one that is not stored.
    pub fn find_decision_reason(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> StoreReply<DecisionReason> {
        self.read(move |conn| {
            Ok(find_reasons(conn, channel, message, message)?
                .remove(&message)
                .unwrap_or_default())
        })
    }

    /// A page of history, as [`Store::load_history`] answers it, with what is known of each message.
    pub fn load_history_with_reasons(
        &self,
        channel: ChannelId,
        before: Option<MessageId>,
        limit: usize,
    ) -> StoreReply<Vec<(StoredMessage, DecisionReason)>> {
        self.read(move |conn| {
            let lines = history::read_history(conn, channel, before, limit)?;
            let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
                return Ok(Vec::new());
            };
            let mut reasons = find_reasons(conn, channel, first.message.id, last.message.id)?;
            Ok(lines
                .into_iter()
                .map(|line| {
                    let reason = reasons.remove(&line.message.id).unwrap_or_default();
                    (line, reason)
                })
                .collect())
        })
    }

    pub fn find_decision(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> StoreReply<Option<MessageDecision>> {
        self.read(move |conn| {
            Ok(find_reasons(conn, channel, message, message)?
                .remove(&message)
                .and_then(|why| why.decision))
        })
    }

    /// The decision on a channel's newest scored message.
    pub fn find_latest_decision(&self, channel: ChannelId) -> StoreReply<Option<MessageDecision>> {
        self.read(move |conn| find_latest(conn, channel))
    }

    /// A message was posted to a log channel that tells of these turns, or of none. If something was erased in one of
    /// them meanwhile, it is due at once; answers whether it is.
    pub fn save_log_message(
        &self,
        log: ChannelId,
        message: MessageId,
        turns: Vec<TurnId>,
        at: Millis,
    ) -> StoreReply<bool> {
        self.write(move |db| record_posted_message(db, (log, message), &turns, at))
    }

    /// A message of an earlier run was found in a log channel. Where it is on record nothing changes; else it may have
    /// missed that somebody was forgotten, so it is due if it tells of a turn that is not on record with its prompts.
    pub fn save_found_log_message(
        &self,
        log: ChannelId,
        message: MessageId,
        turns: Vec<TurnId>,
        at: Millis,
    ) -> StoreReply<bool> {
        self.write(move |db| {
            let whole = "SELECT 1 FROM turns WHERE turn = ?3 AND prompts IS NOT NULL AND instr(report, ?5) = 0";
            record_message(db, (log, message), &turns, at, &format!("CAST(?3 AS BIGINT) <> 0 AND NOT EXISTS ({whole})"))
        })
    }

    /// The messages that are due: posted before `before`, or telling of turns in which something was erased. Oldest
    /// first.
    pub fn find_expired_log_messages(
        &self,
        before: Millis,
    ) -> StoreReply<Vec<(ChannelId, MessageId)>> {
        self.read(move |conn| {
            let find = "SELECT log, message FROM log_messages WHERE at < max(CAST(?1 AS BIGINT), 1) GROUP BY log, message ORDER BY min(at), log, message";
            conn.read_all(find, params![before])
        })
    }

    pub fn find_log_messages(&self, turns: Vec<TurnId>) -> StoreReply<Vec<(ChannelId, MessageId)>> {
        self.read(move |conn| {
            let find = "SELECT DISTINCT log, message FROM log_messages WHERE turn IN (SELECT value FROM json_each(?1))
                 ORDER BY log, message";
            let turns: Vec<u64> = turns.iter().filter(|turn| **turn != NO_TURN).map(|turn| turn.0).collect();
            conn.read_all(find, params![JsonColumn(turns)])
        })
    }

    pub fn drop_log_messages(&self, messages: Vec<(ChannelId, MessageId)>) -> StoreReply<()> {
        self.write(move |db| {
            messages.iter().try_for_each(|(log, message)| {
                db.conn
                    .delete_rows("log_messages", row! { log, message })
                    .map(drop)
            })
        })
    }

    /// Signs some of the turns from this one on that an earlier version saved; answers with the first of the rest, none
    /// where there is no rest. Else the first deletion would have to read them all.
    pub fn sign_turns(&self, from: TurnId) -> StoreReply<Option<TurnId>> {
        self.write_as(JobKind::Upkeep, move |db| {
            let find = "SELECT t.turn FROM turns t WHERE t.turn >= ?1
                 AND NOT EXISTS (SELECT 1 FROM turn_signatures s WHERE s.turn = t.turn) ORDER BY t.turn LIMIT ?2";
            let unsigned = db.conn.read_all::<TurnId>(find, params![from, SIGNED_AT_ONCE])?;
            let rest = unsigned.last().filter(|_| unsigned.len() as i64 == SIGNED_AT_ONCE);
            let rest = rest.map(|last| TurnId(last.0 + 1));
            unsigned.into_iter().try_for_each(|turn| sign(db, turn))?;
            Ok(rest)
        })
    }
}

/// Notes a turn at the messages that woke it and at the lines it said.
pub(super) fn note_turn(db: &Database, report: &TurnReport) -> SqlResult<()> {
    let (turn, channel, wake) = (report.turn, report.channel, &report.wake);
    for message in wake.message.iter().chain(&wake.addressed) {
        if let Some((arrival, ..)) = find_message(db, channel, *message)? {
            db.conn.put_row("decisions", row! { arrival, turn })?;
        }
    }
    // A reaction also names a message, but one that was there: somebody else's, or said by an earlier turn.
    let calls = report.rounds.iter().flat_map(|round| &round.calls);
    for message in calls.filter_map(|call| call.message) {
        if let Some((arrival, AuthorKind::Companion, _)) = find_message(db, channel, message)? {
            db.conn.add_row("decisions", row! { arrival, turn })?;
        }
    }
    Ok(())
}

/// The row of a message, who wrote it, and when. Looked up by itself, for `INSERT … SELECT` is slow beside the full-text
/// index.
fn find_message(
    db: &Database,
    channel: ChannelId,
    id: MessageId,
) -> SqlResult<Option<(i64, AuthorKind, Millis)>> {
    let find = "SELECT arrival, author_kind, at FROM messages WHERE channel = ?1 AND id = ?2";
    db.conn.read_first(find, params![channel, id])
}

fn find_reasons(
    conn: &SqlConnection,
    channel: ChannelId,
    first: MessageId,
    last: MessageId,
) -> SqlResult<HashMap<MessageId, DecisionReason>> {
    let find = "SELECT channel, id, author, at, message_decision, report, turn FROM messages JOIN decisions USING (arrival)
         WHERE channel = ?1 AND id BETWEEN ?2 AND ?3";
    type Found = (
        DecidedMessage,
        JsonColumn<Option<StoredDecision>>,
        JsonColumn<Option<StoredReport>>,
        Option<TurnId>,
    );
    let rows: Vec<Found> = conn.read_all(find, params![channel, first, last])?;
    let reasons = rows
        .into_iter()
        .map(|(on, JsonColumn(decision), JsonColumn(report), turn)| {
            let reason = DecisionReason {
                decision: decision.map(|decision| decision.into_decision(&on)),
                report: report.map(|report| report.into_report(&on)),
                turn,
            };
            (on.id, reason)
        });
    Ok(reasons.collect())
}

fn find_latest(conn: &SqlConnection, channel: ChannelId) -> SqlResult<Option<MessageDecision>> {
    let find = "SELECT channel, id, author, at, message_decision FROM messages JOIN decisions USING (arrival)
         WHERE channel = ?1 AND message_decision IS NOT NULL ORDER BY id DESC LIMIT 1";
    let newest: Option<(DecidedMessage, JsonColumn<StoredDecision>)> =
        conn.read_first(find, params![channel])?;
    Ok(newest.map(|(on, JsonColumn(decision))| decision.into_decision(&on)))
}
