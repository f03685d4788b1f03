//! The tables in which processes share partitions: who lives, and who holds what.
//!
//! A process says every few seconds that it lives, and holds an advisory lock as long as its session does. Whoever lost the
//! lock and was silent for [`SILENT`], or said nothing for [`DEAD`], holds nothing any more. A token that grows with each
//! holder fences off the one before: its sessions are ended, and a new one is refused the partition
//! (`connection.rs`, `PostgresConnection::check_lease`).

use std::time::{Duration, Instant};

use super::super::address::{LEASED, PartitionLease, PostgresAddress};
use super::super::connection::{ConnectionRole, LOCK, PostgresConnection, read_rows};
use super::super::link::LinkResult;
use super::super::schema::find_hindrance;
use super::shares::{Holdings, Step};
use crate::error::StoreError;
use crate::postgres::lease_view::{LeaseView, LivingProcess};
use crate::sql_error::{PostgresError, PostgresFault};
use kith_core::partition::Partition;
use kith_system::clock::monotonic;

/// How long a process whose session is over may be silent, in seconds: it may open another. What a process may do without
/// having asked again is bounded by less ([`super::VALID_FOR`]).
const SILENT: u32 = 10;
pub(super) const SILENT_FOR: Duration = Duration::from_secs(SILENT as u64);
/// How long any process may be silent, in seconds.
const DEAD: u32 = 15;
const DEAD_AFTER: Duration = Duration::from_secs(DEAD as u64);
/// The first part of the lock that is held while the two tables are read and changed, and of that which says that a
/// process lives.
const TABLES_LOCK: i64 = LOCK + 1;
const PROCESS_LOCK: i64 = LOCK + 2;
/// The second part of a process' lock, of a row called `p`: other schemas have the same numbers.
const PROCESS_KEY: &str =
    "hashtext(current_database() || '.' || current_schema() || '.' || p.number)";

/// How long a name may be, in bytes; PostgreSQL cuts off the rest.
const LONGEST_NAME: usize = 63;

const MAKE: &str = "CREATE TABLE IF NOT EXISTS lease_process (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        renewed_at timestamptz NOT NULL
    );
    CREATE TABLE IF NOT EXISTS lease_partition (
        number integer PRIMARY KEY,
        count integer NOT NULL,
        process bigint,
        token bigint NOT NULL
    );
    CREATE TABLE IF NOT EXISTS lease_session_start (
        shard_group integer PRIMARY KEY,
        free_at timestamptz NOT NULL,
        started_at timestamptz NOT NULL DEFAULT 'epoch'
    );
    CREATE TABLE IF NOT EXISTS shared_wish (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partition integer NOT NULL,
        person bigint NOT NULL,
        wish text NOT NULL,
        at bigint NOT NULL
    );
    CREATE TABLE IF NOT EXISTS shared_interaction (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        partition integer NOT NULL,
        raw text NOT NULL,
        at bigint NOT NULL
    );
    CREATE TABLE IF NOT EXISTS shared_spending (
        partition integer PRIMARY KEY,
        day_start bigint NOT NULL,
        tokens bigint NOT NULL,
        cost double precision NOT NULL
    )";

struct PartitionRow {
    number: u16,
    process: Option<i64>,
    token: i64,
}

pub(super) struct LeaseTable {
    conn: PostgresConnection,
    name: String,
    count: u16,
    schema: String,
    me: Option<i64>,
    /// What is held, and the sessions of who held it before are over.
    fenced: Vec<PartitionLease>,
    /// When it last said that it lives.
    last_beat: Option<Instant>,
    /// Until then others may not have said so yet, and nothing moves.
    settles_until: Option<Instant>,
    /// For so many seconds after the server's start nobody counts as dead: nobody could say that they live.
    restart_grace: u32,
}

impl LeaseTable {
    /// Makes the tables where they are missing. Refuses a database that is divided otherwise.
    pub fn open(address: &PostgresAddress, name: &str, count: u16) -> Result<Self, StoreError> {
        let shown = address.to_shown_path();
        let explain = |error| StoreError::explain(error, &shown);
        let conn = PostgresConnection::open(address, ConnectionRole::Leases).map_err(explain)?;
        let refused = |reason| StoreError::Refused {
            path: shown.clone(),
            reason,
        };
        if let Some(reason) = find_hindrance(&conn).map_err(explain)? {
            return Err(refused(reason));
        }
        let mut book = Self {
            conn,
            name: name.to_owned(),
            count,
            schema: String::new(),
            me: None,
            fenced: Vec::new(),
            last_beat: None,
            settles_until: None,
            restart_grace: DEAD,
        };
        let found = book.make_tables().map_err(explain)?;
        if found == i64::from(count) {
            return match book.make_schemas().map_err(explain)? {
                None => Ok(book),
                Some(reason) => Err(refused(reason)),
            };
        }
        Err(refused(format!(
            "it is divided into {found} partitions and not into {count}: set store.partitions to {found}, or use an empty database"
        )))
    }

