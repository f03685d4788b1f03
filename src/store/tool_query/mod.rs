//! Questions that tools ask of the store: one reading statement, written by the host, over the [views](views) of a
//! scope that the program gives. Text of the model comes in only as bound values.
//!
//! Each query has a connection of its own, which is gone after it: no scope, no authorizer and no cached page of one is
//! there for another, and a slow one holds up nobody but the next query.

mod check;
mod guard;
mod run;
mod views;

use std::error::Error;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

pub use check::{StatementFault, check_query};
use kith_language::{LocalizedMessage, store};
use rusqlite::{Connection, OpenFlags, backup};
use serde_json::Value;
pub use views::QueryScope;
use views::VALUE_BYTES;

use crate::connection_threads::JobKind;
use crate::error::StoreError;
use crate::handle::Store;
use crate::sqlite::connection::{BUSY, add_no_mutex};

/// The last `:lines` lines of `:channel`, the oldest first. Ids are text: many languages read large numbers as floats.
pub const LAST_LINES_QUERY: &str =
    "SELECT CAST(id AS TEXT) AS id, at, name, kind, CAST(reply_to AS TEXT) AS reply_to, text
     FROM (SELECT * FROM messages WHERE channel = :channel ORDER BY at DESC, id DESC LIMIT :lines)
     ORDER BY at, id";

/// The page cache of a query, in KiB; what does not fit, a sort for instance, goes to a file that nobody else can open.
const CACHE_KIB: i64 = 2 * 1024;

#[derive(Clone, Debug)]
pub struct ToolQuery {
    pub sql: Arc<str>,
    /// What stands for its `:name`s. Lists and objects are bound as JSON text, what is not given is null.
    pub params: Vec<(String, Value)>,
    pub reach: QueryScope,
    pub rows: usize,
    /// The most bytes of all rows together.
    pub bytes: usize,
    pub time: Duration,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryRows {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
    pub is_cut: bool,
}

/// Why there is no answer, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryError {
    /// The statement is not one that may be asked.
    Wrong(StatementFault),
    TooSlow(Duration),
    TooLarge,
    /// SQLite could not compute it from these values.
    Failed(String),
    Store(StoreError),
}

/// Asks a question. One is answered at a time.
pub(crate) fn ask(
    store: &Store,
    asked: Instant,
    query: &ToolQuery,
) -> Result<Result<QueryRows, QueryError>, StoreError> {
    let turn = store.threads.query.lock();
    let _turn = turn.unwrap_or_else(PoisonError::into_inner);
    if asked.elapsed() > query.time {
        // Who asked has given up.
        return Ok(Err(QueryError::TooSlow(query.time)));
    }
    if let Some(server) = store.threads.server() {
        let path = server.to_shown_path();
        return Ok(Err(QueryError::Store(StoreError::OnlyInFile { path })));
    }
    let connected = match store.threads.file() {
        Some(path) => connect(path).map_err(|error| StoreError::explain(error, path)),
        // Only replays and tests have one, and hardly ever ask.
        None => store
            .write_as(JobKind::Upkeep, |db| {
                Ok(db.conn.as_sqlite().map(copy_database).transpose()?)
            })
            .wait()
            .and_then(|copy| copy.ok_or(StoreError::Closed)),
    };
    Ok(run::run_query(connected?, query))
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let conn = Connection::open_with_flags(path, add_no_mutex(OpenFlags::SQLITE_OPEN_READ_ONLY))?;
    conn.busy_timeout(BUSY)?;
    Ok(conn)
}

fn copy_database(from: &Connection) -> rusqlite::Result<Connection> {
    let mut to = Connection::open("")?;
    backup::Backup::new(from, &mut to)?.run_to_completion(1_000, Duration::ZERO, None)?;
    Ok(to)
}

/// Makes the views on a connection, and then lets it do nothing but read them.
fn confine(conn: &mut Connection, reach: &QueryScope) -> rusqlite::Result<guard::QueryRefusal> {
    conn.pragma_update(None, "cache_size", -CACHE_KIB)?;
    views::create_views(conn, reach)?;
    conn.pragma_update(None, "query_only", true)?;
    guard::install_guard(conn)
}

/// For a model, as far as it can act on it.
impl From<QueryError> for LocalizedMessage {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Wrong(fault) => store::query_wrong(fault.to_string()),
            QueryError::TooSlow(most) => store::query_too_slow(most.as_millis().to_string()),
            QueryError::TooLarge => store::query_too_large(VALUE_BYTES.to_string()),
            QueryError::Failed(why) => store::query_failed(why),
            QueryError::Store(error) => error.into(),
        }
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        LocalizedMessage::from(self.clone()).fmt(f)
    }
}

impl Error for QueryError {}

impl From<StoreError> for QueryError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
