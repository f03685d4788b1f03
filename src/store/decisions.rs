//! Why it spoke or kept silent: what was thought of a message, kept beside it and gone with it. Holds no text.

use std::collections::HashMap;

use super::connection_threads::JobKind;
use super::db::Database;
use super::stored_history::{self, StoredMessage};
use super::{Store, StoreReply};
use crate::from_row::FromRow;
use crate::row_writes::{RowStatement, row};
use crate::sql::{SqlConnection, SqlResult, SqlRow};
use crate::stored_decision::{DecidedMessage, StoredDecision, StoredReport};
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::chat::{AuthorKind, ChannelId, MessageId, Millis, TurnId};
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

impl Store {
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

    /// Keeps a beat beside the message it decided on; one without a message, or whose message is gone, is left out.
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
    for message in wake.message.iter().chain(&wake.addressed) {
        if let Some((arrival, ..)) = find_message(db, *channel, *message)? {
            db.conn.put_row("decisions", row! { arrival, turn })?;
        }
    }
    // A reaction also names a message, but one that was there: somebody else's, or said by an earlier turn.
    for message in rounds
        .iter()
        .flat_map(|round| &round.calls)
        .filter_map(|call| call.message)
    {
        if let Some((arrival, AuthorKind::Companion, _)) = find_message(db, *channel, message)? {
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
    let read = |row: &SqlRow<'_>| {
        let on = DecidedMessage::from_row(row)?;
        let (decision, report): (Option<StoredDecision>, Option<StoredReport>) =
            (row.read_json(4)?, row.read_json(5)?);
        let reason = DecisionReason {
            decision: decision.map(|decision| decision.into_decision(&on)),
            report: report.map(|report| report.into_report(&on)),
            turn: row.read(6)?,
        };
        Ok((on.id, reason))
    };
    let rows = conn.map_all(find, params![channel, first, last], read)?;
    Ok(rows.into_iter().collect())
}

fn find_newest(
    conn: &SqlConnection,
    channel: ChannelId,
    limit: usize,
) -> SqlResult<Vec<MessageDecision>> {
    let find = "SELECT channel, id, author, at, message_decision FROM messages JOIN decisions USING (arrival)
         WHERE channel = ?1 AND message_decision IS NOT NULL ORDER BY id DESC LIMIT ?2";
    conn.map_all(find, params![channel, limit as i64], |row| {
        let decision: StoredDecision = row.read_json(4)?;
        Ok(decision.into_decision(&DecidedMessage::from_row(row)?))
    })
}
