//! What stands for PostgreSQL in a build without it (without the feature `postgres`): no text is the address of a server, and
//! nothing that comes of an address has a value. So whoever asks for the engine need not know, and the compiler leaves out
//! what would never run.

use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use rusqlite::ToSql;
use rusqlite::types::{Value, ValueRef};
use tokio::sync::watch;

use crate::StoreError;
use crate::address_problem::AddressProblem;
use crate::copied_column::CopiedColumn;
use crate::db::Database;
use crate::engine_statements::EngineStatements;
use crate::lease_view::LeaseView;
use crate::new_message::NewMessage;
use crate::sql::SqlConnection;
use crate::values::ToColumn;
use kith_core::chat::Message;
use kith_core::partition::Partition;

pub use self::{
    NoLease as PartitionLease, NoServer as PartitionLeases, NoServer as PostgresAddress,
    NoServer as SessionStartQueue,
};
pub(crate) use self::{
    NoServer as PostgresConnection, NoServer as PostgresError, NoServer as PostgresRow,
    NoStatement as PostgresCursor, NoStatement as PostgresStatement,
};

/// A server in a build that has none: there is no such value.
#[derive(Clone)]
pub struct NoServer(Infallible);

/// What would be asked of it.
pub(crate) struct NoStatement<'c>(NoServer, PhantomData<&'c ()>);

/// The lease of a partition in a build without a server: there is no such value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoLease {
    /// Which partition.
    pub partition: Partition,
    server: Infallible,
}

impl NoLease {
    pub(crate) fn table(&self, _name: &str) -> String {
        match self.server {}
    }
}

/// An answer of no server.
type NoAnswer<T> = Result<T, NoServer>;

impl FromStr for NoServer {
    type Err = AddressProblem;

    fn from_str(_url: &str) -> Result<Self, AddressProblem> {
        Err(AddressProblem::NotInThisBuild)
    }
}

impl fmt::Display for NoServer {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {}
    }
}

impl fmt::Debug for NoServer {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {}
    }
}

/// As an address.
impl NoServer {
    /// The partition that is leased.
    pub fn leased(&self, _lease: &NoLease) -> Self {
        match self.0 {}
    }

    /// One of several partitions.
    pub fn in_partition(&self, _partition: Partition) -> Self {
        match self.0 {}
    }

    /// Host and database, for error texts.
    pub fn to_shown_path(&self) -> PathBuf {
        match self.0 {}
    }

    #[cfg(test)]
    pub fn of_new_schema() -> Option<Self> {
        None
    }
}

/// As the leases of a process.
impl NoServer {
    /// Takes part in sharing a database.
    ///
    /// # Errors
    /// Never: there is no address to open.
    pub fn open(address: &Self, _name: &str, _count: u16) -> Result<Self, StoreError> {
        match address.0 {}
    }

    /// What is leased.
    pub fn view(&self) -> watch::Receiver<LeaseView> {
        match self.0 {}
    }

    /// A partition that is not run here any more is free for others.
    pub fn give_back(&self, _lease: NoLease) {
        match self.0 {}
    }

    /// What reserves the starts of sessions.
    pub fn session_starts(&self) -> Self {
        match self.0 {}
    }

    /// Everything is free for others.
    pub async fn leave(self) {
        match self.0 {}
    }

    /// Reserves the next start in a group of shards.
    pub async fn reserve(&self, _group: u16, _apart: Duration) -> Option<Duration> {
        match self.0 {}
    }

    /// Counts a start in a group of shards as made.
    pub async fn claim(&self, _group: u16, _apart: Duration) -> Option<Duration> {
        match self.0 {}
    }
}

/// As an error.
impl NoServer {
    pub(crate) fn is_link_cut(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn is_in_doubt(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn explain(self, _path: PathBuf) -> StoreError {
        match self.0 {}
    }
}

/// As a row.
impl NoServer {
    pub(crate) fn len(&self) -> usize {
        match self.0 {}
    }
}

/// As a connection.
impl NoServer {
    pub(crate) fn lease(&self) -> Option<&NoLease> {
        match self.0 {}
    }

    pub(crate) fn statements(&self) -> &'static EngineStatements {
        match self.0 {}
    }

    pub(crate) fn begin(&self) -> NoAnswer<Option<u64>> {
        match self.0 {}
    }

    pub(crate) fn commit(&self, _arrival: Option<u64>) -> NoAnswer<()> {
        match self.0 {}
    }

    pub(crate) fn rollback(&self) {
        match self.0 {}
    }

    pub(crate) fn rewrite(&self, _part: &str) -> NoAnswer<bool> {
        match self.0 {}
    }

    pub(crate) fn prepare(&self, _sql: &str) -> NoAnswer<NoStatement<'_>> {
        match self.0 {}
    }

    pub(crate) fn execute_batch(&self, _sql: &str) -> NoAnswer<()> {
        match self.0 {}
    }

    pub(crate) fn find_known(&self, _messages: &[&Message]) -> NoAnswer<Vec<Option<i64>>> {
        match self.0 {}
    }

    pub(crate) fn add_messages(&self, _new: &[NewMessage<'_>]) -> NoAnswer<()> {
        match self.0 {}
    }

    pub(crate) fn write_rows<R, const COLUMNS: usize>(
        &self,
        _sql: &str,
        _rows: &[R],
        _columns: [fn(&R) -> &dyn ToColumn; COLUMNS],
    ) -> NoAnswer<()> {
        match self.0 {}
    }

    pub(crate) fn copy_rows(
        &self,
        _table: &str,
        _columns: &str,
        _kinds: &[CopiedColumn],
        _rows: &[Vec<Value>],
    ) -> NoAnswer<()> {
        match self.0 {}
    }

    #[cfg(test)]
    pub(crate) fn count_trips(&self) -> NoAnswer<u32> {
        match self.0 {}
    }

    pub(crate) fn count_changes(&self) -> u64 {
        match self.0 {}
    }
}

impl NoStatement<'_> {
    pub(crate) fn execute(&self, _params: &[&dyn ToSql]) -> NoAnswer<usize> {
        match self.0.0 {}
    }

    pub(crate) fn query(&self, _params: &[&dyn ToSql]) -> NoAnswer<Vec<NoServer>> {
        match self.0.0 {}
    }

    pub(crate) fn query_paged(
        &self,
        _params: &[&dyn ToSql],
    ) -> NoAnswer<(Vec<NoServer>, Option<Self>)> {
        match self.0.0 {}
    }

    pub(crate) fn fetch(&self) -> NoAnswer<(Vec<NoServer>, bool)> {
        match self.0.0 {}
    }
}

pub(crate) fn read_value(row: &NoServer, _column: usize) -> NoAnswer<ValueRef<'_>> {
    match row.0 {}
}

pub(crate) fn open_server(address: &NoServer) -> Result<(Database, Database), StoreError> {
    match address.0 {}
}

pub(crate) fn lock_database(address: &NoServer) -> Result<NoServer, StoreError> {
    match address.0 {}
}

pub(crate) fn make_tables(conn: &NoServer, _shown: &Path) -> Result<(), StoreError> {
    match conn.0 {}
}

pub(crate) fn is_of_this_format(
    conn: &NoServer,
    _shown: &Path,
) -> Result<Option<bool>, StoreError> {
    match conn.0 {}
}

pub(crate) fn prepare_reading(address: &NoServer) -> Database {
    match address.0 {}
}

pub(crate) fn connect_beside(address: &NoServer) -> Result<(SqlConnection, PathBuf), StoreError> {
    match address.0 {}
}
