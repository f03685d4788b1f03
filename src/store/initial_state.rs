//! What the writer of a database knows of it from the start, whichever engine has it.

use std::path::Path;

use super::db::Database;
use super::forget::tombstones;
use super::journal;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;

/// What a writer has to know of a database that has its tables.
pub(super) fn load_database(conn: SqlConnection, path: &Path) -> SqlResult<Database> {
    let arrival: i64 = conn.read_one("SELECT arrival FROM counter", params![])?;
    let forgotten_until = tombstones::find_forgotten_until(&conn)?;
    let withdrawn = journal::find_withdrawn(&conn)?;
    let mut db = Database::new(conn, path.into());
    db.withdrawn = withdrawn;
    (db.arrival, db.forgotten_until) = (arrival as u64, forgotten_until);
    Ok(db)
}
