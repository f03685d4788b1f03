//! People nobody has any use for any more: their name and id go when the last message, reaction, mention, choice,
//! intention and line that notes them is gone.

use super::{Store, StoreError, StoreReply};
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::chat::UserId;

/// Whoever is referred to, besides by name in what is noted. Mentions are kept as JSON, ids as texts.
const KNOWN: &str = "
    SELECT author FROM messages UNION SELECT user FROM reactions
    UNION SELECT chosen_by FROM manual_overrides WHERE chosen_by IS NOT NULL
    UNION SELECT person FROM intents WHERE person IS NOT NULL
    UNION SELECT person FROM memories WHERE person IS NOT NULL UNION SELECT said_by FROM memories WHERE said_by IS NOT NULL
    UNION SELECT person FROM memory_people UNION SELECT author FROM memory_sources
    UNION SELECT CAST(value AS BIGINT) FROM messages, json_each(mentions) WHERE mentions IS NOT NULL";

/// What the companion wrote down and keeps.
const NOTED: &str = "SELECT text FROM core_memory UNION ALL SELECT list FROM todos UNION ALL SELECT text FROM summaries
    UNION ALL SELECT text FROM memories UNION ALL SELECT text FROM core_memory_versions";

impl Store {
    /// Removes the names and ids of people to whom nothing that is kept refers; answers how many. Looks through all
    /// messages beside the writer, and takes it only for the removal.
    pub fn prune_people(&self) -> StoreReply<usize> {
        self.run_in_steps(prune)
    }
}

fn prune(store: &Store) -> Result<usize, StoreError> {
    let (end, unknown) = store.read(find_unreferenced).wait()?;
    if unknown.is_empty() {
        return Ok(0);
    }
    let prune = store.write(move |db| {
        // Who wrote or reacted since is known again.
        let mut delete = db.conn.prepare_cached(
            "DELETE FROM people WHERE id IN (SELECT value FROM json_each(?1))
             AND id NOT IN (SELECT author FROM messages WHERE arrival > ?2)
             AND id NOT IN (SELECT user FROM reactions WHERE arrival > ?2)",
        )?;
        let gone = delete.execute(params![JsonColumn(&unknown), end])?;
        db.erased |= gone > 0;
        Ok(gone)
    });
    prune.wait()
}

/// Asks for who is not referred to. `NOT IN` would do, but a server reads through everybody who is, once for each person,
/// when that is more than it keeps in memory.
pub(crate) fn format_unreferenced() -> String {
    format!(
        "SELECT id FROM people WHERE id IN (SELECT id FROM people EXCEPT SELECT * FROM ({KNOWN}) AS known)
         AND NOT EXISTS (SELECT 1 FROM ({NOTED}) AS noted WHERE trim(name) <> '' AND instr(lower(text), lower(trim(name))) > 0)"
    )
}

/// The arrival number up to which it was looked, and who is not referred to by then.
fn find_unreferenced(conn: &SqlConnection) -> SqlResult<(i64, Vec<i64>)> {
    let end = conn.query_row("SELECT arrival FROM counter", params![], |row| row.read(0))?;
    let mut find = conn.prepare_cached(&format_unreferenced())?;
    let rows = find.query_map(params![], |row| {
        row.read::<UserId>(0).map(|user| user.0 as i64)
    })?;
    Ok((end, rows.collect::<SqlResult<_>>()?))
}
