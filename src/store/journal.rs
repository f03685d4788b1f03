//! The journal of what is about to be said: an action is written down before it is sent.

use super::db::Database;
use super::forget::late_writes;
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::chat::MessageId;
use kith_core::outgoing::{OutgoingAction, VisibleAction};

const PENDING: i64 = 0;
const DONE: i64 = 1;
const DROPPED: i64 = 2;

/// What the journal says to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalOutcome {
    /// It is on the disk: send it.
    New,
    /// This nonce was journaled before and never settled: look whether it was sent, then settle or send it again.
    Unsettled,
    /// It was delivered or dropped before: do not send it.
    Settled,
}

/// Writes an action down as part of a larger change.
pub(super) fn record_action(
    db: &mut Database,
    outgoing: &OutgoingAction,
) -> rusqlite::Result<JournalOutcome> {
    let OutgoingAction {
        nonce,
        turn,
        part,
        channel,
        action,
        cursor,
        at,
        answers,
    } = outgoing;
    let answers = (!answers.is_empty()).then_some(JsonColumn(answers));
    let is_dropped = match action {
        VisibleAction::Send { text, .. } => {
            late_writes::is_about_leaving_person(db, *channel, text)?
        }
        VisibleAction::React { .. } => false,
    };
    let (state, kept) = if is_dropped {
        (DROPPED, None)
    } else {
        (PENDING, Some(JsonColumn(action)))
    };
    let mut insert = db.conn.prepare_cached(
        "INSERT OR IGNORE INTO outbox (nonce, turn, part, channel, action, cursor, journaled_at, state, answers)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    if insert.execute(params![
        nonce,
        turn,
        part,
        channel,
        kept,
        *cursor as i64,
        at,
        state,
        answers
    ])? > 0
        && !is_dropped
    {
        return Ok(JournalOutcome::New);
    }
    let mut find = db
        .conn
        .prepare_cached("SELECT state FROM outbox WHERE nonce = ?1")?;
    let state: i64 = find.query_row(params![nonce], |row| row.read(0))?;
    Ok(if state == PENDING {
        JournalOutcome::Unsettled
    } else {
        JournalOutcome::Settled
    })
}

/// Gives an action up that was not sent.
pub(super) fn drop_action(db: &Database, nonce: &str) -> rusqlite::Result<()> {
    finish(db, nonce, DROPPED, None)
}

/// Notes that an action is done, and which message it became.
pub(super) fn mark_delivered(
    db: &Database,
    nonce: &str,
    message: Option<MessageId>,
) -> rusqlite::Result<()> {
    finish(db, nonce, DONE, message)
}

/// The action's text is not kept: the message is.
fn finish(
    db: &Database,
    nonce: &str,
    state: i64,
    message: Option<MessageId>,
) -> rusqlite::Result<()> {
    let mut update = db.conn.prepare_cached(
        "UPDATE outbox SET state = ?2, message = ?3, action = NULL, answers = NULL WHERE nonce = ?1 AND state = 0",
    )?;
    update.execute(params![nonce, state, message])?;
    Ok(())
}
