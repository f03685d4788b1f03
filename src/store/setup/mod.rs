//! Opening a database, on either engine: what is checked, locked and made, and what its writer knows from the start.

pub(crate) mod database_copy;
pub(crate) mod file;
pub(crate) mod server;

use std::path::Path;

use crate::db::Database;
use crate::journal;
use crate::leavers::tombstones;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;

pub(crate) fn load_database(conn: SqlConnection, path: &Path) -> SqlResult<Database> {
    let arrival: i64 = conn.read_one("SELECT arrival FROM counter", params![])?;
    let forgotten_until = tombstones::find_forgotten_until(&conn)?;
    let withdrawn = journal::find_withdrawn(&conn)?;
    let mut db = Database::new(conn, path.into());
    db.withdrawn = withdrawn;
    (db.arrival, db.forgotten_until) = (arrival as u64, forgotten_until);
    Ok(db)
}
