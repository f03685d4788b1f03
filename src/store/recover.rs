//! Getting out of a damaged database what can still be read: a new one beside it, filled row by row. The damaged one is
//! only read, and kept.

use std::fs::{self, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, params_from_iter};

use crate::error::StoreError;
use crate::sql::{SqlConnection, SqlResult};
use crate::sqlite::connection::{append_suffix, connect, to_open_error};
use crate::sqlite::lock::StoreLock;
use crate::sqlite::schema;
use crate::text_index;
use crate::values::{ReadRow, params};

/// How many places of a table that cannot be read are leapt over, at most.
const MOST_LEAPS: u32 = 10_000;
/// Tables whose loss can make people's words come back that were to be gone for good.
const PRIVACY_TABLES: [&str; 5] = [
    "erased_places",
    "forgotten",
    "meta",
    "preferences",
    "tombstones",
];
/// Tables that mean something only together.
const VECTOR_TABLES: [&str; 3] = ["message_vectors", "vector_coverage", "vector_models"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecoveryReport {
    /// The tables in which anything was found, with how many rows of them.
    pub tables: Vec<(String, u64)>,
    pub incomplete: Vec<String>,
    pub kept: PathBuf,
}

impl RecoveryReport {
    /// The incomplete tables that say what people wanted to be forgotten.
    pub fn lost_preferences(&self) -> Vec<&str> {
        self.incomplete
            .iter()
            .map(String::as_str)
            .filter(|table| PRIVACY_TABLES.contains(table))
            .collect()
    }
}

/// Puts a new database in the place of the one at `path`, with everything that can be read of it, and keeps the old one
/// beside it. Needs three times its room on the disk.
///
/// # Errors
/// Why nothing was changed: a running Kith has it, a file cannot be written, or nothing of it can be read.
pub fn recover(path: &Path) -> Result<RecoveryReport, StoreError> {
    let _lock = StoreLock::acquire(path)?;
    let (copy, new) = (append_suffix(path, ".copy"), append_suffix(path, ".new"));
    let done = recover_copy(path, &copy, &new).and_then(|found| {
        let kept = (1..)
            .map(|number| append_suffix(path, &format!(".damaged-{number}")))
            .find(|kept| !kept.exists());
        let kept = kept.unwrap_or_else(|| append_suffix(path, ".damaged"));
        let failed = |error| to_open_error(path, &error);
        for ending in ["-wal", ""] {
            let from = append_suffix(path, ending);
            if from.exists() {
                fs::rename(&from, append_suffix(&kept, ending)).map_err(failed)?;
            }
        }
        let _ = fs::remove_file(append_suffix(path, "-shm"));
        fs::rename(&new, path).map_err(failed)?;
        Ok(RecoveryReport { kept, ..found })
    });
    for file in [&copy, &new] {
        remove_files(file);
    }
    done
}

pub(crate) fn remove_files(database: &Path) {
    for ending in ["", "-wal", "-shm", "-journal"] {
        let _ = fs::remove_file(append_suffix(database, ending));
    }
}

/// Fills a new database with what is read of a copy: SQLite takes over what stands in the write-ahead log, which would
/// change the original.
fn recover_copy(path: &Path, copy: &Path, new: &Path) -> Result<RecoveryReport, StoreError> {
    remove_files(copy);
    remove_files(new);
    for ending in ["", "-wal"] {
        if append_suffix(path, ending).exists() {
            fs::copy(append_suffix(path, ending), append_suffix(copy, ending))
                .map_err(|error| to_open_error(path, &error))?;
        }
    }
    mend_header(copy).map_err(|error| to_open_error(copy, &error))?;
    let explain = |error: rusqlite::Error| StoreError::explain_damage(error, path);
    let (found, to) = copy_rows(&connect(copy)?, connect(new)?)
        .map_err(|error| StoreError::explain_damage(error, path))?;
    to.map_or(Ok(()), Connection::close)
        .map_err(|(_, error)| explain(error))?;
    Ok(found)
}

fn mend_header(copy: &Path) -> std::io::Result<()> {
    let pages = fs::metadata(copy)?.len() / schema::PAGE_BYTES as u64;
    let mut file = OpenOptions::new().read(true).write(true).open(copy)?;
    let mut header = [0; schema::HEADER_BYTES as usize];
    file.read_exact(&mut header)?;
    schema::mend_header(&mut header, u32::try_from(pages).unwrap_or(u32::MAX));
    file.rewind()?;
    file.write_all(&header)
}

fn copy_rows(
    from: &Connection,
    mut to: Connection,
) -> SqlResult<(RecoveryReport, Option<Connection>)> {
    // What is wrong in the list of tables costs those tables and no others; a cell that cannot be right is no row.
    from.pragma_update(None, "writable_schema", true)?;
    from.pragma_update(None, "cell_size_check", true)?;
    // As the daemon does it; private like its other files.
    to.pragma_update(None, "journal_mode", "WAL")?;
    schema::migrate_to(&mut to, schema::read_version(from)?)?;
    let mut found = RecoveryReport::default();
    for table in schema::list_tables(&to)? {
        let transaction = to.transaction()?;
        transaction.execute_batch(&format!("DELETE FROM \"{table}\""))?;
        // A table that is not there at all cannot be read, either.
        let is_whole = copy_table(from, &transaction, &table).unwrap_or(false);
        let count: i64 =
            transaction.query_row(&format!("SELECT count(*) FROM \"{table}\""), [], |row| {
                row.read(0)
            })?;
        transaction.commit()?;
        if count > 0 {
            found.tables.push((table.clone(), count as u64));
        }
        if !is_whole {
            found.incomplete.push(table);
        }
    }
    if found.tables.is_empty() {
        let nothing = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        return Err(rusqlite::Error::SqliteFailure(
            nothing,
            Some("nothing of it can be read".into()),
        )
        .into());
    }
    let transaction = to.transaction()?;
    if VECTOR_TABLES
        .iter()
        .any(|table| found.incomplete.iter().any(|lost| lost == table))
    {
        // What is said to be looked through would never get the vectors that are lost. The daemon makes all anew.
        for table in VECTOR_TABLES {
            transaction.execute_batch(&format!("DELETE FROM \"{table}\""))?;
            found.tables.retain(|(copied, _)| copied != table);
        }
    }
    schema::fill_missing_rows(&transaction)?;
    transaction.commit()?;
    let to = SqlConnection::from(to);
    to.execute_batch("BEGIN")?;
    text_index::rebuild(&to)?;
    to.execute_batch("COMMIT")?;
    let mut to = to.into_sqlite();
    to.as_mut().map_or(Ok(()), schema::migrate)?;
    Ok((found, to))
}

/// Copies what can be read of a table, and answers whether that is all of it.
fn copy_table(from: &Connection, to: &Connection, table: &str) -> rusqlite::Result<bool> {
    let names = |which: &str| -> rusqlite::Result<Vec<String>> {
        let mut find = to.prepare(&format!(
            "SELECT '\"' || name || '\"' FROM pragma_table_info(?1) {which}"
        ))?;
        find.query_map(params![table], |row| row.read(0))?.collect()
    };
    let (columns, mut keys) = (names("")?, names("WHERE pk > 0 ORDER BY pk")?);
    let (list, marks) = (columns.join(", "), vec!["?"; columns.len()].join(", "));
    let mut insert = to.prepare(&format!(
        "INSERT OR IGNORE INTO \"{table}\" ({list}) VALUES ({marks})"
    ))?;
    let has_rowid = to
        .prepare(&format!("SELECT rowid FROM \"{table}\""))
        .is_ok();
    if has_rowid {
        keys = vec!["rowid".into()];
    }
    let first = if has_rowid { "rowid" } else { "0" };
    // Copies the rows up to the first that cannot be read; answers with the last that could, and whether that was all.
    let mut copy = |rest: &str| -> rusqlite::Result<(Option<i64>, bool)> {
        let mut all = from.prepare(&format!(
            "SELECT {first}, {list} FROM \"{table}\" NOT INDEXED {rest}"
        ))?;
        let (mut rows, mut last) = (all.query([])?, None);
        loop {
            match rows.next() {
                Ok(Some(row)) => {
                    let values =
                        (1..=columns.len()).map(|column| row.get_ref(column).map(to_readable));
                    let values = values.collect::<rusqlite::Result<Vec<_>>>()?;
                    // One that breaks a rule of its table is damaged itself.
                    let _ = insert.execute(params_from_iter(values));
                    last = row.read(0).ok();
                }
                Ok(None) => return Ok((last, true)),
                Err(_) => return Ok((last, false)),
            }
        }
    };
    let (mut last, is_whole) = copy(&format!("ORDER BY {}", keys.join(", ")))?;
    if is_whole {
        return Ok(true);
    }
    copy(&format!("ORDER BY {} DESC", keys.join(" DESC, ")))?;
    let (mut step, mut left) = (1, if has_rowid { MOST_LEAPS } else { 0 });
    // Behind what cannot be read something may be that can.
    while let (Some(at), 1..) = (last, left) {
        let behind = at.saturating_add(step);
        let (read, is_end) = copy(&format!("WHERE rowid > {behind} ORDER BY rowid"))?;
        if is_end {
            break;
        }
        (last, step) = if read.is_some() {
            (read, 1)
        } else {
            (Some(behind), step.saturating_mul(2))
        };
        left -= 1;
    }
    Ok(false)
}

/// A value as it can be stored: damaged text loses what is no text.
pub(crate) fn to_readable(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(bytes) => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
    }
}
