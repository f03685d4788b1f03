//! Empties the write-ahead log and writes the database anew, so that no file holds what was erased.

use std::time::Duration;

use crate::db::Database;
use crate::sql::SqlResult;
use crate::sqlite::connection::BUSY;
use crate::values::params;

/// Writes the whole database anew, without what was erased. `secure_delete` blanks a row where it is deleted, but where
/// SQLite spread a full page over two before, a copy of the row can stay in the unused part of the first one. Takes
/// about six seconds a gigabyte, during which nothing else is written; done once for all who were forgotten before.
pub(super) fn rewrite_database(db: &mut Database) -> SqlResult<()> {
    for part in db.unwritten.clone() {
        rewrite_part(db, part)?;
    }
    end_rewriting(db).map(drop)
}

/// Writes one part of it anew, unless nothing was erased there or somebody else has it.
pub(super) fn rewrite_part(db: &mut Database, part: &'static str) -> SqlResult<()> {
    db.erased = true;
    if !db.unwritten.contains(part) {
        return Ok(());
    }
    // A word that is taken out of the index may be what one of its pages begins with: the list of these keeps its beginning.
    if let Some(renew) = db.conn.statements().renew_index {
        db.conn.execute_batch(renew)?;
    }
    if db.conn.rewrite(part)? {
        db.unwritten.remove(part);
    }
    Ok(())
}

/// Answers whether all of it was written anew.
pub(super) fn end_rewriting(db: &mut Database) -> SqlResult<bool> {
    db.erased = true;
    // Where another program reads the old database just now, it is tried again in a few seconds.
    let _ = empty_log(db);
    Ok(db.unwritten.is_empty())
}

pub(super) fn empty_log(db: &mut Database) -> SqlResult<()> {
    if db.conn.as_sqlite().is_none() {
        // A server sees to that by itself.
        db.erased = false;
        return Ok(());
    }
    let busy: bool = db
        .conn
        .read_one("PRAGMA wal_checkpoint(TRUNCATE)", params![])?;
    if busy {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
        return Err(rusqlite::Error::SqliteFailure(code, None).into());
    }
    db.erased = false;
    Ok(())
}

/// The same, unless somebody reads what is older than the log: for them nobody is made to wait.
pub(super) fn empty_log_if_free(db: &mut Database) -> SqlResult<()> {
    let set_timeout = |db: &Database, time| match db.conn.as_sqlite() {
        Some(conn) => conn.busy_timeout(time),
        None => Ok(()),
    };
    set_timeout(db, Duration::ZERO)?;
    let emptied = empty_log(db);
    set_timeout(db, BUSY)?;
    emptied
}
