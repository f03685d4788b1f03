//! What went wrong with a statement, on either engine.

use std::fmt;

use rusqlite::Error;
use rusqlite::types::FromSqlError;

pub(crate) type SqlResult<T> = Result<T, SqlError>;

#[derive(Debug)]
pub(crate) enum SqlError {
    /// SQLite, or a value that no column can hold.
    Sqlite(Error),
    Postgres(PostgresError),
}

impl SqlError {
    pub fn sqlite_code(&self) -> Option<rusqlite::ErrorCode> {
        match self {
            Self::Sqlite(error) => error.sqlite_error_code(),
            Self::Postgres(_) => None,
        }
    }

    pub fn extended_code(&self) -> Option<i32> {
        match self {
            Self::Sqlite(error) => error.sqlite_error().map(|error| error.extended_code),
            Self::Postgres(_) => None,
        }
    }

    /// Whether a link to a server was cut, and with it what was not committed.
    pub fn is_link_cut(&self) -> bool {
        matches!(self, Self::Postgres(error) if error.is_link_cut())
    }

    /// Whether what was asked for may have been done all the same.
    pub fn is_in_doubt(&self) -> bool {
        matches!(self, Self::Postgres(error) if error.is_in_doubt())
    }
}

impl fmt::Display for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(error) => error.fmt(f),
            Self::Postgres(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SqlError {}

impl From<Error> for SqlError {
    fn from(error: Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<PostgresError> for SqlError {
    fn from(error: PostgresError) -> Self {
        Self::Postgres(error)
    }
}

impl From<FromSqlError> for SqlError {
    fn from(error: FromSqlError) -> Self {
        Self::Sqlite(error.into())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PostgresError {
    pub kind: PostgresFault,
    /// In the server's words, without what was bound.
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PostgresFault {
    Unreachable,
    /// The link was cut during a commit, and what became of that could not be asked for.
    InDoubt,
    /// Somebody else has a table, and it was not waited for.
    Locked,
    InUse,
    ReadOnly,
    DiskFull,
    Damaged,
    Refused,
    NoRow,
}

impl PostgresError {
    pub fn new(kind: PostgresFault, reason: impl Into<String>) -> Self {
        Self {
            kind,
            reason: reason.into(),
        }
    }

    /// Whether the link is gone, and with it what was not committed.
    pub fn is_link_cut(&self) -> bool {
        self.kind == PostgresFault::Unreachable
    }

    /// Whether what was asked for may have been done all the same.
    pub fn is_in_doubt(&self) -> bool {
        self.kind == PostgresFault::InDoubt
    }
}

impl fmt::Display for PostgresError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl From<rusqlite::Error> for PostgresError {
    fn from(error: rusqlite::Error) -> Self {
        Self::new(PostgresFault::Refused, error.to_string())
    }
}
