//! How a connection to a database file is made, and why none can be.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::StoreError;

/// How long to wait for another program that has the file for a moment.
pub(crate) const BUSY: Duration = Duration::from_secs(5);

pub(crate) fn connect(path: &Path) -> Result<Connection, StoreError> {
    let access = add_no_mutex(OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE);
    let conn = Connection::open_with_flags(path, access)
        .and_then(|conn| conn.busy_timeout(BUSY).map(|()| conn))
        .and_then(keep_plans);
    conn.map_err(|error| StoreError::explain(error, path))
}

/// The same that only reads, beside the others.
pub(crate) fn connect_reading(path: &Path) -> Result<Connection, StoreError> {
    let access = add_no_mutex(OpenFlags::SQLITE_OPEN_READ_ONLY);
    let conn = Connection::open_with_flags(path, access)
        .and_then(|conn| conn.busy_timeout(BUSY).map(|()| conn))
        .and_then(keep_plans);
    conn.map_err(|error| StoreError::explain(error, path))
}

/// Has SQLite plan a statement once. Otherwise it looks at what is bound to a `LIMIT` and plans the statement anew each time
/// that is bound: half of what reading a few lines by an index takes, measured.
pub(crate) fn keep_plans(conn: Connection) -> rusqlite::Result<Connection> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(conn)
}

pub(crate) fn add_no_mutex(access: OpenFlags) -> OpenFlags {
    // Each connection stays on its own thread, so SQLite need not guard it.
    access | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

pub(crate) fn to_open_error(path: &Path, error: &std::io::Error) -> StoreError {
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly { path: path.into() },
        ErrorKind::StorageFull => StoreError::DiskFull { path: path.into() },
        _ => StoreError::Open {
            path: path.into(),
            reason: error.to_string(),
        },
    }
}

/// A file's name with something behind it: what belongs to a database stands beside it.
pub(crate) fn append_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
