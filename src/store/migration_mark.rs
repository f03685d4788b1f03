//! The mark in a database that a migration fills: whence, and how far it came. While it stands, the database holds a part
//! only, and nobody else may open it.

use std::path::Path;

use rusqlite::types::Value;
use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::meta;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::sqlite::schema;
use crate::values::JsonColumn;

pub const KEY: &str = "migration";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MigrationMark {
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyValue {
    Whole(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl KeyValue {
    pub fn to_value(&self) -> Value {
        match self {
            Self::Whole(number) => Value::Integer(*number),
            Self::Text(text) => Value::Text(text.clone()),
            Self::Bytes(bytes) => Value::Blob(bytes.clone()),
        }
    }
}

pub fn put(conn: &SqlConnection, mark: &MigrationMark) -> SqlResult<()> {
    meta::put_meta(conn, KEY, &JsonColumn(mark))
}

pub fn remove(conn: &SqlConnection) -> SqlResult<()> {
    conn.delete_rows("meta", row! { key: KEY }).map(drop)
}

pub fn find(conn: &SqlConnection) -> SqlResult<Option<MigrationMark>> {
    Ok(meta::read_meta(conn, KEY)?.map(|JsonColumn(mark)| mark))
}

/// The same of a file that may have no tables yet.
pub fn find_in_file(conn: &rusqlite::Connection) -> rusqlite::Result<Option<MigrationMark>> {
    Ok(schema::read_meta(conn, KEY)?.map(|JsonColumn(mark)| mark))
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
