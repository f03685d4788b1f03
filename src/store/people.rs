//! People nobody has any use for any more: their name and id go when the last message, reaction, mention, choice,
//! intention and line that notes them is gone.

use super::{Store, StoreError, StoreReply};
use crate::catalogue::{self, Column, ColumnRole, select_texts};
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, params};

/// Tables that tell of somebody as long as something else refers to them, or have their name themselves.
const UNKNOWING: [&str; 5] = [
    "departed_members",
    "former_authors",
    "people",
    "proposals",
    "stickers",
];

/// Selects the ids of whoever is referred to, besides by name in what is noted. Mentions are kept as JSON, ids as texts.
fn select_known() -> String {
    let columns = catalogue::columns_of(ColumnRole::Person);
    let columns = columns.filter(|(table, _)| !UNKNOWING.contains(&table.name));
    let known: String = columns
        .map(|(table, Column { name, .. })| {
            format!(
                "SELECT {name} FROM {} WHERE {name} IS NOT NULL UNION ",
                table.name
            )
        })
        .collect();
    known
        + "SELECT CAST(value AS BIGINT) FROM messages, json_each(mentions) WHERE mentions IS NOT NULL"
}

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
        let delete = "DELETE FROM people WHERE id IN (SELECT value FROM json_each(?1))
             AND id NOT IN (SELECT author FROM messages WHERE arrival > ?2)
             AND id NOT IN (SELECT user FROM reactions WHERE arrival > ?2)";
        let gone = db
            .conn
            .execute(delete, params![JsonColumn(&unknown), end])?;
        db.erased |= gone > 0;
        Ok(gone)
    });
    prune.wait()
}

/// Asks for who is not referred to. `NOT IN` would do, but a server reads through everybody who is, once for each person,
/// when that is more than it keeps in memory.
pub(crate) fn format_unreferenced() -> String {
    let (known, noted) = (select_known(), select_texts(&[ColumnRole::Note]));
    format!(
        "SELECT id FROM people WHERE id IN (SELECT id FROM people EXCEPT SELECT * FROM ({known}) AS known)
         AND NOT EXISTS (SELECT 1 FROM ({noted}) AS noted WHERE trim(name) <> '' AND instr(lower(text), lower(trim(name))) > 0)"
    )
}

/// The arrival number up to which it was looked, and who is not referred to by then.
fn find_unreferenced(conn: &SqlConnection) -> SqlResult<(i64, Vec<i64>)> {
    let end = conn.read_one("SELECT arrival FROM counter", params![])?;
    Ok((end, conn.read_all(&format_unreferenced(), params![])?))
}
