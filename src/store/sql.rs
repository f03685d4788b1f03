//! The one way to a database: statements with `?1` for what is bound, rows, and what went wrong. Below it stands an engine;
//! above it nobody knows which. The five kinds of values are SQLite's (null, whole and real numbers, text, bytes), in the
//! types of rusqlite, which is part of every build.

use std::borrow::Cow;

use rusqlite::types::ValueRef;
use rusqlite::{Error, ToSql};

use crate::engine_statements::EngineStatements;
use crate::postgres::NewMessage;
use crate::postgres::{
    PartitionLease, PostgresConnection, PostgresCursor, PostgresRow, PostgresStatement, read_value,
};
pub(crate) use crate::sql_error::{SqlError, SqlResult};
use crate::text_query::TextQuery;
use crate::values::{FromColumn, ReadColumn, ReadRow};
use crate::{sqlite, vector_words};
use kith_core::chat::Message;
use kith_core::partition::Partition;

/// The values of a statement, in their order; made by `params!`.
pub(crate) type SqlParams<'a> = &'a [&'a dyn ToSql];

/// A connection to a database. Stays on its thread.
pub(crate) enum SqlConnection {
    Sqlite(rusqlite::Connection),
    Postgres(Box<PostgresConnection>),
}

impl SqlConnection {
    /// The partition that it holds, where processes share a database.
    pub fn lease(&self) -> Option<&PartitionLease> {
        match self {
            Self::Sqlite(_) => None,
            Self::Postgres(conn) => conn.lease(),
        }
    }

    pub fn partition(&self) -> Partition {
        self.lease()
            .map_or(Partition::WHOLE, |lease| lease.partition)
    }

    /// SQLite's connection, for what only a file can do.
    pub fn as_sqlite(&self) -> Option<&rusqlite::Connection> {
        match self {
            Self::Sqlite(conn) => Some(conn),
            Self::Postgres(_) => None,
        }
    }

    /// The same for good.
    pub fn into_sqlite(self) -> Option<rusqlite::Connection> {
        match self {
            Self::Sqlite(conn) => Some(conn),
            Self::Postgres(_) => None,
        }
    }

    /// Keeps so many prepared statements, where the engine has to be told.
    pub fn keep_statements(&self, most: usize) {
        if let Self::Sqlite(conn) = self {
            conn.set_prepared_statement_cache_capacity(most);
        }
    }

    pub fn statements(&self) -> &'static EngineStatements {
        match self {
            Self::Sqlite(_) => &sqlite::STATEMENTS,
            Self::Postgres(conn) => conn.statements(),
        }
    }

    /// Whether the engine ranks what it finds by the words it holds.
    pub fn ranks_words(&self) -> bool {
        matches!(self, Self::Sqlite(_))
    }

    pub fn to_words<'a>(&self, text: Cow<'a, str>) -> Cow<'a, str> {
        match self {
            Self::Sqlite(_) => text,
            Self::Postgres(_) => vector_words::format_vector(&text).into(),
        }
    }

    pub fn to_query(&self, query: &TextQuery) -> String {
        match self {
            Self::Sqlite(_) => query.to_fts5(),
            Self::Postgres(_) => vector_words::format_query(query),
        }
    }

    /// Begins a transaction; answers with the arrival number given last where another process may have given one.
    pub fn begin(&self) -> SqlResult<Option<u64>> {
        match self {
            Self::Sqlite(conn) => {
                conn.prepare_cached("BEGIN")?.execute([])?;
                Ok(None)
            }
            Self::Postgres(conn) => Ok(conn.begin()?),
        }
    }

    /// Ends a transaction with all it did, and with the arrival number given last if it gave any.
    pub fn commit(&self, arrival: Option<u64>) -> SqlResult<()> {
        match self {
            Self::Sqlite(conn) => {
                if let Some(arrival) = arrival {
                    conn.prepare_cached("UPDATE counter SET arrival = ?1")?
                        .execute([arrival as i64])?;
                }
                conn.prepare_cached("COMMIT")?.execute([])?;
                Ok(())
            }
            Self::Postgres(conn) => Ok(conn.commit(arrival)?),
        }
    }

    /// Ends a transaction without anything of it. There may be none any more: SQLite ends some by itself.
    pub fn rollback(&self) {
        match self {
            Self::Sqlite(conn) if conn.is_autocommit() => {}
            Self::Sqlite(conn) => drop(conn.execute_batch("ROLLBACK")),
            Self::Postgres(conn) => conn.rollback(),
        }
    }

    /// Writes a part of the database anew, without what was deleted. Not within a transaction. Answers whether nothing that was
    /// deleted is left in it: on a server others may read it just then, or what it held before.
    pub fn rewrite(&self, part: &str) -> SqlResult<bool> {
        match self {
            Self::Sqlite(conn) => {
                conn.execute_batch(&format!("VACUUM {part}"))?;
                Ok(true)
            }
            Self::Postgres(conn) => Ok(conn.rewrite(part)?),
        }
    }

    /// A statement that is kept for the next time.
    pub fn prepare_cached(&self, sql: &str) -> SqlResult<SqlStatement<'_>> {
        match self {
            Self::Sqlite(conn) => Ok(SqlStatement::Sqlite(conn.prepare_cached(sql)?)),
            Self::Postgres(conn) => Ok(SqlStatement::Postgres(conn.prepare(sql)?)),
        }
    }

    /// Runs a statement; answers how many rows it changed.
    pub fn execute(&self, sql: &str, params: SqlParams<'_>) -> SqlResult<usize> {
        self.prepare_cached(sql)?.execute(params)
    }

    pub fn execute_batch(&self, sql: &str) -> SqlResult<()> {
        match self {
            Self::Sqlite(conn) => Ok(conn.execute_batch(sql)?),
            Self::Postgres(conn) => Ok(conn.execute_batch(sql)?),
        }
    }

    /// Of each message the arrival number, where it is known or was deleted already: for a server, which is asked once.
    pub fn find_known(&self, messages: &[&Message]) -> SqlResult<Vec<Option<i64>>> {
        match self {
            Self::Sqlite(_) => Err(Error::InvalidQuery.into()),
            Self::Postgres(conn) => Ok(conn.find_known(messages)?),
        }
    }

    /// Stores messages of which none is known: for a server, which is asked once.
    pub fn add_messages(&self, new: &[NewMessage<'_>]) -> SqlResult<()> {
        match self {
            Self::Sqlite(_) => Err(Error::InvalidQuery.into()),
            Self::Postgres(conn) => Ok(conn.add_messages(new)?),
        }
    }

    /// How many answers of a server were waited for; of a file none.
    #[cfg(test)]
    pub fn count_trips(&self) -> SqlResult<u32> {
        match self {
            Self::Sqlite(_) => Ok(0),
            Self::Postgres(conn) => Ok(conn.count_trips()?),
        }
    }

    /// How many rows this connection changed since it was opened.
    pub fn count_changes(&self) -> u64 {
        match self {
            Self::Sqlite(conn) => conn.total_changes(),
            Self::Postgres(conn) => conn.count_changes(),
        }
    }
}

