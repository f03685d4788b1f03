//! A connection to a server as the store's threads use it: opened again when the link was cut, and never in doubt of what
//! it committed.
//!
//! Where a link is cut while a commit is under way, nobody knows whether it happened. Each commit leaves a mark of its own
//! with the arrival number, and the next link reads whether it stands there. So nothing is stored twice, and nothing that is
//! stored is taken for lost.

use std::cell::{Cell, Ref, RefCell};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use rusqlite::ToSql;
use rusqlite::types::ValueRef;
use tokio_postgres::types::ToSql as PostgresToSql;
use tokio_postgres::{Row, SimpleQueryMessage, Statement};

use super::address::{PartitionLease, PostgresAddress};
use super::leases;
use super::link::{Link, LinkResult, PreparedStatement};
use super::statements::STATEMENTS;
use super::values::{BoundColumn, ReadValue};
use crate::engine_statements::EngineStatements;
use crate::sql_error::{PostgresError, PostgresFault};
use kith_system::clock::monotonic;

/// How long the outcome of a commit is looked for, and how long the session of a link that was cut may hold the lock.
const RESOLVED_WITHIN: Duration = Duration::from_secs(20);
/// How long the lock may be held by a process that has just ended.
const LET_GO_WITHIN: Duration = Duration::from_secs(3);
/// How long to wait before the server is asked once more.
const ASK_AGAIN: Duration = Duration::from_millis(200);
/// The first part of the lock against a second Kith; the second is made of the names of database and schema.
pub(super) const LOCK: i64 = 0x4B69_7468;

/// What a role, a database or a server may have set otherwise. Limits are for programs that nobody can stop: a search of the
/// store's is bounded, and a forgetting has to end. Of a cursor all rows are read. To compile a question or to begin processes
/// for it takes longer than any of the store's takes without. What is acknowledged is on the disk, whatever others may do
/// without. Long values, such as channel states, are pressed by what is quick, where the server has it: a busy server spent a
/// seventh of its time on the other.
const SETTINGS: &str = "SELECT set_config(name, '0', false) FROM pg_settings
        WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout',
            'idle_in_transaction_session_timeout');
    SELECT set_config('cursor_tuple_fraction', '1', false), set_config('jit', 'off', false),
        set_config('max_parallel_workers_per_gather', '0', false);
    SELECT set_config(name, 'lz4', false) FROM pg_settings
        WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals);
    SELECT set_config(name, 'on', false) FROM pg_settings WHERE name = 'synchronous_commit' AND setting = 'off'";

/// The same for a link that says who shares the database: a process that is frozen in the middle of it is not to keep all
/// others waiting.
const LEASE_SETTINGS: &str =
    "SET idle_in_transaction_session_timeout = '4s'; SET lock_timeout = '2s';
    SET statement_timeout = '4s'; SET default_transaction_isolation = 'read committed'";
/// How long such a link waits for an answer, which may be lost on its way: a little longer than a statement may take.
const LEASES_ANSWERED_WITHIN: Duration = Duration::from_secs(5);

/// Another Kith could have the lock as well then.
const POOLED: &str = "another session answered than the one that holds the lock of this database: what pools connections \
    has to keep one session for each link (pool_mode = session), or to be left out";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConnectionRole {
    /// It holds the lock, and gives arrival numbers.
    Writer,
    /// Each of its transactions sees one moment.
    Reader,
    /// It says who shares the database. Of its kind one at a time is in a transaction.
    Leases,
}

pub(crate) struct PostgresConnection {
    address: PostgresAddress,
    role: ConnectionRole,
    link: RefCell<Option<Link>>,
    /// The session of the link that is or was open: its process and when that began.
    session: RefCell<Option<(String, String)>>,
    is_in_transaction: Cell<bool>,
    /// Whether a statement of the transaction failed: nothing of it will be kept.
    has_failed: Cell<bool>,
    /// What the marks of this session's commits begin with: a word that no other session has.
    mark: RefCell<String>,
    /// How many commits were begun, in all sessions.
    commits: Cell<u64>,
    changes: Cell<u64>,
    cursors: Cell<u64>,
}

impl PostgresConnection {
    pub fn new(address: &PostgresAddress, role: ConnectionRole) -> Self {
        Self {
            address: address.clone(),
            role,
            link: RefCell::default(),
            session: RefCell::default(),
            is_in_transaction: Cell::default(),
            has_failed: Cell::default(),
            mark: RefCell::default(),
            commits: Cell::default(),
            changes: Cell::default(),
            cursors: Cell::default(),
        }
    }

