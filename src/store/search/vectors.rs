//! Vectors of messages, made by an embedding model: which are still to be made, keeping them, and finding the nearest. They
//! go with the message they were made of: triggers of the schema see to that.

use crate::db::Database;
use crate::sql::SqlResult;
use crate::values::params;
use kith_core::chat::UserId;

const REMOVED: i64 = 2_000;

/// Removes some of the vectors that nothing stands behind any more; answers how many.
pub(crate) fn remove_orphans(db: &mut Database) -> SqlResult<usize> {
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

pub(crate) fn remove_of_person(db: &mut Database, user: UserId) -> SqlResult<()> {
    let removed = db.conn.execute(
        "DELETE FROM message_vectors WHERE arrival IN (SELECT arrival FROM messages WHERE author = ?1)",
        params![user],
    )?;
    db.erased |= removed > 0;
    Ok(())
}
