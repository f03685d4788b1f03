//! Whether two tables hold the same, by reading both anew to the last row, beside each other.

use std::thread;

use rusqlite::types::ValueRef;

use super::INDEXED;
use super::digest::TableDigest;
use super::places::{MigrationSource, MigrationTarget};
use super::table_reader::TableReader;
use crate::catalogue::Table;
use crate::error::StoreError;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;

pub struct TableComparison {
    pub source: TableDigest,
    pub target: TableDigest,
    /// How many messages the target's full-text index holds, where the table is that of the messages.
    indexed: Option<u64>,
}

impl TableComparison {
    pub fn is_equal(&self) -> bool {
        let is_indexed = self.indexed.is_none_or(|rows| rows == self.target.rows);
        self.source == self.target && is_indexed
    }
}

pub fn compare_table(
    source: &mut MigrationSource,
    target: &mut MigrationTarget,
    table: &'static Table,
) -> Result<TableComparison, StoreError> {
    let conn = &mut source.conn;
    let (there, here) = thread::scope(|scope| {
        let there = scope.spawn(move || read_digest(conn, table));
        let here = read_digest(&target.db.conn, table);
        (there.join(), here)
    });
    let there = there.map_err(|_| StoreError::Closed)?;
    let indexed = (table.name == INDEXED).then(|| count_indexed(&target.db.conn));
    let explain = |error| StoreError::explain_damage(error, &target.db.path);
    Ok(TableComparison {
        source: there.map_err(|error| StoreError::explain_damage(error, &source.path))?,
        target: here.map_err(explain)?,
        indexed: indexed.transpose().map_err(explain)?,
    })
}

fn read_digest(conn: &SqlConnection, table: &'static Table) -> SqlResult<TableDigest> {
    let mut digest = TableDigest::default();
    let mut reader = TableReader::new(table, None);
    let mut add = |row: &[ValueRef<'_>]| {
        digest.add(row);
        Ok(())
    };
    while !reader.read_page(conn, &mut add)? {}
    Ok(digest)
}

fn count_indexed(conn: &SqlConnection) -> SqlResult<u64> {
    let count = conn.statements().count_indexed;
    let rows = conn.read_one::<i64>(count, params![])?;
    Ok(rows.unsigned_abs())
}