    /// Connects, and as a writer takes the lock against a second Kith.
    pub fn open(address: &PostgresAddress, role: ConnectionRole) -> LinkResult<Self> {
        let conn = Self::new(address, role);
        conn.open_link()?;
        Ok(conn)
    }

    pub fn lease(&self) -> Option<&PartitionLease> {
        self.address.lease()
    }

    pub fn statements(&self) -> &'static EngineStatements {
        &STATEMENTS
    }

    pub fn count_changes(&self) -> u64 {
        self.changes.get()
    }

    pub fn prepare(&self, sql: &str) -> LinkResult<PostgresStatement<'_>> {
        let PreparedStatement { statement, words } =
            self.note_failure(self.link()?.prepare(sql))?;
        Ok(PostgresStatement {
            conn: self,
            statement,
            words,
        })
    }

    pub fn execute_batch(&self, sql: &str) -> LinkResult<()> {
        let link = self.link()?;
        self.note_failure(link.wait(link.client.batch_execute(sql)))
    }

    /// Runs a statement that takes no values; answers with the details of what the server tells of it.
    pub fn read_notices(&self, sql: &str) -> LinkResult<Vec<String>> {
        let link = self.link()?;
        link.take_notices();
        self.note_failure(link.wait(link.client.batch_execute(sql)))?;
        Ok(link.take_notices())
    }

    /// Begins a transaction; as a writer with the arrival number given last, which nobody else changes until it ends.
    pub fn begin(&self) -> LinkResult<Option<u64>> {
        let begun = match self.try_begin() {
            Err(error) if error.is_link_cut() => {
                self.link.take();
                self.try_begin()
            }
            begun => begun,
        };
        // What failed behind its BEGIN, such as a wait for a lock, leaves a transaction that refuses all else.
        begun.inspect_err(|_| self.rollback()).inspect(|_| {
            self.is_in_transaction.set(true);
            self.has_failed.set(false);
        })
    }

    fn try_begin(&self) -> LinkResult<Option<u64>> {
        let link = self.link()?;
        let begin = match self.role {
            ConnectionRole::Writer => None,
            ConnectionRole::Reader => {
                Some("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY".into())
            }
            ConnectionRole::Leases => Some(leases::begin_statement()),
        };
        if let Some(begin) = begin {
            link.wait(link.client.batch_execute(&begin))?;
            return Ok(None);
        }
        let begin = "BEGIN; SELECT arrival, pg_backend_pid() FROM counter FOR UPDATE";
        let told = link.wait(link.client.simple_query(begin))?;
        let Some(arrival) = read_cell(&told, 0).and_then(|cell| cell.parse().ok()) else {
            return Err(PostgresError::new(
                PostgresFault::Damaged,
                "its counter of what arrived is missing",
            ));
        };
        let holder = self.session.borrow();
        if read_cell(&told, 1).as_ref() != holder.as_ref().map(|(process, _)| process) {
            return Err(PostgresError::new(PostgresFault::Refused, POOLED));
        }
        Ok(Some(arrival))
    }

    /// Ends a transaction with all it did, and with the arrival number given last if it gave any.
    pub fn commit(&self, arrival: Option<u64>) -> LinkResult<()> {
        let mark = self.make_mark();
        let commit = match (self.role, arrival) {
            (ConnectionRole::Reader | ConnectionRole::Leases, _) => "COMMIT".to_owned(),
            (ConnectionRole::Writer, None) => {
                format!("UPDATE counter SET mark = '{mark}'; COMMIT")
            }
            (ConnectionRole::Writer, Some(arrival)) => {
                format!("UPDATE counter SET arrival = {arrival}, mark = '{mark}'; COMMIT")
            }
        };
        let ended = {
            // While it is open, a link that was cut is not opened anew: a new session would commit nothing, and say so to
            // nobody.
            let link = self.link()?;
            self.is_in_transaction.set(false);
            match self.has_failed.get() {
                true => Err(PostgresError::new(
                    PostgresFault::Refused,
                    "a part of it failed",
                )),
                false => link.wait(link.client.batch_execute(&commit)),
            }
        };
        match ended {
            Err(error) if error.is_link_cut() && self.role == ConnectionRole::Writer => {
                self.find_outcome(error, &mark, RESOLVED_WITHIN)
            }
            ended => ended.inspect_err(|_| self.rollback()),
        }
    }

    /// What only the commit that is about to be made has.
    fn make_mark(&self) -> String {
        self.commits.set(self.commits.get() + 1);
        format!("{}.{}", self.mark.borrow(), self.commits.get())
    }

    /// Ends a transaction without anything of it; where the server does not, with its session.
    pub fn rollback(&self) {
        self.is_in_transaction.set(false);
        let has_ended = self.link.borrow().as_ref().is_none_or(|link| {
            link.is_open() && link.wait(link.client.batch_execute("ROLLBACK")).is_ok()
        });
        if !has_ended {
            self.link.take();
        }
    }

    /// What became of a commit that got no answer. The session it was made in is over once the lock is had again.
    fn find_outcome(&self, cut: PostgresError, mark: &str, within: Duration) -> LinkResult<()> {
        let end = monotonic() + within;
        loop {
            self.link.take();
            let told = self.open_link().and_then(|()| {
                let link = self.link()?;
                link.wait(link.client.simple_query("SELECT mark FROM counter"))
            });
            match told.map(|told| read_cell(&told, 0)) {
                Ok(Some(found)) if found == mark => return Ok(()),
                Ok(Some(_)) => return Err(cut),
                _ if monotonic() >= end => {
                    return Err(PostgresError::new(PostgresFault::InDoubt, cut.reason));
                }
                _ => sleep(ASK_AGAIN),
            }
        }
    }

    /// The open link; outside a transaction one that was cut is opened anew.
    pub(super) fn link(&self) -> LinkResult<Ref<'_, Link>> {
        let is_open = self.link.borrow().as_ref().is_some_and(Link::is_open);
        if !is_open && !self.is_in_transaction.get() {
            self.link.take();
            self.open_link()?;
        }
        Ref::filter_map(self.link.borrow(), Option::as_ref).map_err(|_| {
            PostgresError::new(PostgresFault::Unreachable, "the link to the server was cut")
        })
    }

    fn open_link(&self) -> LinkResult<()> {
        let is_of_leases = self.role == ConnectionRole::Leases;
        let link = Link::open(
            &self.address,
            is_of_leases.then_some(LEASES_ANSWERED_WITHIN),
        )?;
        link.wait(link.client.batch_execute(SETTINGS))?;
        if is_of_leases {
            link.wait(link.client.batch_execute(LEASE_SETTINGS))?;
        }
        if self.role == ConnectionRole::Writer {
            self.take_lock(&link)?;
            self.check_lease(&link)?;
        }
        self.link.replace(Some(link));
        Ok(())
    }

    /// Takes the lock against a second Kith. The session of a link that was cut may still hold it: that is ended.
    fn take_lock(&self, link: &Link) -> LinkResult<()> {
        let before = self.session.borrow().clone();
        let patience = before.as_ref().map_or(LET_GO_WITHIN, |_| RESOLVED_WITHIN);
        let end = monotonic() + patience;
        if let Some((process, begun)) = &before {
            let finish = format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = {process} AND backend_start::text = '{begun}'"
            );
            link.wait(link.client.simple_query(&finish))?;
        }
        let lock = format!(
            "SELECT pg_try_advisory_lock({LOCK}, hashtext(current_database() || '.' || current_schema())), pid,
                 backend_start::text, gen_random_uuid() FROM pg_stat_activity WHERE pid = pg_backend_pid()"
        );
        loop {
            let told = link.wait(link.client.simple_query(&lock))?;
            if read_cell(&told, 0).as_deref() == Some("t") {
                self.session
                    .replace(read_cell(&told, 1).zip(read_cell(&told, 2)));
                self.mark.replace(read_cell(&told, 3).unwrap_or_default());
                return Ok(());
            }
            if monotonic() >= end {
                return Err(PostgresError::new(PostgresFault::InUse, "it is locked"));
            }
            sleep(ASK_AGAIN);
        }
    }

    /// Whether what it opens is still leased to this process: who took it over has a newer token.
    fn check_lease(&self, link: &Link) -> LinkResult<()> {
        let Some(lease) = self.address.lease() else {
            return Ok(());
        };
        let told = link.wait(link.client.simple_query(&leases::token_question(lease)))?;
        match read_cell(&told, 0).is_some_and(|token| token == lease.token.to_string()) {
            true => Ok(()),
            false => Err(leases::explain_lost_lease()),
        }
    }

    pub(super) fn is_in_transaction(&self) -> bool {
        self.is_in_transaction.get()
    }

    pub(super) fn name_cursor(&self) -> String {
        self.cursors.set(self.cursors.get() + 1);
        format!("kith_{}", self.cursors.get())
    }

    pub(super) fn add_changes(&self, changed: u64) {
        self.changes.set(self.changes.get() + changed);
    }

    /// How many answers were waited for over this link.
    #[cfg(test)]
    pub fn count_trips(&self) -> LinkResult<u32> {
        Ok(self.link()?.trips.get())
    }

    pub(super) fn note_failure<T>(&self, outcome: LinkResult<T>) -> LinkResult<T> {
        if outcome.is_err() {
            self.has_failed.set(true);
        }
        outcome
    }
}

