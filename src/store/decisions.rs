//! Why it spoke or kept silent: what was thought of a message, kept beside it and gone with it. Holds no text.

use std::collections::HashMap;

use super::connection_threads::JobKind;
use super::db::Database;
use super::stored_history::{self, StoredMessage};
use super::{Store, StoreReply};
use crate::row_writes::RowStatement;
use crate::sql::{SqlConnection, SqlResult, SqlRow};
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::chat::{AuthorKind, ChannelId, MessageId, TurnId};
use kith_core::report::{DecisionReport, MessageDecision, TurnReport};

/// Why it spoke or kept silent at a message, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DecisionReason {
    /// What was thought when the message arrived.
    pub decision: Option<MessageDecision>,
    /// The latest beat that decided on it.
    pub report: Option<DecisionReport>,
    /// The latest turn it woke; of the companion's own line, the turn that said it.
    pub turn: Option<TurnId>,
}

/// What was thought of a message last is what counts.
const SAVE_DECISIONS: RowStatement = RowStatement {
    for_each: "INSERT INTO decisions (arrival, message_decision)
        SELECT arrival, ?3 FROM messages WHERE channel = ?1 AND id = ?2
        ON CONFLICT (arrival) DO UPDATE SET message_decision = excluded.message_decision",
    for_all: "INSERT INTO decisions (arrival, message_decision)
        SELECT DISTINCT ON (arrival) arrival, decision
        FROM unnest(?1::bigint[], ?2::bigint[], ?3::text[]) WITH ORDINALITY AS new (channel, id, decision, place)
        JOIN messages USING (channel, id) ORDER BY arrival, place DESC
        ON CONFLICT (arrival) DO UPDATE SET message_decision = excluded.message_decision",
};

impl Store {
    /// Keeps decisions beside their messages; one whose message is gone is left out.
    pub fn save_decisions(&self, decisions: Vec<MessageDecision>) -> StoreReply<()> {
        self.write_as(
            JobKind::Write {
                rows: decisions.len().max(1),
            },
            move |db| {
                let rows: Vec<_> = decisions.iter().map(JsonColumn).collect();
                db.conn.write_rows(
                    SAVE_DECISIONS,
                    &rows,
                    [|row| &row.0.channel, |row| &row.0.message, |row| row],
                )
            },
        )
    }

    /// Keeps a beat beside the message it decided on; one without a message, or whose message is gone, is left out.
    pub fn save_decision_report(&self, report: DecisionReport) -> StoreReply<()> {
        self.write(move |db| {
            let Some(message) = report.message else { return Ok(()) };
            let Some((arrival, _)) = find_message(db, report.channel, message)? else { return Ok(()) };
            let save = "INSERT INTO decisions (arrival, report) VALUES (?1, ?2) ON CONFLICT (arrival) DO UPDATE SET report = ?2";
            db.conn.execute(save, params![arrival, JsonColumn(&report)])?;
            Ok(())
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
            let lines = stored_history::read_history(conn, channel, before, limit)?;
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
        self.read(move |conn| Ok(find_newest(conn, channel, 1)?.pop()))
    }

    /// The decisions on a channel's `limit` newest scored messages, oldest first.
    pub fn find_decisions(
        &self,
        channel: ChannelId,
        limit: usize,
    ) -> StoreReply<Vec<MessageDecision>> {
        self.read(move |conn| {
            let mut decisions = find_newest(conn, channel, limit)?;
            decisions.reverse();
            Ok(decisions)
        })
    }
}

/// Notes a turn at the messages that woke it and at the lines it said.
pub(super) fn note_turn(db: &Database, report: &TurnReport) -> SqlResult<()> {
    let TurnReport {
        turn,
        channel,
        wake,
        rounds,
        ..
    } = report;
    let woken = "INSERT INTO decisions (arrival, turn) VALUES (?1, ?2) ON CONFLICT (arrival) DO UPDATE SET turn = ?2";
    for message in wake.message.iter().chain(&wake.addressed) {
        if let Some((arrival, _)) = find_message(db, *channel, *message)? {
            db.conn.execute(woken, params![arrival, turn])?;
        }
    }
    // A reaction also names a message, but one that was there: somebody else's, or said by an earlier turn.
    let said = "INSERT INTO decisions (arrival, turn) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    for message in rounds
        .iter()
        .flat_map(|round| &round.calls)
        .filter_map(|call| call.message)
    {
        if let Some((arrival, AuthorKind::Companion)) = find_message(db, *channel, message)? {
            db.conn.execute(said, params![arrival, turn])?;
        }
    }
    Ok(())
}

/// The row of a message and who wrote it. Looked up by itself, for `INSERT … SELECT` is slow beside the full-text
/// index.
fn find_message(
    db: &Database,
    channel: ChannelId,
    id: MessageId,
) -> SqlResult<Option<(i64, AuthorKind)>> {
    let find = "SELECT arrival, author_kind FROM messages WHERE channel = ?1 AND id = ?2";
    db.conn.read_first(find, params![channel, id])
}

fn find_reasons(
    conn: &SqlConnection,
    channel: ChannelId,
    first: MessageId,
    last: MessageId,
) -> SqlResult<HashMap<MessageId, DecisionReason>> {
    let find =
        "SELECT id, message_decision, report, turn FROM messages JOIN decisions USING (arrival)
         WHERE channel = ?1 AND id BETWEEN ?2 AND ?3";
    let read = |row: &SqlRow<'_>| {
        let decision = row
            .read::<Option<JsonColumn<_>>>(1)?
            .map(|JsonColumn(decision)| decision);
        let report = row
            .read::<Option<JsonColumn<_>>>(2)?
            .map(|JsonColumn(report)| report);
        Ok((
            row.read(0)?,
            DecisionReason {
                decision,
                report,
                turn: row.read(3)?,
            },
        ))
    };
    let rows = conn.map_all(find, params![channel, first, last], read)?;
    Ok(rows.into_iter().collect())
}

fn find_newest(
    conn: &SqlConnection,
    channel: ChannelId,
    limit: usize,
) -> SqlResult<Vec<MessageDecision>> {
    let mut find = conn.prepare_cached(
        "SELECT message_decision FROM messages JOIN decisions USING (arrival)
         WHERE channel = ?1 AND message_decision IS NOT NULL ORDER BY id DESC LIMIT ?2",
    )?;
    let rows = find.query_map(params![channel, limit as i64], |row| row.read(0))?;
    rows.map(|row| row.map(|JsonColumn(decision)| decision))
        .collect()
}