    /// Makes them; answers into how many partitions the database is divided.
    fn make_tables(&mut self) -> LinkResult<i64> {
        let whole = "SELECT (to_regclass('kith_format') IS NOT NULL AND to_regclass('lease_partition') IS NULL)::int";
        self.in_transaction(|book| {
            let is_used = book.conn.read_number(whole)? == 1;
            book.conn.execute_batch(MAKE)?;
            let count = if is_used { 1 } else { book.count };
            book.conn.execute_batch(&format!(
                "INSERT INTO lease_partition (number, count, token)
                 SELECT number, {count}, 0 FROM generate_series(0, {count} - 1) number
                 WHERE NOT EXISTS (SELECT 1 FROM lease_partition)"
            ))?;
            book.schema = book.conn.read_text("SELECT current_schema()")?;
            book.conn
                .read_number("SELECT max(count) FROM lease_partition")
        })
    }

    /// Makes the schemas of all partitions but the first; their tables are made by who opens them. Says what stands in the
    /// way.
    fn make_schemas(&self) -> LinkResult<Option<String>> {
        let partitions = (1..self.count).filter_map(|number| Partition::new(number, self.count));
        for partition in partitions {
            let name = self.lease(partition, 0).partition_schema();
            if name.len() > LONGEST_NAME {
                return Ok(Some(format!(
                    "the name of its schema is too long for that of its partitions: choose one of at most {} bytes",
                    LONGEST_NAME - (name.len() - self.schema.len())
                )));
            }
            let (text, quoted) = (name.replace('\'', "''"), name.replace('"', "\"\""));
            let is_there =
                format!("SELECT (to_regnamespace(quote_ident('{text}')) IS NOT NULL)::int");
            if self.conn.read_number(&is_there)? == 0 {
                self.conn
                    .execute_batch(&format!("CREATE SCHEMA IF NOT EXISTS \"{quoted}\""))?;
            }
        }
        Ok(None)
    }

    fn lease(&self, partition: Partition, token: i64) -> PartitionLease {
        PartitionLease {
            partition,
            token,
            schema: self.schema.clone(),
        }
    }

    fn ask(&self, sql: &str) -> LinkResult<Vec<Vec<String>>> {
        let link = self.conn.link()?;
        let told = link.wait(link.client.simple_query(sql))?;
        Ok(read_rows(&told))
    }

