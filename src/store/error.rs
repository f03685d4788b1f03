//! What can go wrong with the store, in words for people: what, where, and how to mend it.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use kith_language::{LocalizedMessage, store};
use rusqlite::{ErrorCode, ffi};

use crate::sql_error::{PostgresError, PostgresFault, SqlError};

/// Why the store could not be opened or did not do what it was asked. A change that failed left nothing behind, but for
/// one in doubt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    Open {
        path: PathBuf,
        reason: String,
    },
    ReadOnly {
        path: PathBuf,
    },
    InUse {
        path: PathBuf,
        holder: LocalizedMessage,
    },
    NotADatabase {
        path: PathBuf,
    },
    Newer {
        path: PathBuf,
        found: i64,
        known: i64,
    },
    /// A build from before the first release wrote it, in a format that no step leads out of.
    Unreleased {
        path: PathBuf,
        found: i64,
        oldest: i64,
    },
    Exists {
        path: PathBuf,
    },
    NotABackup {
        path: PathBuf,
    },
    DiskFull {
        path: PathBuf,
    },
    Damaged {
        path: PathBuf,
        reason: String,
    },
    /// Anything else SQLite said.
    Refused {
        path: PathBuf,
        reason: String,
    },
    /// The server cannot be reached, or the link to it was cut.
    Unreachable {
        path: PathBuf,
        reason: String,
    },
    /// The link to the server was cut during a commit, and nobody knows what became of that.
    InDoubt {
        path: PathBuf,
        reason: String,
    },
    /// It holds a part of another: a migration into it was cut off.
    Unfinished {
        path: PathBuf,
        /// The database it is a part of.
        from: String,
    },
    /// What was asked for only a database in a file can do.
    OnlyInFile {
        path: PathBuf,
    },
    Closed,
}

impl StoreError {
    /// Whether the server is away, or was for a moment: what was asked for can be asked for again.
    pub fn is_about_server(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::InDoubt { .. })
    }

    /// Puts what SQLite said about the database at `path` in words.
    pub(super) fn explain(error: impl Into<SqlError>, path: &Path) -> Self {
        let error = error.into();
        let path = path.to_path_buf();
        if let SqlError::Postgres(error) = error {
            return Self::explain_server(error, path);
        }
        let reason = error.to_string();
        match error.sqlite_code() {
            Some(ErrorCode::ReadOnly) => Self::ReadOnly { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::InUse {
                path,
                holder: store::another_program(),
            },
            Some(ErrorCode::NotADatabase) => Self::NotADatabase { path },
            Some(ErrorCode::DiskFull) => Self::DiskFull { path },
            // Nothing but to make a file longer fails in this way.
            _ if error.extended_code() == Some(ffi::SQLITE_IOERR_SHMSIZE) => {
                Self::DiskFull { path }
            }
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged { path, reason },
            Some(ErrorCode::CannotOpen) => Self::Open { path, reason },
            _ => Self::Refused { path, reason },
        }
    }

    fn explain_server(error: PostgresError, path: PathBuf) -> Self {
        let reason = error.reason;
        match error.kind {
            PostgresFault::Unreachable => Self::Unreachable { path, reason },
            PostgresFault::InDoubt => Self::InDoubt { path, reason },
            PostgresFault::InUse => Self::InUse {
                path,
                holder: store::another_kith(),
            },
            PostgresFault::ReadOnly => Self::ReadOnly { path },
            PostgresFault::DiskFull => Self::DiskFull { path },
            PostgresFault::Damaged => Self::Damaged { path, reason },
            PostgresFault::Refused | PostgresFault::NoRow | PostgresFault::Locked => {
                Self::Refused { path, reason }
            }
        }
    }

    /// The same of a database that does not have what Kith put into it.
    pub(super) fn explain_damage(error: impl Into<SqlError>, path: &Path) -> Self {
        let error = error.into();
        // What the machine lacks says nothing of what the file holds.
        let is_about_machine = matches!(
            error.sqlite_code(),
            Some(ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory)
        );
        match Self::explain(error, path) {
            Self::Refused { path, reason } if !is_about_machine => Self::Damaged { path, reason },
            other => other,
        }
    }

    /// What, where and how to mend it, for who runs Kith.
    pub fn to_message(&self) -> LocalizedMessage {
        let show = |path: &Path| path.display().to_string();
        match self {
            Self::Open { path, reason } => store::unopenable(show(path), reason),
            Self::ReadOnly { path } => store::read_only(show(path)),
            Self::InUse { path, holder } => store::in_use(show(path), holder),
            Self::NotADatabase { path } => store::no_database(show(path)),
            Self::Newer { path, found, known } => {
                store::newer(show(path), found.to_string(), known.to_string())
            }
            Self::Unreleased {
                path,
                found,
                oldest,
            } => store::unreleased(show(path), found.to_string(), oldest.to_string()),
            Self::Exists { path } => store::file_exists(show(path)),
            Self::NotABackup { path } => store::no_backup_file(show(path)),
            Self::DiskFull { path } => store::disk_full(show(path)),
            Self::Damaged { path, reason } => store::damaged(show(path), reason),
            Self::Refused { path, reason } => store::refused(show(path), reason),
            Self::Unreachable { path, reason } => store::unreachable(show(path), reason),
            Self::InDoubt { path, reason } => store::in_doubt(show(path), reason),
            Self::Unfinished { path, from } => store::unfinished(show(path), from),
            Self::OnlyInFile { path } => store::only_in_file(show(path)),
            Self::Closed => store::closed(),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_message().fmt(f)
    }
}

impl Error for StoreError {}

/// For a model: in the words of the database where those are in its language.
impl From<StoreError> for LocalizedMessage {
    fn from(error: StoreError) -> Self {
        store::unusable(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_file_holds_counts_as_damage() {
        let explain = |code| {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            StoreError::explain_damage(error, Path::new("kith.db"))
        };
        let is_full = |code| matches!(explain(code), StoreError::DiskFull { .. });
        assert!(is_full(ffi::SQLITE_FULL) && is_full(ffi::SQLITE_IOERR_SHMSIZE));
        for code in [
            ffi::SQLITE_IOERR_READ,
            ffi::SQLITE_IOERR_FSYNC,
            ffi::SQLITE_NOMEM,
        ] {
            assert!(
                matches!(explain(code), StoreError::Refused { .. }),
                "{code}"
            );
        }
        for code in [ffi::SQLITE_CORRUPT, ffi::SQLITE_ERROR] {
            assert!(
                matches!(explain(code), StoreError::Damaged { .. }),
                "{code}"
            );
        }
    }
}
