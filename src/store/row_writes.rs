//! Many rows of the same kind, written together: a file takes one after the other, and a server all at once, for it would be
//! waited for with each.

use rusqlite::ToSql;

use crate::sql::{SqlConnection, SqlResult};
use crate::values::{BoundValue, ToColumn};

/// A statement that writes many rows of the same kind.
#[derive(Clone, Copy)]
pub(crate) struct RowStatement {
    /// For a file: run once for each row, with its values.
    pub for_each: &'static str,
    /// For a server, where each run is a round trip: run once, with each column as a list.
    pub for_all: &'static str,
}

impl SqlConnection {
    /// Writes these rows. For a server no two of them may change the same row of a table, unless the statement keeps the last.
    pub fn write_rows<R, const COLUMNS: usize>(
        &self,
        statement: RowStatement,
        rows: &[R],
        columns: [fn(&R) -> &dyn ToColumn; COLUMNS],
    ) -> SqlResult<()> {
        match self {
            Self::Sqlite(conn) => {
                let mut write = conn.prepare_cached(statement.for_each)?;
                rows.iter().try_for_each(|row| {
                    let values = columns.map(|column| BoundValue(column(row)));
                    let values = values.each_ref().map(|value| value as &dyn ToSql);
                    write.execute(&values[..]).map(drop)
                })?;
                Ok(())
            }
            Self::Postgres(conn) => Ok(conn.write_rows(statement.for_all, rows, columns)?),
        }
    }
}