    /// Nobody else reads or changes the tables meanwhile.
    fn in_transaction<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> LinkResult<T>,
    ) -> LinkResult<T> {
        self.conn.begin()?;
        let done = work(self).inspect_err(|_| self.conn.rollback())?;
        self.conn.commit(None).map(|()| done)
    }

    /// Says that this process lives, and takes what it shall. Until when that holds, is for who asked to know.
    pub fn beat(&mut self) -> LinkResult<LeaseView> {
        let began = monotonic();
        if self.last_beat.is_some_and(|last| began > last + SILENT_FOR) {
            // The server was away, for others as well.
            self.settles_until = Some(began + DEAD_AFTER);
        }
        // Where several processes begin at once, all are there when they share. Alone, nobody waits for others.
        let is_new = self.me.is_none() && self.count > 1;
        let rests = is_new || self.settles_until.is_some_and(|until| began < until);
        let mut view = self.in_transaction(|book| {
            let me = book.say_alive()?;
            let is_young = book.is_server_young()?;
            let mut processes = book.list_living(is_young)?;
            let mut partitions = book.read_partitions()?;
            let holdings = compare_holdings(&processes, &partitions);
            let mut step = if rests { Step::default() } else { holdings.decide(me) };
            if is_young {
                // Those who died before its start count as alive.
                step.give_back = None;
            }
            let is_taken = |row: &&mut PartitionRow| step.take.contains(&row.number);
            for row in partitions.iter_mut().filter(is_taken) {
                (row.process, row.token) = (Some(me), row.token + 1);
                let PartitionRow { number, token, .. } = row;
                book.conn.execute_batch(&format!(
                    "UPDATE lease_partition SET process = {me}, token = {token} WHERE number = {number}"
                ))?;
            }
            for process in &mut processes {
                let held = partitions.iter().filter(|row| row.process == Some(process.number));
                process.partitions = held.map(|row| row.number).collect();
            }
            let held = partitions.iter().filter(|row| row.process == Some(me));
            Ok(LeaseView {
                held: held.filter_map(|row| book.lease_of(row)).collect(),
                give_back: step.give_back,
                processes,
                own: Some(me),
                valid_until: None,
            })
        })?;
        self.last_beat = Some(monotonic());
        self.fence(&view.held);
        view.held.retain(|lease| self.fenced.contains(lease));
        Ok(view)
    }

    /// Ends the sessions of who held before what is held now. Where that cannot be done, it is done with the next beat, and
    /// the partition is not run until then.
    fn fence(&mut self, held: &[PartitionLease]) {
        self.fenced.retain(|lease| held.contains(lease));
        for lease in held {
            if self.fenced.contains(lease) {
                continue;
            }
            match self.end_sessions_of(lease) {
                Ok(()) => self.fenced.push(lease.clone()),
                Err(error) => {
                    let partition = lease.partition.number();
                    tracing::warn!(partition, "who ran it before cannot be ended yet: {error}");
                }
            }
        }
    }

    /// Its row, made anew where it was given up, and its lock, taken anew where the session is another.
    fn say_alive(&mut self) -> LinkResult<i64> {
        let known = match self.me {
            Some(me) => self.ask(&format!(
                "UPDATE lease_process SET renewed_at = clock_timestamp() WHERE number = {me} RETURNING number"
            ))?,
            None => Vec::new(),
        };
        let me = match known.is_empty() {
            false => self.me.unwrap_or_default(),
            true => {
                let name = self.name.replace('\'', "''");
                self.conn.execute_batch(
                    "DELETE FROM lease_process p WHERE renewed_at < clock_timestamp() - interval '1 day'
                     AND NOT EXISTS (SELECT 1 FROM lease_partition WHERE process = p.number)",
                )?;
                self.conn.read_number(&format!(
                    "INSERT INTO lease_process (name, renewed_at) VALUES ('{name}', clock_timestamp()) RETURNING number"
                ))?
            }
        };
        self.me = Some(me);
        self.ask(&format!(
            "SELECT pg_try_advisory_lock({PROCESS_LOCK}, {PROCESS_KEY}) FROM (SELECT {me} number) p WHERE NOT EXISTS (
                 SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = {PROCESS_LOCK}
                 AND objid::bigint = {PROCESS_KEY}::bigint & 4294967295 AND pid = pg_backend_pid())"
        ))?;
        Ok(me)
    }

    /// Whether the server was started so lately that nobody can have said since that they live.
    fn is_server_young(&self) -> LinkResult<bool> {
        let grace = self.restart_grace;
        let is_young = format!(
            "SELECT (clock_timestamp() - pg_postmaster_start_time() < interval '{grace} s')::int"
        );
        Ok(self.conn.read_number(&is_young)? == 1)
    }

    /// Who lives, oldest first, without what they run. Right after the server's start, when it `is_young`, everybody does.
    fn list_living(&self, is_young: bool) -> LinkResult<Vec<LivingProcess>> {
        let rows = self.ask(&format!(
            "SELECT number, name FROM lease_process p
             WHERE {is_young}
                 OR renewed_at > clock_timestamp() - interval '{DEAD} s'
                 AND (renewed_at > clock_timestamp() - interval '{SILENT} s' OR EXISTS (SELECT 1 FROM pg_locks
                     WHERE locktype = 'advisory' AND classid = {PROCESS_LOCK}
                     AND objid::bigint = {PROCESS_KEY}::bigint & 4294967295
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())))
             ORDER BY number"
        ))?;
        let living = rows.into_iter().map(|row| {
            let mut row = row.into_iter();
            let mut next = || row.next().unwrap_or_default();
            LivingProcess {
                number: next().parse().unwrap_or_default(),
                name: next(),
                partitions: Vec::new(),
            }
        });
        Ok(living.collect())
    }

    fn read_partitions(&self) -> LinkResult<Vec<PartitionRow>> {
        let rows =
            self.ask("SELECT number, process, token FROM lease_partition ORDER BY number")?;
        let partition = |row: Vec<String>| {
            Some(PartitionRow {
                number: row.first()?.parse().ok()?,
                process: row.get(1)?.parse().ok(),
                token: row.get(2)?.parse().ok()?,
            })
        };
        Ok(rows.into_iter().filter_map(partition).collect())
    }

    fn lease_of(&self, row: &PartitionRow) -> Option<PartitionLease> {
        let partition = Partition::new(row.number, self.count)?;
        Some(self.lease(partition, row.token))
    }

    /// Whoever wrote in the partition by a lease before writes no more: its session is over, and no new one gets the token.
    /// A command that has the lock without a lease is left to end.
    fn end_sessions_of(&self, lease: &PartitionLease) -> LinkResult<()> {
        let schema = lease.partition_schema();
        let name = schema.replace('\'', "''");
        self.ask(&format!(
            "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
             WHERE locktype = 'advisory' AND granted AND application_name = '{LEASED}' AND classid = {LOCK} AND objid::bigint = hashtext(current_database() || '.' || '{name}')::bigint & 4294967295
                 AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        ))?;
        Ok(())
    }

    /// A partition is free for others, if it is leased by this token still.
    pub fn give_back(&self, lease: &PartitionLease) -> LinkResult<()> {
        let Some(me) = self.me else { return Ok(()) };
        let (number, token) = (lease.partition.number(), lease.token);
        self.conn.execute_batch(&format!(
            "UPDATE lease_partition SET process = NULL WHERE number = {number} AND process = {me} AND token = {token}"
        ))
    }

    /// Reserves the next start of a session in a group of shards; answers how long it is until then.
    pub fn reserve_start(&self, group: u16, apart: Duration) -> LinkResult<Duration> {
        let apart = apart.as_millis();
        self.ask_start(&format!(
            "INSERT INTO lease_session_start AS known (shard_group, free_at)
             VALUES ({group}, clock_timestamp() + interval '{apart} ms')
             ON CONFLICT (shard_group) DO UPDATE
                 SET free_at = greatest(known.free_at, clock_timestamp()) + interval '{apart} ms'
             RETURNING ceil(extract(epoch FROM free_at - interval '{apart} ms' - clock_timestamp()) * 1000)::bigint"
        ))
    }

    /// Counts a start in a group of shards as made now; answers zero, or how long it has to wait because another was made
    /// less than `apart` ago.
    pub fn claim_start(&self, group: u16, apart: Duration) -> LinkResult<Duration> {
        let apart = format!("interval '{} ms'", apart.as_millis());
        // The time of the statement's beginning, so that what it compares is what it writes. Where somebody else wrote
        // meanwhile, what is read below is older than that: at least a moment has to be waited. A start that lies far
        // ahead was written before the server's clock was set back.
        self.ask_start(&format!(
            "WITH made AS (
                 INSERT INTO lease_session_start AS known (shard_group, free_at, started_at)
                 VALUES ({group}, now() + {apart}, now())
                 ON CONFLICT (shard_group) DO UPDATE
                     SET free_at = greatest(known.free_at, excluded.free_at), started_at = excluded.started_at
                     WHERE NOT (known.started_at > now() - {apart} AND known.started_at < now() + {apart})
                 RETURNING 0
             )
             SELECT coalesce((SELECT 0 FROM made), greatest(1, (
                 SELECT ceil(extract(epoch FROM started_at + {apart} - now()) * 1000)
                 FROM lease_session_start WHERE shard_group = {group}
             )))::bigint"
        ))
    }

    /// The milliseconds that a statement answers, once more over a new link where the one it had was cut.
    fn ask_start(&self, question: &str) -> LinkResult<Duration> {
        let wait = match self.conn.read_number(question) {
            Err(error) if error.is_link_cut() => self.conn.read_number(question),
            answer => answer,
        }?;
        Ok(Duration::from_millis(wait.try_into().unwrap_or_default()))
    }

    /// All of them are, and this process is no more.
    pub fn leave(&mut self) -> LinkResult<()> {
        let Some(me) = self.me.take() else {
            return Ok(());
        };
        self.conn.execute_batch(&format!(
            "UPDATE lease_partition SET process = NULL WHERE process = {me}; DELETE FROM lease_process WHERE number = {me}"
        ))
    }
}

