//! Vectors of messages, made by an embedding model: which are still to be made, keeping them, and finding the nearest. They
//! go with the message they were made of: triggers of the schema see to that.

mod pending;
mod search;

use super::db::Database;
use super::{Store, StoreReply};
use crate::sql::SqlResult;
use crate::values::params;
use kith_core::chat::UserId;

pub(super) use pending::mark_late_message;
pub use pending::{UnembeddedBatch, UnembeddedMessage};
pub use search::{SimilarMessages, VectorSearch};

/// Vectors removed in one commit.
const REMOVED: i64 = 2_000;

impl Store {
    /// Removes all vectors but those of `model`, and of these what has lost its message to damage. Without a model all go.
    /// In many commits, so that nobody waits long behind it.
    pub fn remove_other_vectors(&self, model: Option<String>) -> StoreReply<()> {
        self.run_in_steps(move |store| {
            let models = move |db: &mut Database| {
                db.conn.execute(
                    "DELETE FROM vector_coverage WHERE model IN (SELECT id FROM vector_models WHERE name IS DISTINCT FROM ?1)",
                    params![model],
                )?;
                let removed = db
                    .conn
                    .execute("DELETE FROM vector_models WHERE name IS DISTINCT FROM ?1", params![model])?;
                db.erased |= removed > 0;
                Ok(())
            };
            store.write(models).wait()?;
            while store.write(remove_orphans).wait()? > 0 {}
            Ok(())
        })
    }
}

/// Removes some of the vectors that nothing stands behind any more; answers how many.
fn remove_orphans(db: &mut Database) -> SqlResult<usize> {
    let removed = db.conn.execute(
        "DELETE FROM message_vectors WHERE (channel, arrival, model) IN (
             SELECT channel, arrival, model FROM message_vectors v
             WHERE model NOT IN (SELECT id FROM vector_models)
                OR NOT EXISTS (SELECT 1 FROM messages m WHERE m.arrival = v.arrival) LIMIT ?1)",
        params![REMOVED],
    )?;
    db.erased |= removed > 0;
    Ok(removed)
}

/// Removes the vectors of everything that somebody wrote.
pub(super) fn remove_of_person(db: &mut Database, user: UserId) -> SqlResult<()> {
    let removed = db.conn.execute(
        "DELETE FROM message_vectors WHERE arrival IN (SELECT arrival FROM messages WHERE author = ?1)",
        params![user],
    )?;
    db.erased |= removed > 0;
    Ok(())
}
