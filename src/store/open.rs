//! Opening databases: checks before the first write, the lock against a second daemon, pragmas.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::db::Db;
use super::error::StoreError;
use super::thread::{Opened, Threads};
use super::{forget, private, schema};

/// The most rows one commit of a file takes: a crash before it loses nothing that was acknowledged.
const FILE_GROUP: usize = 64;
/// The same where nothing is durable.
const MEMORY_GROUP: usize = 4_096;
/// How long to wait for another program that has the file for a moment.
pub(super) const BUSY: Duration = Duration::from_secs(5);
/// The page cache of each connection, in KiB.
const CACHE_KIB: i64 = 8 * 1024;

pub(super) fn file(path: &Path) -> Result<Threads, StoreError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs::create_dir_all(folder).map_err(|error| cannot_open(path, &error))?;
    }
    check_header(path)?;
    private::close_to_others(path);
    let lock = lock(path)?;
    let explain = |error: rusqlite::Error| StoreError::explain(&error, path);
    let conn =
        Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE))
            .map_err(explain)?;
    conn.busy_timeout(BUSY).map_err(explain)?;
    if conn.is_readonly("main").map_err(explain)? {
        return Err(StoreError::ReadOnly { path: path.into() });
    }
    schema::check_version(&conn, path)?;
    set_up(&conn, "WAL").map_err(explain)?;
    let writer = ready(conn, path)?;
    let conn = Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_ONLY)).map_err(explain)?;
    conn.busy_timeout(BUSY).map_err(explain)?;
    conn.pragma_update(None, "cache_size", -CACHE_KIB).map_err(explain)?;
    let reader = Db::new(conn, path.into());
    Threads::start(writer, Some(reader), Some(Opened { file: path.into(), _lock: lock }), FILE_GROUP)
        .map_err(|error| cannot_open(path, &error))
}

pub(super) fn in_memory() -> Result<Threads, StoreError> {
    without_name(":memory:", "(in memory)")
}

pub(super) fn temporary() -> Result<Threads, StoreError> {
    without_name("", "(temporary)")
}

fn without_name(name: &str, shown: &str) -> Result<Threads, StoreError> {
    let path = Path::new(shown);
    let explain = |error: rusqlite::Error| StoreError::explain(&error, path);
    let conn = Connection::open(name).map_err(explain)?;
    set_up(&conn, "MEMORY").map_err(explain)?;
    Threads::start(ready(conn, path)?, None, None, MEMORY_GROUP).map_err(|error| cannot_open(path, &error))
}

fn set_up(conn: &Connection, journal: &str) -> rusqlite::Result<()> {
    conn.pragma_update(None, "journal_mode", journal)?;
    conn.pragma_update(None, "synchronous", "NORMAL")?;
    conn.pragma_update(None, "secure_delete", true)?;
    conn.pragma_update(None, "cache_size", -CACHE_KIB)
}

fn ready(mut conn: Connection, path: &Path) -> Result<Db, StoreError> {
    let explain = |error: rusqlite::Error| StoreError::explain(&error, path);
    schema::migrate(&mut conn).map_err(explain)?;
    let arrival: i64 = conn.query_row("SELECT arrival FROM counter", [], |row| row.get(0)).map_err(explain)?;
    let forgotten_until = forget::forgotten_until(&conn).map_err(explain)?;
    let mut db = Db::new(conn, path.into());
    (db.arrival, db.forgotten_until) = (arrival as u64, forgotten_until);
    Ok(db)
}

pub(super) fn flags(access: OpenFlags) -> OpenFlags {
    // Each connection stays on its own thread, so SQLite need not guard it.
    access | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

/// Looks at an existing file without SQLite, which would already write beside it.
fn check_header(path: &Path) -> Result<(), StoreError> {
    let mut header = Vec::new();
    match File::open(path) {
        Ok(file) => {
            let meta = file.metadata().map_err(|error| cannot_open(path, &error))?;
            if !meta.is_file() {
                return Err(StoreError::NotADatabase { path: path.into() });
            }
            if meta.permissions().readonly() {
                return Err(StoreError::ReadOnly { path: path.into() });
            }
            file.take(schema::HEADER_BYTES).read_to_end(&mut header).map_err(|error| cannot_open(path, &error))?;
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(cannot_open(path, &error)),
    }
    schema::check_header(&header, path)
}

/// Takes the lock beside the database, so that a second daemon is told at once. The system lets go of it when the
/// process ends, however it ends.
fn lock(path: &Path) -> Result<File, StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let beside = PathBuf::from(name);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&beside)
        .map_err(|error| cannot_open(&beside, &error))?;
    match file.try_lock() {
        Ok(()) => {
            // The number is for the other one's error text; the lock holds without it.
            let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let _ = file.read_to_string(&mut holder);
            let holder = match holder.trim() {
                "" => "another Kith".into(),
                process => format!("another Kith (process {process})"),
            };
            Err(StoreError::InUse { path: path.into(), holder })
        }
        Err(TryLockError::Error(error)) => Err(cannot_open(&beside, &error)),
    }
}

fn cannot_open(path: &Path, error: &std::io::Error) -> StoreError {
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly { path: path.into() },
        ErrorKind::StorageFull => StoreError::DiskFull { path: path.into() },
        _ => StoreError::Open { path: path.into(), reason: error.to_string() },
    }
}
