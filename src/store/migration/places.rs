//! The two databases of a migration: found usable, and locked against everybody else until it ends.

use std::path::{Path, PathBuf};

use super::error::MigrationError;
use crate::db::Database;
use crate::error::StoreError;
use crate::handle::DatabasePlace;
use crate::migration_mark::{self, MigrationMark};
use crate::postgres::{self, PostgresAddress};
use crate::setup::{file, server};
use crate::sql::SqlConnection;
use crate::sqlite::connection::{append_suffix, connect_reading, to_open_error};
use crate::sqlite::lock::{self, StoreLock};
use crate::sqlite::{file_permissions, schema};

pub struct MigrationSource {
    pub conn: SqlConnection,
    /// For error texts.
    pub path: PathBuf,
    _lock: Option<StoreLock>,
}

pub struct MigrationTarget {
    pub db: Database,
    pub mark: Option<MigrationMark>,
    /// Where the server is; none of a file.
    pub server: Option<PostgresAddress>,
    lock: Option<StoreLock>,
}

pub fn open_source(place: &DatabasePlace) -> Result<MigrationSource, MigrationError> {
    let (conn, path, lock) = match place {
        DatabasePlace::File(path) => {
            let path = absolute(path);
            let (conn, lock) = open_source_file(&path)?;
            (conn, path, Some(lock))
        }
        DatabasePlace::Server(address) => {
            let path = address.to_shown_path();
            let conn = server::lock_database(address)?;
            match postgres::schema::is_newest(&conn, &path)? {
                None => return Err(MigrationError::NoDatabase { path }),
                Some(false) => return Err(MigrationError::OldFormat { path }),
                Some(true) => (conn.into(), path, None),
            }
        }
    };
    let mark = migration_mark::find(&conn);
    let mark = mark.map_err(|error| StoreError::explain_damage(error, &path))?;
    migration_mark::refuse_unfinished(mark, &path)?;
    Ok(MigrationSource {
        conn,
        path,
        _lock: lock,
    })
}

fn open_source_file(path: &Path) -> Result<(SqlConnection, StoreLock), MigrationError> {
    if !path.exists() {
        return Err(MigrationError::NoDatabase { path: path.into() });
    }
    file::check_header(path)?;
    let lock = StoreLock::acquire(path)?;
    let damaged = |error: rusqlite::Error| StoreError::explain_damage(error, path);
    let conn = connect_reading(path)?;
    schema::check_version(&conn, path)?;
    if !lock.has_token(lock::read_token(&conn).map_err(damaged)?.as_deref()) {
        lock.ensure_exclusive(path)?;
    }
    if schema::list_tables(&conn).map_err(damaged)?.is_empty() {
        return Err(MigrationError::NoDatabase { path: path.into() });
    }
    if schema::next_format(&conn).map_err(damaged)?.is_some() {
        return Err(MigrationError::OldFormat { path: path.into() });
    }
    Ok((conn.into(), lock))
}

pub fn open_target(place: &DatabasePlace) -> Result<MigrationTarget, MigrationError> {
    let (conn, path, server, lock) = match place {
        DatabasePlace::File(path) => {
            let path = absolute(path);
            let (conn, lock) = open_target_file(&path)?;
            (conn, path, None, Some(lock))
        }
        DatabasePlace::Server(address) => {
            let path = address.to_shown_path();
            let conn = server::lock_database(address)?;
            if postgres::schema::is_newest(&conn, &path)? == Some(false) {
                return Err(MigrationError::OldFormat { path });
            }
            postgres::schema::migrate(&conn, &path)?;
            (conn.into(), path, Some(address.clone()), None)
        }
    };
    let mark = migration_mark::find(&conn).map_err(|error| StoreError::explain(error, &path))?;
    Ok(MigrationTarget {
        db: Database::new(conn, path),
        mark,
        server: server.map(|address| *address),
        lock,
    })
}

fn open_target_file(path: &Path) -> Result<(SqlConnection, StoreLock), MigrationError> {
    let (mut conn, mut lock) = file::lock_file(path)?;
    let explain = |error: rusqlite::Error| StoreError::explain(error, path);
    if schema::next_format(&conn).map_err(explain)?.is_some() {
        return Err(MigrationError::OldFormat { path: path.into() });
    }
    file::configure_connection(&conn, "WAL").map_err(explain)?;
    schema::migrate(&mut conn).map_err(explain)?;
    lock.write_token(&conn).map_err(explain)?;
    Ok((conn.into(), lock))
}

impl MigrationTarget {
    /// Closes it. Files go to whoever their folder belongs to: root moves a database, and somebody else runs Kith.
    pub fn close(self) -> Result<(), StoreError> {
        let Self { db, lock, .. } = self;
        let path = db.path.clone();
        drop(db);
        if lock.is_none() {
            return Ok(());
        }
        for file in [&path, &append_suffix(&path, ".lock")] {
            file_permissions::adopt_owner(file).map_err(|error| to_open_error(file, &error))?;
        }
        Ok(())
    }
}

/// Told in another folder, the name still leads there.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
