//! Opening databases: checks before the first write, the lock against a second daemon, pragmas.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use rusqlite::Connection;

use super::{database_copy, load_database};
use crate::connection_threads::{
    DURABLE_GROUP, MEMORY_GROUP, OpenedDatabase, OpenedFile, StoreThreads,
};
use crate::db::Database;
use crate::error::StoreError;
use crate::sql::{SqlConnection, SqlResult};
use crate::sqlite::connection::{
    append_suffix, connect, connect_reading, keep_plans, to_open_error,
};
use crate::sqlite::lock::{self, StoreLock};
use crate::sqlite::{damage, file_permissions, schema};
use crate::{migration_mark, text_index};

/// The page cache of each connection, in KiB.
const CACHE_KIB: i64 = 6 * 1024;

pub(crate) fn open_file(path: &Path) -> Result<StoreThreads, StoreError> {
    let (conn, mut lock) = lock_file(path)?;
    let explain = |error: rusqlite::Error| StoreError::explain(error, path);
    let damaged = |error: rusqlite::Error| StoreError::explain_damage(error, path);
    migration_mark::refuse_unfinished(migration_mark::find_in_file(&conn).map_err(damaged)?, path)?;
    let size = fs::metadata(path).map_or(0, |about| about.len());
    // An older one is about to be changed as a whole.
    let next_format = schema::next_format(&conn).map_err(damaged)?;
    let is_checked = size <= damage::CHECKED_AT_ONCE || next_format.is_some();
    if is_checked {
        check(&conn, path)?;
    }
    if let Some(format) = next_format {
        database_copy::keep_before_migration(path, format)?;
    }
    configure_connection(&conn, "WAL").map_err(explain)?;
    let writer =
        prepare_database(conn, path).map_err(|error| StoreError::explain_damage(error, path))?;
    if let Some(conn) = writer.conn.as_sqlite() {
        lock.write_token(conn).map_err(explain)?;
    }
    let conn = connect_reading(path)?;
    conn.pragma_update(None, "cache_size", -CACHE_KIB)
        .map_err(explain)?;
    let reader = Database::new(conn.into(), path.into());
    let opened = OpenedDatabase::File(OpenedFile {
        file: path.into(),
        is_checked,
        _lock: lock,
    });
    StoreThreads::start(writer, Some(reader), Some(opened), DURABLE_GROUP)
        .map_err(|error| to_open_error(path, &error))
}

/// Connects to a file that may be used, and holds the lock against a second Kith. Changes nothing in it.
pub(crate) fn lock_file(path: &Path) -> Result<(Connection, StoreLock), StoreError> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs::create_dir_all(folder).map_err(|error| to_open_error(path, &error))?;
    }
    check_header(path)?;
    file_permissions::restrict_access(path);
    let lock = StoreLock::acquire(path)?;
    warn_of_damaged_log(path);
    let conn = connect(path)?;
    let is_readonly = conn.is_readonly("main");
    if is_readonly.map_err(|error| StoreError::explain(error, path))? {
        return Err(StoreError::ReadOnly { path: path.into() });
    }
    schema::check_version(&conn, path)?;
    let token = lock::read_token(&conn).map_err(|error| StoreError::explain_damage(error, path))?;
    if lock.has_token(token.as_deref()) {
        return Ok((conn, lock));
    }
    drop(conn);
    lock.ensure_exclusive(path)?;
    Ok((connect(path)?, lock))
}

pub(crate) fn open_in_memory() -> Result<StoreThreads, StoreError> {
    open_unnamed(":memory:", "(in memory)")
}

pub(crate) fn open_temporary() -> Result<StoreThreads, StoreError> {
    open_unnamed("", "(temporary)")
}

fn open_unnamed(name: &str, shown: &str) -> Result<StoreThreads, StoreError> {
    let path = Path::new(shown);
    let explain = |error: rusqlite::Error| StoreError::explain(error, path);
    let conn = Connection::open(name)
        .and_then(keep_plans)
        .map_err(explain)?;
    configure_connection(&conn, "MEMORY").map_err(explain)?;
    let writer = prepare_database(conn, path).map_err(|error| StoreError::explain(error, path))?;
    StoreThreads::start(writer, None, None, MEMORY_GROUP)
        .map_err(|error| to_open_error(path, &error))
}

/// How a writing connection to a file works; `journal` is how it keeps what is not committed.
pub(crate) fn configure_connection(conn: &Connection, journal: &str) -> rusqlite::Result<()> {
    conn.pragma_update(None, "journal_mode", journal)?;
    conn.pragma_update(None, "synchronous", "NORMAL")?;
    conn.pragma_update(None, "secure_delete", true)?;
    conn.pragma_update(None, "cache_size", -CACHE_KIB)
}

fn prepare_database(mut conn: Connection, path: &Path) -> SqlResult<Database> {
    schema::migrate(&mut conn)?;
    let conn = SqlConnection::from(conn);
    text_index::rebuild_if_outdated(&conn)?;
    load_database(conn, path)
}

/// Looks for damage.
///
/// # Errors
/// What is damaged.
pub(crate) fn check(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    match damage::find_damage(conn).map_err(|error| StoreError::explain_damage(error, path))? {
        None => Ok(()),
        Some(reason) => Err(StoreError::Damaged {
            path: path.into(),
            reason,
        }),
    }
}

/// SQLite leaves out what it cannot read of its log. After a power cut that is as it should be; it is told all the same.
fn warn_of_damaged_log(path: &Path) {
    if let Ok(pages @ 1..) = damage::count_lost_pages(&append_suffix(path, "-wal")) {
        tracing::warn!(
            "the write-ahead log of {} is damaged: what was written last before the stop may be missing ({pages} pages)",
            path.display()
        );
    }
}

/// Looks at an existing file without SQLite, which would already write beside it.
pub(crate) fn check_header(path: &Path) -> Result<(), StoreError> {
    let mut header = Vec::new();
    match File::open(path) {
        Ok(file) => {
            let meta = file
                .metadata()
                .map_err(|error| to_open_error(path, &error))?;
            if !meta.is_file() {
                return Err(StoreError::NotADatabase { path: path.into() });
            }
            if meta.permissions().readonly() {
                return Err(StoreError::ReadOnly { path: path.into() });
            }
            file.take(schema::HEADER_BYTES)
                .read_to_end(&mut header)
                .map_err(|error| to_open_error(path, &error))?;
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(to_open_error(path, &error)),
    }
    schema::check_header(&header, path)
}
