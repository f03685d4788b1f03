//! The same on a PostgreSQL server, and what only a server can do to it. Where none is installed, all of it runs in memory,
//! and the first test says so.

mod batched_appends;
mod files_on_server;
mod links;
mod migration;
mod ordinary_servers;

use kith_store::PostgresAddress;
use kith_testkit::postgres::{HeldSession, PostgresSchema, PostgresServer};

include!("suite.in");

/// A store of a test's own.
fn memory() -> Store {
    match PostgresServer::shared() {
        Some(_) => open(&on_disk().1),
        None => Store::open_in_memory().expect("opened"),
    }
}

/// A database of a test's own; the folder is for what else it writes.
fn on_disk() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = match PostgresServer::shared() {
        Some(server) => server.make_schema().url.into(),
        None => folder.path().join("kith.db"),
    };
    (folder, path)
}

fn find_address(path: &Path) -> Option<PostgresAddress> {
    path.to_str().and_then(|url| url.parse().ok())
}

fn open(path: &Path) -> Store {
    match find_address(path) {
        Some(address) => Store::open_server(&address).expect("opened"),
        None => Store::open(path).expect("opened"),
    }
}

/// The rows that hold these bytes, as text, as bytes or as a number, each behind its table.
fn find_server_rows(path: &Path, wanted: &[u8]) -> Option<Vec<String>> {
    let url = path.to_str().filter(|url| url.starts_with("postgres://"))?;
    let schema = url.rsplit_once("%3D")?.1;
    Some(PostgresServer::shared()?.find_rows(schema, wanted))
}

/// What is kept of a text: PostgreSQL's hold no character of number 0.
fn to_kept(text: &str) -> String {
    match PostgresServer::shared() {
        Some(_) => text.replace('\0', "\u{FFFD}"),
        None => text.to_owned(),
    }
}

/// Runs statements behind the store's back: the first of them in a file, the second on a server.
fn change_tables(path: &Path, in_file: &str, on_server: &str) {
    let url = path.to_str().filter(|url| url.starts_with("postgres://"));
    match (
        PostgresServer::shared(),
        url.and_then(|url| url.rsplit_once("%3D")),
    ) {
        (Some(server), Some((_, schema))) => {
            server.run_sql(&format!("SET search_path TO {schema}; {on_server}"));
        }
        _ => {
            let conn = rusqlite::Connection::open(path).expect("opened");
            conn.execute_batch(in_file).expect("changed");
        }
    }
}
