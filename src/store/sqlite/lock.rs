//! The lock against a second daemon: a file beside the database, whose lock the system lets go of when the process ends,
//! however it ends.
//!
//! Somebody may delete that file while a daemon runs, and then a second one could lock a new one. So the file holds a
//! token that the database holds as well. Where they differ, SQLite is asked whether anybody has the database open.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use kith_language::store;
use rusqlite::Connection;

use super::connection::{append_suffix, connect, to_open_error};
use super::schema;
use crate::error::StoreError;
use crate::values::ReadRow;

/// Under which key the database holds the token of its lock file.
const TOKEN: &str = "lock";

pub(crate) struct StoreLock {
    file: File,
    path: PathBuf,
    token: Option<String>,
}

impl StoreLock {
    pub fn acquire(database: &Path) -> Result<Self, StoreError> {
        let path = append_suffix(database, ".lock");
        let options = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path);
        let mut file = options.map_err(|error| to_open_error(&path, &error))?;
        let is_free = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(error)) => return Err(to_open_error(&path, &error)),
        };
        let mut text = String::new();
        // For the other one's number, which is for people only, and the token, without which SQLite is asked.
        let _ = file.read_to_string(&mut text);
        let mut words = text.split_whitespace();
        let (process, token) = (words.next(), words.next().map(str::to_owned));
        if is_free {
            return Ok(Self { file, path, token });
        }
        let holder = process.map_or_else(store::another_kith, store::another_kith_process);
        Err(StoreError::InUse {
            path: database.into(),
            holder,
        })
    }

    /// Whether this is the file that the database was opened with last. `token` is the database's.
    pub fn has_token(&self, token: Option<&str>) -> bool {
        token.is_none() || token == self.token.as_deref()
    }

    /// Makes sure that nobody has the database open, who may hold a lock file that was here before this one.
    pub fn ensure_exclusive(&self, database: &Path) -> Result<(), StoreError> {
        let holder = store::kith_without_lock(self.path.display().to_string());
        let explain = |error: rusqlite::Error| match StoreError::explain(error, database) {
            StoreError::InUse { path, .. } => StoreError::InUse {
                path,
                holder: holder.clone(),
            },
            other => other,
        };
        // Every connection to a database with a write-ahead log keeps a shared lock on it, busy or not.
        let conn = connect(database)?;
        conn.busy_timeout(Duration::ZERO).map_err(explain)?;
        conn.pragma_update(None, "locking_mode", "EXCLUSIVE")
            .map_err(explain)?;
        conn.execute_batch("BEGIN EXCLUSIVE; ROLLBACK")
            .map_err(explain)
    }

    pub fn write_token(&mut self, conn: &Connection) -> rusqlite::Result<()> {
        let token = match read_token(conn)? {
            Some(token) => token,
            None => {
                let keep =
                    "INSERT INTO meta VALUES (?1, lower(hex(randomblob(16)))) RETURNING value";
                conn.query_row(keep, [TOKEN], |row| row.read(0))?
            }
        };
        // The lock holds without it; then the next start has to ask.
        let _ = self.file.set_len(0).and_then(|()| self.file.rewind());
        let _ = write!(self.file, "{} {token}", std::process::id());
        Ok(())
    }
}

/// The token of the lock file the database was opened with last; none in one that is new.
pub(crate) fn read_token(conn: &Connection) -> rusqlite::Result<Option<String>> {
    schema::read_meta(conn, TOKEN)
}
