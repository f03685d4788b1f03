//! The outbox: what is to be said is on the disk before it is sent, and is said once.

use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::append::{Incoming, Stored, store_event, store_message};
use super::db::Db;
use super::thread::Kind;
use super::values::Json;
use super::{Pending, Store};
use crate::core::chat::{ChannelId, MessageId, Millis, TurnId};

const PENDING: i64 = 0;
const DONE: i64 = 1;
const DROPPED: i64 = 2;

/// A visible action that the platform carries out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Post a message.
    Send {
        /// What to say.
        text: String,
        /// The message to reply to.
        reply_to: Option<MessageId>,
    },
    /// Put a reaction on a message.
    React {
        /// On which message.
        message: MessageId,
        /// Which emoji, as text.
        emoji: String,
    },
}

/// An action on its way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Unique over restarts; the platform de-duplicates by it for some minutes, the store for good.
    pub nonce: String,
    /// The turn that asked for it; none for the small reactions of Law 1.
    pub turn: Option<TurnId>,
    /// Its number in the turn.
    pub part: u32,
    /// Where.
    pub channel: ChannelId,
    /// What.
    pub action: Action,
    /// The arrival number of the newest event the turn had seen: after a crash nothing up to it is answered again.
    pub cursor: u64,
    /// When it was journaled.
    pub at: Millis,
}

/// What the journal says to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Journaled {
    /// It is on the disk: send it.
    New,
    /// This nonce was journaled before and never settled: look whether it was sent, then settle or send it again.
    Unsettled,
    /// It was delivered or dropped before: do not send it.
    Settled,
}

impl Store {
    /// Writes an action down; answered when it is on the disk for good (synchronous = FULL), and only then sent.
    pub fn journal(&self, outgoing: Outgoing) -> Pending<Journaled> {
        self.write_as(Kind::Journal, move |db| journal(db, &outgoing))
    }

    /// Stores what became of a journaled action (the own message, or the own reaction) and marks the action as
    /// done, in one transaction. The same nonce settled again answers with what it became the first time.
    pub fn settle(&self, nonce: impl Into<String>, delivered: Incoming) -> Pending<Stored> {
        let nonce = nonce.into();
        self.write(move |db| settle(db, &nonce, &delivered))
    }

    /// Gives an action up: it was not sent and never will be.
    pub fn drop_outgoing(&self, nonce: impl Into<String>) -> Pending<()> {
        let nonce = nonce.into();
        self.write(move |db| finish(db, &nonce, DROPPED, None))
    }

    /// What was journaled and neither settled nor dropped, oldest first: to be looked after at the start.
    pub fn pending_outbox(&self) -> Pending<Vec<Outgoing>> {
        self.read(|conn| {
            let mut find = conn.prepare_cached(
                "SELECT nonce, turn, part, channel, action, cursor, journaled_at FROM outbox
                 WHERE state = 0 ORDER BY journaled_at, rowid",
            )?;
            let rows = find.query_map([], |row| {
                let Json(action) = row.get(4)?;
                Ok(Outgoing {
                    nonce: row.get(0)?,
                    turn: row.get(1)?,
                    part: row.get(2)?,
                    channel: row.get(3)?,
                    action,
                    cursor: row.get::<_, i64>(5)? as u64,
                    at: row.get(6)?,
                })
            })?;
            rows.collect()
        })
    }
}

fn journal(db: &mut Db, outgoing: &Outgoing) -> rusqlite::Result<Journaled> {
    let Outgoing { nonce, turn, part, channel, action, cursor, at } = outgoing;
    let mut insert = db.conn.prepare_cached(
        "INSERT OR IGNORE INTO outbox (nonce, turn, part, channel, action, cursor, journaled_at, state)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    if insert.execute(params![nonce, turn, part, channel, Json(action), *cursor as i64, at, PENDING])? > 0 {
        return Ok(Journaled::New);
    }
    let mut find = db.conn.prepare_cached("SELECT state FROM outbox WHERE nonce = ?1")?;
    let state: i64 = find.query_row([nonce], |row| row.get(0))?;
    Ok(if state == PENDING { Journaled::Unsettled } else { Journaled::Settled })
}

fn settle(db: &mut Db, nonce: &str, delivered: &Incoming) -> rusqlite::Result<Stored> {
    let (stored, message) = match delivered {
        Incoming::Message(message) => {
            let stored = store_message(db, message, Some(nonce))?;
            if !stored.new {
                // The platform's echo was faster than its answer.
                let mut mark = db
                    .conn
                    .prepare_cached("UPDATE OR IGNORE messages SET nonce = ?2 WHERE arrival = ?1 AND nonce IS NULL")?;
                mark.execute(params![stored.arrival as i64, nonce])?;
            }
            (stored, Some(message.id))
        }
        other => (store_event(db, other)?, None),
    };
    finish(db, nonce, DONE, message)?;
    Ok(stored)
}

/// The action's text is not kept: the message is.
fn finish(db: &mut Db, nonce: &str, state: i64, message: Option<MessageId>) -> rusqlite::Result<()> {
    let mut update = db
        .conn
        .prepare_cached("UPDATE outbox SET state = ?2, message = ?3, action = NULL WHERE nonce = ?1 AND state = 0")?;
    update.execute(params![nonce, state, message])?;
    Ok(())
}
