//! The outbox: what is to be said is on the disk before it is sent, and is said once.

use super::append::{AppendOutcome, store_event, store_message};
use super::connection_threads::JobKind;
use super::db::Database;
use super::deleted_quotes;
use super::journal::{JournalOutcome, drop_action, insert_action, mark_delivered, record_action};
use super::{Store, StoreReply};
use crate::sql::SqlResult;
use crate::values::{ReadRow, params};
use kith_core::chat::{AuthorKind, ChannelId, MessageId, Millis};
use kith_core::event::ChatEvent;
use kith_core::outgoing::{OutgoingAction, VisibleAction};

impl Store {
    /// Writes an action down; answered when it is on the disk for good (synchronous = FULL), and only then sent. What
    /// would tell of somebody who is being forgotten right now, or quotes what was erased since it was made, counts as
    /// dropped.
    pub fn journal(&self, outgoing: OutgoingAction) -> StoreReply<JournalOutcome> {
        self.write_as(JobKind::Journal, move |db| {
            // It may have waited for the server, where no erasure found it.
            if let VisibleAction::Send { text, .. } = &outgoing.action
                && deleted_quotes::is_erased_since(db, outgoing.channel, text, outgoing.at)?
            {
                return insert_action(db, &outgoing, true);
            }
            record_action(db, &outgoing)
        })
    }

    /// Stores what became of a journaled action (the own message, or the own reaction) and marks the action as
    /// done, in one transaction. Every answer means that it is delivered: where nothing is new, the platform's echo
    /// was stored first and the arrival is that of this very message. The same nonce settled again answers with what it
    /// became the first time.
    pub fn settle(
        &self,
        nonce: impl Into<String>,
        delivered: ChatEvent,
    ) -> StoreReply<AppendOutcome> {
        let nonce = nonce.into();
        self.write(move |db| settle(db, &nonce, &delivered))
    }

    /// The newest messages in a channel of which it is known that they are what became of an action. One of the
    /// companion's own that only the platform told of is not among them: it may be what is still to be settled.
    pub fn find_settled_messages(
        &self,
        channel: ChannelId,
        limit: usize,
    ) -> StoreReply<Vec<MessageId>> {
        self.read(move |conn| {
            let find = "SELECT id FROM messages WHERE channel = ?1 AND author_kind = ?2 AND nonce IS NOT NULL
                 ORDER BY id DESC LIMIT ?3";
            conn.read_all(find, params![channel, AuthorKind::Companion, limit as i64])
        })
    }

    /// Whether an action is journaled and neither settled nor given up.
    pub fn is_pending(&self, nonce: impl Into<String>) -> StoreReply<bool> {
        let nonce = nonce.into();
        self.read(move |conn| {
            conn.has_row(
                "SELECT 1 FROM outbox WHERE nonce = ?1 AND state = 0",
                params![&nonce],
            )
        })
    }

    /// Whether any of these messages is still on record: not deleted, and nobody forgotten wrote it.
    pub fn is_any_kept(&self, channel: ChannelId, messages: Vec<MessageId>) -> StoreReply<bool> {
        self.read(move |conn| {
            let mut find =
                conn.prepare_cached("SELECT 1 FROM messages WHERE channel = ?1 AND id = ?2")?;
            messages.iter().try_fold(false, |kept, id| {
                Ok(kept || find.exists(params![channel, id])?)
            })
        })
    }

    /// Gives an action up: it was not sent and never will be.
    pub fn drop_outgoing(&self, nonce: impl Into<String>) -> StoreReply<()> {
        let nonce = nonce.into();
        self.write(move |db| drop_action(db, &nonce))
    }

    /// How many actions are journaled and neither settled nor dropped, and when the oldest of them was journaled.
    pub fn find_outbox_age(&self) -> StoreReply<(u64, Option<Millis>)> {
        self.read(|conn| {
            let age = "SELECT count(*), min(journaled_at) FROM outbox WHERE state = 0";
            conn.read_one(age, params![])
        })
    }

    /// What was journaled and neither settled nor dropped, oldest first: to be looked after at the start.
    pub fn pending_outbox(&self) -> StoreReply<Vec<OutgoingAction>> {
        self.read(|conn| {
            let find = "SELECT nonce, turn, part, channel, action, cursor, journaled_at, answers FROM outbox
                 WHERE state = 0 ORDER BY journaled_at, rowid";
            conn.map_all(find, params![], |row| {
                Ok(OutgoingAction {
                    nonce: row.read(0)?,
                    turn: row.read(1)?,
                    part: row.read(2)?,
                    channel: row.read(3)?,
                    action: row.read_json(4)?,
                    cursor: row.read(5)?,
                    at: row.read(6)?,
                    answers: row.read_json::<Option<_>>(7)?.unwrap_or_default(),
                })
            })
        })
    }
}

fn settle(db: &mut Database, nonce: &str, delivered: &ChatEvent) -> SqlResult<AppendOutcome> {
    let (stored, message) = match delivered {
        ChatEvent::Message(message) => {
            let stored = store_message(db, message, Some(nonce))?;
            if !stored.new {
                // The platform's echo was faster than its answer.
                let mark = "UPDATE messages SET nonce = ?2 WHERE arrival = ?1 AND nonce IS NULL
                         AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.nonce = ?2)";
                db.conn
                    .execute(mark, params![stored.arrival as i64, nonce])?;
            }
            (stored, Some(message.id))
        }
        other => (store_event(db, other)?, None),
    };
    mark_delivered(db, nonce, message)?;
    Ok(stored)
}