fn read_cell(told: &[SimpleQueryMessage], column: usize) -> Option<String> {
    told.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(column).map(str::to_owned),
        _ => None,
    })
}

/// All rows of an answer, as texts; what is NULL is empty.
pub(super) fn read_rows(told: &[SimpleQueryMessage]) -> Vec<Vec<String>> {
    let cells = |message: &SimpleQueryMessage| match message {
        SimpleQueryMessage::Row(row) => {
            let cell = |column| row.get(column).unwrap_or_default().to_owned();
            Some((0..row.len()).map(cell).collect())
        }
        _ => None,
    };
    told.iter().filter_map(cells).collect()
}

pub(crate) struct PostgresStatement<'c> {
    pub(super) conn: &'c PostgresConnection,
    pub(super) statement: Statement,
    /// As the server was told it, by which a cursor is made.
    pub(super) words: Arc<str>,
}

impl PostgresStatement<'_> {
    pub fn execute(&self, params: &[&dyn ToSql]) -> LinkResult<usize> {
        let values = self.bind(params)?;
        let values: Vec<&(dyn PostgresToSql + Sync)> = to_bound(&values);
        let link = self.conn.link()?;
        let changed = link.wait(link.client.execute(&self.statement, &values));
        let changed = self.conn.note_failure(changed)?;
        self.conn.add_changes(changed);
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    pub fn query(&self, params: &[&dyn ToSql]) -> LinkResult<Vec<Row>> {
        let values = self.bind(params)?;
        let values: Vec<&(dyn PostgresToSql + Sync)> = to_bound(&values);
        let link = self.conn.link()?;
        let rows = link.wait(link.client.query(&self.statement, &values));
        self.conn.note_failure(rows)
    }

    /// What a statement does not name is not sent.
    pub(super) fn bind<'a>(&self, params: &[&'a dyn ToSql]) -> LinkResult<Vec<BoundColumn<'a>>> {
        let named = self.statement.params().len();
        let bound = params
            .iter()
            .take(named)
            .map(|value| BoundColumn::new(*value));
        let bound: rusqlite::Result<Vec<_>> = bound.collect();
        self.conn.note_failure(bound.map_err(PostgresError::from))
    }
}

