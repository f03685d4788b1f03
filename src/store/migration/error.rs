//! Why a database was not moved, in words for people.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use kith_language::{LocalizedMessage, store};

use crate::error::StoreError;

/// Why a database was not moved. The one it was to come from is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MigrationError {
    Store(StoreError),
    BothFiles,
    BothServers,
    NoDatabase {
        path: PathBuf,
    },
    OldFormat {
        path: PathBuf,
    },
    NotEmpty {
        path: PathBuf,
        table: &'static str,
    },
    OtherSource {
        path: PathBuf,
        from: String,
    },
    /// A table was copied twice, and what is read from the target still is not what is read from the source.
    Different {
        path: PathBuf,
        table: &'static str,
        rows_there: u64,
        rows_here: u64,
    },
}

impl MigrationError {
    /// What, where and how to mend it, for who runs Kith.
    pub fn to_message(&self) -> LocalizedMessage {
        match self {
            Self::Store(error) => error.to_message(),
            Self::BothFiles => store::both_files(),
            Self::BothServers => store::both_servers(),
            Self::NoDatabase { path } => store::nothing_there(path.display().to_string()),
            Self::OldFormat { path } => store::old_format(path.display().to_string()),
            Self::NotEmpty { path, table } => store::not_empty(path.display().to_string(), *table),
            Self::OtherSource { path, from } => {
                store::other_source(path.display().to_string(), from)
            }
            Self::Different {
                path,
                table,
                rows_there,
                rows_here,
            } => store::different_table(
                path.display().to_string(),
                rows_here.to_string(),
                *table,
                rows_there.to_string(),
            ),
        }
    }
}

impl fmt::Display for MigrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_message().fmt(f)
    }
}

impl Error for MigrationError {}

impl From<StoreError> for MigrationError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
