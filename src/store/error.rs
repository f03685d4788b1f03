//! What can go wrong with the store, in words for people: what, where, and how to mend it.

use kith_language::{LocalizedMessage, store};
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

/// Why the store could not be opened or did not do what it was asked. A change that failed left nothing behind.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StoreError {
    /// The folder or the file could not be made or opened.
    #[error("cannot open the database {}: {reason}. Check the path and that this user may write there", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The file may not be written.
    #[error("the database {} is read-only. Give this user the right to write the file and its folder", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Another process has it.
    #[error("the database {} is in use by {holder}. Stop it first, or set another data_dir for this one", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
        /// Who has it, as far as known.
        holder: String,
    },
    /// The file is something else.
    #[error("{} is not a database of Kith. It was left as it is; set another data_dir, or move the file away", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// A newer version wrote it.
    #[error(
        "the database {} was written by a newer version of Kith (its format is {found}, this version knows up to \
         {known}). It was left as it is; use the newer version, or set another data_dir", path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format known here.
        known: i64,
    },
    /// A build from before the first release wrote it, in a format that no step leads out of.
    #[error(
        "the database {} was written by a build from before Kith's first release (format {found}, this version reads {oldest} \
         and later). It was left as it is; set another data_dir, or move the file away and begin anew. If no such build \
         ever ran here, its header is damaged: `kith recover` copies what can be read", path.display()
    )]
    Unreleased {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The oldest format known here.
        oldest: i64,
    },
    /// A file that was to be made is there.
    #[error("{} is there already, and nothing is overwritten. Name another file, or move that away", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// What was named as a backup is something else.
    #[error("{} is no backup: it is no plain file, or the database itself. Name the file that `kith backup` wrote", path.display())]
    NotABackup {
        /// The file.
        path: PathBuf,
    },
    /// No room left.
    #[error("there is no room left on the disk of {}. Nothing was changed; free some space, it goes on by itself", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error(
        "the database {} is damaged ({reason}). Put a backup in its place (`kith restore FILE`), or run \
         `kith recover`: it copies what can be read into a new one and keeps this", path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        reason: String,
    },
    /// Anything else SQLite said.
    #[error("the database {} did not do as asked: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        reason: String,
    },
    /// The store was closed before it answered.
    #[error("the store is closed. Start Kith again; its log says why it closed")]
    Closed,
}

impl StoreError {
    /// Puts what SQLite said about the database at `path` in words.
    pub(super) fn explain(error: &rusqlite::Error, path: &Path) -> Self {
        let path = path.to_path_buf();
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::ReadOnly) => Self::ReadOnly { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::InUse {
                path,
                holder: "another program".into(),
            },
            Some(ErrorCode::NotADatabase) => Self::NotADatabase { path },
            Some(ErrorCode::DiskFull) => Self::DiskFull { path },
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged { path, reason },
            Some(ErrorCode::CannotOpen) => Self::Open { path, reason },
            _ => Self::Refused { path, reason },
        }
    }

    /// The same of a database that does not have what Kith put into it.
    pub(super) fn explain_damage(error: &rusqlite::Error, path: &Path) -> Self {
        match Self::explain(error, path) {
            Self::Refused { path, reason } => Self::Damaged { path, reason },
            other => other,
        }
    }
}

/// For a model: in the words of the database where those are in its language.
impl From<StoreError> for LocalizedMessage {
    fn from(error: StoreError) -> Self {
        store::unusable(error.to_string())
    }
}
