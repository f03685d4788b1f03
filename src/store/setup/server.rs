//! Opening a database on a server: the lock, the tables, the connections of the threads.

use std::path::{Path, PathBuf};
use std::thread::Builder;

use super::load_database;
use crate::db::Database;
use crate::error::StoreError;
use crate::migration_mark;
use crate::postgres::address::PostgresAddress;
use crate::postgres::connection::{ConnectionRole, PostgresConnection};
use crate::postgres::schema::{self, find_division, find_hindrance};
use crate::sql::SqlConnection;

/// Opens the database for who writes and for who reads, and makes it where its schema is empty.
pub(crate) fn open_server(address: &PostgresAddress) -> Result<(Database, Database), StoreError> {
    let failed = |reason: String| StoreError::Unreachable {
        path: address.to_shown_path(),
        reason,
    };
    // Whoever opens a store may be async, where nothing may wait for a server.
    let for_thread = address.clone();
    let thread = Builder::new()
        .name("store-open".into())
        .spawn(move || open_databases(&for_thread))
        .map_err(|error| failed(error.to_string()))?;
    let opened = thread.join();
    opened.unwrap_or_else(|_| Err(failed("its thread ended".into())))
}

fn open_databases(address: &PostgresAddress) -> Result<(Database, Database), StoreError> {
    let shown = address.to_shown_path();
    let conn = lock_database(address)?;
    schema::migrate(&conn, &shown)?;
    let conn = SqlConnection::from(conn);
    refuse_unfinished(&conn, &shown)?;
    let writer =
        load_database(conn, &shown).map_err(|error| StoreError::explain_damage(error, &shown))?;
    Ok((writer, Database::read_server(address)))
}

/// Connects to a server that can be used, and holds the lock against a second Kith. Not for async code.
pub(crate) fn lock_database(address: &PostgresAddress) -> Result<PostgresConnection, StoreError> {
    let conn = PostgresConnection::open(address, ConnectionRole::Writer)
        .map_err(|error| StoreError::explain(error, &address.to_shown_path()))?;
    refuse_unfit(&conn, address)?;
    Ok(conn)
}

/// A server that cannot be used, or a database that is divided otherwise than is thought.
fn refuse_unfit(conn: &PostgresConnection, address: &PostgresAddress) -> Result<(), StoreError> {
    let path = address.to_shown_path();
    let hindrance = match find_hindrance(conn) {
        Ok(None) => find_division(conn, address.expected_division()),
        found => found,
    };
    match hindrance.map_err(|error| StoreError::explain(error, &path))? {
        None => Ok(()),
        Some(reason) => Err(StoreError::Refused { path, reason }),
    }
}

fn refuse_unfinished(conn: &SqlConnection, shown: &Path) -> Result<(), StoreError> {
    let mark = migration_mark::find(conn).map_err(|error| StoreError::explain(error, shown))?;
    migration_mark::refuse_unfinished(mark, shown)
}

/// A connection that reads beside a Kith that may be running. Not for async code.
pub(crate) fn connect_beside(
    address: &PostgresAddress,
) -> Result<(SqlConnection, PathBuf), StoreError> {
    let shown = address.to_shown_path();
    let conn = PostgresConnection::open(address, ConnectionRole::Reader)
        .map_err(|error| StoreError::explain(error, &shown))?;
    refuse_unfit(&conn, address)?;
    // An older one can be read, a newer one may mean something else.
    schema::is_newest(&conn, &shown)?;
    let conn = SqlConnection::from(conn);
    refuse_unfinished(&conn, &shown)?;
    Ok((conn, shown))
}
