//! The mark in a database that a migration fills: whence, and how far it came. While it stands, the database holds a part
//! only, and nobody else may open it.

use std::path::Path;

use rusqlite::types::Value;
use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::meta;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, ReadRow};

/// Under which key it stands in `meta`.
pub const KEY: &str = "migration";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MigrationMark {
    /// The database that is copied, as people call it.
    pub from: String,
    /// What tells that database from all others.
    pub source: String,
    /// The tables that are there to their last row.
    pub copied: Vec<String>,
    /// The key of the row that was copied last of the table that comes next.
    pub last_key: Option<RowKey>,
}

/// The values by which a row stands in the order of its table.
pub type RowKey = Vec<KeyValue>;

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyValue {
    Whole(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl KeyValue {
    /// The same as a statement takes it.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Whole(number) => Value::Integer(*number),
            Self::Text(text) => Value::Text(text.clone()),
            Self::Bytes(bytes) => Value::Blob(bytes.clone()),
        }
    }
}

/// Puts the mark in the place of the one before.
pub fn put(conn: &SqlConnection, mark: &MigrationMark) -> SqlResult<()> {
    meta::put_meta(conn, KEY, &JsonColumn(mark))
}

/// Takes the mark away: the database is whole.
pub fn remove(conn: &SqlConnection) -> SqlResult<()> {
    conn.delete_rows("meta", row! { key: KEY }).map(drop)
}

/// The mark of a database that has its tables.
pub fn find(conn: &SqlConnection) -> SqlResult<Option<MigrationMark>> {
    Ok(meta::read_meta(conn, KEY)?.map(|JsonColumn(mark)| mark))
}

/// The same of a file that may have no tables yet.
pub fn find_in_file(conn: &rusqlite::Connection) -> rusqlite::Result<Option<MigrationMark>> {
    let has_meta = "SELECT 1 FROM sqlite_schema WHERE name = 'meta'";
    if !conn.prepare(has_meta)?.exists([])? {
        return Ok(None);
    }
    let mut find = conn.prepare("SELECT value FROM meta WHERE key = ?1")?;
    let mut rows = find.query([KEY])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let JsonColumn(mark) = row.read(0)?;
    Ok(Some(mark))
}

/// Nobody opens a part of a database for all of it.
///
/// # Errors
/// It is the target of a migration that is not done.
pub fn refuse_unfinished(mark: Option<MigrationMark>, path: &Path) -> Result<(), StoreError> {
    match mark {
        None => Ok(()),
        Some(mark) => Err(StoreError::Unfinished {
            path: path.into(),
            from: mark.from,
        }),
    }
}
