//! Which message of a log channel tells of which turns: to find it again when it expires or a turn is forgotten. Holds
//! ids and times, never text.

use crate::db::Database;
use crate::row_writes::row;
use crate::sql::SqlResult;
use crate::values::params;
use kith_core::chat::{ChannelId, MessageId, Millis, TurnId};
use kith_core::quotes::MARK;

/// Stands for a message that tells of no turn; turns count from 1.
pub(crate) const NO_TURN: TurnId = TurnId(0);

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
pub(crate) fn record_posted_message(
    db: &Database,
    message: (ChannelId, MessageId),
    turns: &[TurnId],
    at: Millis,
) -> SqlResult<bool> {
    let is_erased = "EXISTS (SELECT 1 FROM turns WHERE turn = ?3 AND instr(report, ?5) > 0)";
    record_message(db, message, turns, at, is_erased)
}

/// Puts a message on record that is not yet, as due where this holds; answers whether it is due.
pub(crate) fn record_message(
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
