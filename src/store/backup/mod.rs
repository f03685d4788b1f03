//! A copy of the database in one file, made while the daemon runs; and what is in such a copy.

mod later_changes;
mod reapply;
mod restoration;

use std::fs;
use std::path::Path;

pub use restoration::{RestoreReport, restore_backup};
use rusqlite::Connection;

use crate::error::StoreError;
use crate::setup::database_copy::copy_database;
use crate::setup::file;
use crate::sqlite::connection::{connect_reading, to_open_error};
use crate::values::{ReadRow, params};
use kith_core::chat::Millis;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackupSummary {
    pub bytes: u64,
    pub messages: u64,
    pub channels: u64,
    pub people: u64,
    pub memories: u64,
    pub time_range: Option<(Millis, Millis)>,
}

/// Writes a copy of the database at `path`, as it is at this moment, to `file`, which only its owner can open. A file that
/// is there is never touched. The copy is looked through for damage before it gets its name.
///
/// # Errors
/// Says why there is no backup. A damaged database is named with its cure.
pub fn backup(path: &Path, file: &Path) -> Result<BackupSummary, StoreError> {
    file::check_header(path)?;
    copy_database(path, file)?;
    summarize(file)
}

fn summarize(file: &Path) -> Result<BackupSummary, StoreError> {
    let explain = |error: rusqlite::Error| StoreError::explain_damage(error, file);
    let bytes = fs::metadata(file).map_err(|error| to_open_error(file, &error))?;
    let conn = connect_reading(file)?;
    let summary = count(&conn).map_err(explain)?;
    Ok(BackupSummary {
        bytes: bytes.len(),
        ..summary
    })
}

fn count(conn: &Connection) -> rusqlite::Result<BackupSummary> {
    let count = |table: &str| -> rusqlite::Result<u64> {
        let count = format!("SELECT count(*) FROM {table}");
        let rows: i64 = conn.query_row(&count, [], |row| row.read(0))?;
        Ok(rows.unsigned_abs())
    };
    let times = "SELECT min(at), max(at) FROM messages";
    let (first, last): (Option<Millis>, Option<Millis>) =
        conn.query_row(times, params![], |row| Ok((row.read(0)?, row.read(1)?)))?;
    Ok(BackupSummary {
        bytes: 0,
        messages: count("messages")?,
        channels: count("channels")?,
        people: count("people")?,
        memories: count("memories")?,
        time_range: first.zip(last),
    })
}