/// Who holds what. The dead hold nothing.
fn compare_holdings(processes: &[LivingProcess], partitions: &[PartitionRow]) -> Holdings {
    let live: Vec<i64> = processes.iter().map(|process| process.number).collect();
    let holder = |row: &PartitionRow| row.process.filter(|process| live.contains(process));
    let holders = partitions.iter().map(holder).collect();
    Holdings { live, holders }
}

/// What begins a transaction on the two tables: one process at a time.
pub(in super::super) fn begin_statement() -> String {
    format!(
        "BEGIN; SELECT pg_advisory_xact_lock({TABLES_LOCK}, hashtext(current_database() || '.' || current_schema()))"
    )
}

pub(in super::super) fn token_question(lease: &PartitionLease) -> String {
    let (table, number) = (lease.table("lease_partition"), lease.partition.number());
    format!("SELECT token FROM {table} WHERE number = {number}")
}

/// Why a partition may not be opened: somebody else has it by now.
pub(in super::super) fn explain_lost_lease() -> PostgresError {
    PostgresError::new(PostgresFault::InUse, "another process has taken it over")
}

#[cfg(test)]
impl LeaseTable {
    /// One that knows nothing of a server that has just been started.
    pub fn open_without_grace(
        address: &PostgresAddress,
        name: &str,
        count: u16,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            restart_grace: 0,
            ..Self::open(address, name, count)?
        })
    }
}