impl From<rusqlite::Connection> for SqlConnection {
    fn from(conn: rusqlite::Connection) -> Self {
        Self::Sqlite(conn)
    }
}

impl From<PostgresConnection> for SqlConnection {
    fn from(conn: PostgresConnection) -> Self {
        Self::Postgres(Box::new(conn))
    }
}

pub(crate) enum SqlStatement<'c> {
    Sqlite(rusqlite::CachedStatement<'c>),
    Postgres(PostgresStatement<'c>),
}

impl SqlStatement<'_> {
    /// Runs it; answers how many rows it changed.
    pub fn execute(&mut self, params: SqlParams<'_>) -> SqlResult<usize> {
        match self {
            Self::Sqlite(statement) => Ok(statement.execute(params)?),
            Self::Postgres(statement) => Ok(statement.execute(params)?),
        }
    }

    pub fn query(&mut self, params: SqlParams<'_>) -> SqlResult<SqlRows<'_>> {
        match self {
            Self::Sqlite(statement) => Ok(SqlRows::Sqlite(statement.query(params)?)),
            Self::Postgres(statement) => Ok(SqlRows::Postgres {
                rows: statement.query(params)?.into_iter(),
                current: None,
                cursor: None,
            }),
        }
    }

    /// Asks for rows that may be more than memory holds. They are read as they are wanted; a server is asked for some of them
    /// at a time.
    pub fn query_paged(&mut self, params: SqlParams<'_>) -> SqlResult<SqlRows<'_>> {
        let Self::Postgres(statement) = self else {
            return self.query(params);
        };
        let (rows, cursor) = statement.query_paged(params)?;
        Ok(SqlRows::Postgres {
            rows: rows.into_iter(),
            current: None,
            cursor,
        })
    }

    pub fn exists(&mut self, params: SqlParams<'_>) -> SqlResult<bool> {
        Ok(self.query(params)?.next()?.is_some())
    }
}

pub(crate) enum SqlRows<'s> {
    Sqlite(rusqlite::Rows<'s>),
    /// All that there are, or a page of them: while one statement is read from, others are asked over the same link.
    Postgres {
        rows: std::vec::IntoIter<PostgresRow>,
        current: Option<PostgresRow>,
        /// Has what comes after these rows.
        cursor: Option<PostgresCursor<'s>>,
    },
}

impl SqlRows<'_> {
    pub fn next(&mut self) -> SqlResult<Option<SqlRow<'_>>> {
        match self {
            Self::Sqlite(rows) => Ok(rows.next()?.map(SqlRow::Sqlite)),
            Self::Postgres {
                rows,
                current,
                cursor,
            } => {
                if rows.len() == 0
                    && let Some(rest) = cursor.take()
                {
                    let (page, is_more) = rest.fetch()?;
                    *rows = page.into_iter();
                    *cursor = is_more.then_some(rest);
                }
                *current = rows.next();
                Ok(current.as_ref().map(SqlRow::Postgres))
            }
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum SqlRow<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r PostgresRow),
}

impl SqlRow<'_> {
    pub fn get_value(&self, column: usize) -> SqlResult<ValueRef<'_>> {
        match self {
            Self::Sqlite(row) => Ok(row.get_ref(column)?),
            Self::Postgres(row) => Ok(read_value(row, column)?),
        }
    }

    pub fn count_columns(&self) -> usize {
        match self {
            Self::Sqlite(row) => row.as_ref().column_count(),
            Self::Postgres(row) => row.len(),
        }
    }
}

impl ReadRow for SqlRow<'_> {
    type Error = SqlError;

    fn read<T: FromColumn>(&self, column: usize) -> SqlResult<T> {
        match self {
            Self::Sqlite(row) => Ok(row.get::<_, ReadColumn<T>>(column)?.0),
            Self::Postgres(row) => Ok(T::from_column(read_value(row, column)?)?),
        }
    }
}
