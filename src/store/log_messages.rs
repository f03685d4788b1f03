//! Which message of a log channel tells of which turns: to find it again when it expires or a turn is forgotten. Holds
//! ids and times, never text.

use super::db::Database;
use super::{Store, StoreReply};
use crate::row_writes::row;
use crate::sql::SqlResult;
use crate::values::{JsonColumn, params};
use kith_core::chat::{ChannelId, MessageId, Millis, TurnId};
use kith_core::quotes::MARK;

/// Stands for a message that tells of no turn; turns count from 1.
const NO_TURN: TurnId = TurnId(0);

/// What log channels tell of a turn is due: it may quote what was just erased.
pub(super) fn mark_turn_due(db: &Database, turn: TurnId) -> SqlResult<()> {
    db.conn
        .update_rows("log_messages", row! { turn }, row! { at: 0_i64 })
}

/// A message is due: it names or quotes somebody who is forgotten.
pub(super) fn mark_message_due(
    db: &Database,
    (log, message): (ChannelId, MessageId),
) -> SqlResult<()> {
    let due = "UPDATE log_messages SET at = 0 WHERE log = ?1 AND message = ?2";
    db.conn.execute(due, params![log, message]).map(drop)
}

/// A message was posted that tells of these turns; answers whether it is due, for something in them was erased.
pub(super) fn record_posted_message(
    db: &Database,
    message: (ChannelId, MessageId),
    turns: &[TurnId],
    at: Millis,
) -> SqlResult<bool> {
    record_message(
        db,
        message,
        turns,
        at,
        "EXISTS (SELECT 1 FROM turns WHERE turn = ?3 AND instr(report, ?5) > 0)",
    )
}

/// Puts a message on record that is not yet, as due where this holds; answers whether it is due.
fn record_message(
    db: &Database,
    (log, message): (ChannelId, MessageId),
    turns: &[TurnId],
    at: Millis,
    due_condition: &str,
) -> SqlResult<bool> {
    let put = format!(
        "INSERT INTO log_messages (log, message, turn, at) VALUES (?1, ?2, ?3, CASE WHEN {due_condition} THEN 0 ELSE CAST(?4 AS BIGINT) END)
         ON CONFLICT DO NOTHING"
    );
    let turns = if turns.is_empty() { &[NO_TURN] } else { turns };
    turns.iter().try_for_each(|turn| {
        db.conn
            .execute(&put, params![log, message, turn, at, MARK])
            .map(drop)
    })?;
    let due = "SELECT 1 FROM log_messages WHERE log = ?1 AND message = ?2 AND at = 0";
    db.conn.has_row(due, params![log, message])
}

impl Store {
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

    /// The messages that tell of any of these turns.
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
}