pub(crate) fn read_value(row: &Row, column: usize) -> LinkResult<ValueRef<'_>> {
    let ReadValue(value) = row.try_get(column)?;
    Ok(value)
}

pub(super) fn to_bound<'a>(values: &'a [BoundColumn<'_>]) -> Vec<&'a (dyn PostgresToSql + Sync)> {
    values
        .iter()
        .map(|value| value as &(dyn PostgresToSql + Sync))
        .collect()
}

impl PostgresConnection {
    pub fn read_text(&self, sql: &str) -> LinkResult<String> {
        let link = self.link()?;
        let told = self.note_failure(link.wait(link.client.simple_query(sql)))?;
        read_cell(&told, 0)
            .ok_or_else(|| PostgresError::new(PostgresFault::NoRow, "there is no such row"))
    }

    pub fn read_number(&self, sql: &str) -> LinkResult<i64> {
        let link = self.link()?;
        let told = self.note_failure(link.wait(link.client.simple_query(sql)))?;
        let number = read_cell(&told, 0).and_then(|cell| cell.parse().ok());
        number.ok_or_else(|| PostgresError::new(PostgresFault::NoRow, "there is no such row"))
    }
}

/// Lets the lock go at once: the server may notice later that the session is over.
impl Drop for PostgresConnection {
    fn drop(&mut self) {
        if self.role == ConnectionRole::Writer
            && let Some(link) = self.link.take().filter(Link::is_open)
        {
            let _ = link.wait(link.client.batch_execute("SELECT pg_advisory_unlock_all()"));
        }
    }
}

#[cfg(test)]
#[path = "../tests/server_connection.rs"]
mod tests;
