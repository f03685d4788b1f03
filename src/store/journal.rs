//! The journal of what is about to be said: an action is written down before it is sent.

use crate::db::Database;
use crate::leavers::late_writes;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, params};
use kith_core::chat::{ChannelId, MessageId, Millis};
use kith_core::outgoing::{OutgoingAction, VisibleAction};

const PENDING: i64 = 0;
const DONE: i64 = 1;
const DROPPED: i64 = 2;
const WITHDRAWN: i64 = 3;

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
) -> SqlResult<JournalOutcome> {
    let is_dropped = match &outgoing.action {
        VisibleAction::Send { text, .. } => {
            late_writes::is_about_leaving_person(db, outgoing.channel, text)?
        }
        VisibleAction::React { .. } => false,
    };
    insert_action(db, outgoing, is_dropped)
}

/// Writes down that an action is to be done, or that it never is, and then not what it says.
pub(super) fn insert_action(
    db: &Database,
    outgoing: &OutgoingAction,
    is_dropped: bool,
) -> SqlResult<JournalOutcome> {
    let it = outgoing;
    let answers = (!it.answers.is_empty()).then_some(JsonColumn(&it.answers));
    let (state, kept) = if is_dropped {
        (DROPPED, None)
    } else {
        (PENDING, Some(JsonColumn(&it.action)))
    };
    let new = row! {
        nonce: it.nonce, turn: it.turn, part: it.part, channel: it.channel, action: kept, cursor: it.cursor as i64,
        journaled_at: it.at, state, answers,
    };
    if db.conn.add_row("outbox", new)? && !is_dropped {
        return Ok(JournalOutcome::New);
    }
    let state: i64 = db.conn.read_one(
        "SELECT state FROM outbox WHERE nonce = ?1",
        params![it.nonce],
    )?;
    Ok(if state == PENDING {
        JournalOutcome::Unsettled
    } else {
        JournalOutcome::Settled
    })
}

pub(super) fn drop_action(db: &Database, nonce: &str) -> SqlResult<()> {
    finish(db, nonce, DROPPED, None)
}

/// Gives an action up for what it repeats. It may have been sent: nobody waits for that any more.
pub(super) fn withdraw_action(db: &Database, nonce: &str) -> SqlResult<()> {
    finish(db, nonce, WITHDRAWN, None)
}

/// The messages that are not sent yet, or of which it is not known.
pub(super) fn find_pending_messages(
    conn: &SqlConnection,
) -> SqlResult<Vec<(String, ChannelId, String)>> {
    let find = "SELECT nonce, channel, action FROM outbox WHERE state = 0";
    let pending: Vec<(String, ChannelId, JsonColumn<VisibleAction>)> =
        conn.read_all(find, params![])?;
    let messages = pending
        .into_iter()
        .filter_map(|(nonce, channel, JsonColumn(action))| match action {
            VisibleAction::Send { text, .. } => Some((nonce, channel, text)),
            VisibleAction::React { .. } => None,
        });
    Ok(messages.collect())
}

/// Where and when messages were journaled that were given up for what they repeat.
pub(super) fn find_withdrawn(conn: &SqlConnection) -> SqlResult<Vec<(ChannelId, Millis)>> {
    let find = "SELECT channel, journaled_at FROM outbox WHERE state = ?1";
    conn.read_all(find, params![WITHDRAWN])
}

/// Notes that an action is done, and which message it became.
pub(super) fn mark_delivered(
    db: &Database,
    nonce: &str,
    message: Option<MessageId>,
) -> SqlResult<()> {
    finish(db, nonce, DONE, message)
}

/// The action's text is not kept: the message is.
fn finish(db: &Database, nonce: &str, state: i64, message: Option<MessageId>) -> SqlResult<()> {
    let update = "UPDATE outbox SET state = ?2, message = ?3, action = NULL, answers = NULL WHERE nonce = ?1 AND state = 0";
    db.conn.execute(update, params![nonce, state, message])?;
    Ok(())
}
