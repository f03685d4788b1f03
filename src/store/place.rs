//! Where a database is: in a file, or on a server.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::StoreError;
use crate::handle::Store;
use crate::postgres::PostgresAddress;

#[derive(Clone, Debug)]
pub enum DatabasePlace {
    File(PathBuf),
    Server(Box<PostgresAddress>),
}

impl DatabasePlace {
    /// Opens the database, and makes it where there is none.
    ///
    /// # Errors
    /// Those of [`Store::open`] and [`Store::open_server`].
    pub fn open(&self) -> Result<Store, StoreError> {
        match self {
            Self::File(path) => Store::open(path),
            Self::Server(address) => Store::open_server(address),
        }
    }

    /// The file.
    ///
    /// # Errors
    /// [`StoreError::OnlyInFile`] where it is on a server.
    pub fn file(&self) -> Result<&Path, StoreError> {
        match self {
            Self::File(path) => Ok(path),
            Self::Server(address) => Err(StoreError::OnlyInFile {
                path: address.to_shown_path(),
            }),
        }
    }

    /// Whether there is certainly no database yet. Of a server nobody knows before it is asked.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::File(path) if !path.exists())
    }
}

impl fmt::Display for DatabasePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Server(address) => address.fmt(f),
        }
    }
}
