//! The threads that own the connections, and how queued jobs become commits. Knows no table.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::{Connection, InterruptHandle};
use tokio::sync::oneshot;

use crate::db::{Database, Durability};
use crate::error::StoreError;
use crate::leavers::leaving_people::is_anybody_leaving;
use crate::postgres::PostgresAddress;
use crate::sql::SqlResult;
use crate::sqlite::connection::connect_reading;
use crate::sqlite::lock::StoreLock;
use crate::write_ahead_log;
use kith_system::clock::monotonic;

/// The most rows one commit takes: a crash before it loses nothing that was acknowledged. A server waits for its disk at
/// each, and in a file the full-text index begins a new piece, which is merged with all others again and again.
pub(super) const DURABLE_GROUP: usize = 512;
/// The same where nothing is durable.
pub(super) const MEMORY_GROUP: usize = 4_096;
/// How long an erased text may stay in the write-ahead log.
const ERASE_WITHIN: Duration = Duration::from_secs(3);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobKind {
    /// Committed with its neighbours in the queue; counts as so many rows.
    Write { rows: usize },
    /// The same, and on the disk before it is answered.
    Journal,
    /// Run outside any transaction.
    Upkeep,
}

trait Task: Send {
    fn run(&mut self, db: &mut Database) -> SqlResult<()>;
    fn answer(self: Box<Self>, outcome: Result<(), StoreError>);
}

struct TypedJob<T, F> {
    work: F,
    value: Option<T>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T: Send, F: FnMut(&mut Database) -> SqlResult<T> + Send> Task for TypedJob<T, F> {
    fn run(&mut self, db: &mut Database) -> SqlResult<()> {
        self.value = Some((self.work)(db)?);
        Ok(())
    }

    fn answer(self: Box<Self>, outcome: Result<(), StoreError>) {
        let Self { reply, value, .. } = *self;
        // Nobody has to wait for an answer.
        let _ = reply.send(outcome.and_then(|()| value.ok_or(StoreError::Closed)));
    }
}

pub(super) struct StoreJob {
    kind: JobKind,
    task: Box<dyn Task>,
}

impl StoreJob {
    pub fn new<T: Send + 'static>(
        kind: JobKind,
        work: impl FnMut(&mut Database) -> SqlResult<T> + Send + 'static,
    ) -> (Self, oneshot::Receiver<Result<T, StoreError>>) {
        let (reply, answer) = oneshot::channel();
        (
            Self {
                kind,
                task: Box::new(TypedJob {
                    work,
                    value: None,
                    reply,
                }),
            },
            answer,
        )
    }
}

/// The running threads of a store. Dropped, they finish what is queued and close their connections.
pub(super) struct StoreThreads {
    writer: Queue,
    /// None where the database is in memory, which has one connection.
    reader: Option<Queue>,
    /// Reads what people look at, beside the companion's own reading; opened when somebody looks.
    viewer: OnceLock<Option<Queue>>,
    /// None where it has no name.
    opened: Option<OpenedDatabase>,
    /// Held by the query that runs.
    pub query: Mutex<()>,
    check: Mutex<Option<DamageCheck>>,
}

struct DamageCheck {
    interrupt: InterruptHandle,
    thread: JoinHandle<()>,
}

/// A database that can be opened a second time.
pub(super) enum OpenedDatabase {
    File(OpenedFile),
    Server(Box<PostgresAddress>),
}

pub(super) struct OpenedFile {
    pub file: PathBuf,
    /// Whether it was looked through for damage before it was used.
    pub is_checked: bool,
    /// Held as long as it is open.
    pub _lock: StoreLock,
}

struct Queue {
    jobs: Option<Sender<StoreJob>>,
    thread: Option<JoinHandle<()>>,
}

impl StoreThreads {
    pub fn start(
        writer: Database,
        reader: Option<Database>,
        opened: Option<OpenedDatabase>,
        group: usize,
    ) -> std::io::Result<Self> {
        Ok(Self {
            writer: Queue::start("store", writer, group)?,
            reader: reader
                .map(|db| Queue::start("store-reads", db, 1))
                .transpose()?,
            viewer: OnceLock::new(),
            opened,
            query: Mutex::default(),
            check: Mutex::default(),
        })
    }

    pub fn file(&self) -> Option<&Path> {
        match &self.opened {
            Some(OpenedDatabase::File(opened)) => Some(&opened.file),
            Some(OpenedDatabase::Server(_)) | None => None,
        }
    }

    pub fn server(&self) -> Option<&PostgresAddress> {
        match &self.opened {
            Some(OpenedDatabase::Server(address)) => Some(address),
            Some(OpenedDatabase::File(_)) | None => None,
        }
    }

    pub fn is_unchecked(&self) -> bool {
        matches!(&self.opened, Some(OpenedDatabase::File(opened)) if !opened.is_checked)
    }

    /// Looks for damage beside everything else; ends with the store.
    pub fn check(
        &self,
        conn: Connection,
        work: impl FnOnce(Connection) + Send + 'static,
    ) -> std::io::Result<()> {
        let interrupt = conn.get_interrupt_handle();
        let thread = Builder::new()
            .name("store-check".into())
            .spawn(move || work(conn))?;
        let mut check = self.check.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = check.replace(DamageCheck { interrupt, thread }) {
            before.end();
        }
        Ok(())
    }

    pub fn write(&self, job: StoreJob) {
        self.writer.push(job);
    }

    pub fn read(&self, job: StoreJob) {
        self.reader.as_ref().unwrap_or(&self.writer).push(job);
    }

    pub fn view(&self, job: StoreJob) {
        match self.viewer.get_or_init(|| self.open_viewer()) {
            Some(viewer) => viewer.push(job),
            None => self.read(job),
        }
    }

    fn open_viewer(&self) -> Option<Queue> {
        let db = match self.opened.as_ref()? {
            OpenedDatabase::File(OpenedFile { file, .. }) => {
                Database::new(connect_reading(file).ok()?.into(), file.into())
            }
            // Connects when it is asked for the first time, on its own thread.
            OpenedDatabase::Server(address) => Database::read_server(address),
        };
        Queue::start("store-views", db, 1).ok()
    }
}

impl DamageCheck {
    fn end(self) {
        self.interrupt.interrupt();
        let _ = self.thread.join();
    }
}

impl Drop for StoreThreads {
    fn drop(&mut self) {
        if let Some(check) = self
            .check
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
        {
            check.end();
        }
        // Who reads first: the last connection to close puts the write-ahead log away.
        let viewer = self.viewer.get_mut().and_then(Option::as_mut);
        for reading in viewer.into_iter().chain(&mut self.reader) {
            reading.stop();
        }
        self.writer.stop();
    }
}

impl Queue {
    fn start(name: &str, db: Database, group: usize) -> std::io::Result<Self> {
        let (jobs, queue) = channel();
        let thread = Builder::new()
            .name(name.into())
            .spawn(move || process_jobs(db, &queue, group))?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
        })
    }

    fn push(&self, job: StoreJob) {
        if let Some(jobs) = &self.jobs {
            // A job that cannot be queued is dropped, and its `StoreReply` then says that the store is closed.
            let _ = jobs.send(job);
        }
    }

    fn stop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Takes what is queued, up to `group` rows, and commits it together. Never waits for more: under load the queue
/// fills by itself while a commit runs.
fn process_jobs(mut db: Database, queue: &Receiver<StoreJob>, group: usize) {
    let mut held: Option<StoreJob> = None;
    let mut scrub_at: Option<Instant> = None;
    loop {
        scrub_at = scrub_if_due(&mut db, scrub_at);
        let first = match (held.take(), scrub_at) {
            (Some(job), _) => job,
            (None, Some(at)) => match queue.recv_timeout(at.saturating_duration_since(monotonic()))
            {
                Ok(job) => job,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            },
            (None, None) => match queue.recv() {
                Ok(job) => job,
                Err(_) => break,
            },
        };
        if first.kind == JobKind::Upkeep {
            run_alone(&mut db, first);
            continue;
        }
        let mut rows = first.rows();
        let mut jobs = vec![first];
        while rows < group
            && let Ok(job) = queue.try_recv()
        {
            if job.kind == JobKind::Upkeep {
                held = Some(job);
                break;
            }
            rows += job.rows();
            jobs.push(job);
        }
        commit(&mut db, jobs);
    }
    if db.erased {
        // Closing empties the log as well; this is for the case that another program still reads the file.
        let _ = write_ahead_log::empty_log(&mut db);
    }
}

/// Empties the log when text in it was erased a while ago; answers when to look again, if at all.
fn scrub_if_due(db: &mut Database, due: Option<Instant>) -> Option<Instant> {
    // Who forgets somebody has the log emptied at the end.
    if !db.erased || is_anybody_leaving(&db.leaving_people) {
        return None;
    }
    let now = monotonic();
    let due = due.unwrap_or(now + ERASE_WITHIN);
    if now < due {
        return Some(due);
    }
    match write_ahead_log::empty_log_if_free(db) {
        Ok(()) => None,
        Err(error) => {
            let error = StoreError::explain(error, &db.path);
            tracing::warn!(%error, "deleted text may still be in the write-ahead log; trying again");
            Some(now + ERASE_WITHIN)
        }
    }
}

impl StoreJob {
    fn rows(&self) -> usize {
        match self.kind {
            JobKind::Write { rows } => rows,
            JobKind::Journal | JobKind::Upkeep => 1,
        }
    }

    fn durability(&self) -> Durability {
        if self.kind == JobKind::Journal {
            Durability::Machine
        } else {
            Durability::Process
        }
    }
}

fn run_alone(db: &mut Database, mut job: StoreJob) {
    let outcome = match job.task.run(db) {
        // It is opened again, and nothing was done.
        Err(error) if error.is_link_cut() => job.task.run(db),
        outcome => outcome,
    };
    if outcome.is_err() {
        // Some begin a transaction: what comes next is to stand in none that failed.
        db.conn.rollback();
    }
    let outcome = outcome.map_err(|error| StoreError::explain(error, &db.path));
    job.task.answer(outcome);
}

fn commit(db: &mut Database, mut jobs: Vec<StoreJob>) {
    let durability = if jobs.iter().any(|job| job.kind == JobKind::Journal) {
        Durability::Machine
    } else {
        Durability::Process
    };
    let together = db.transact(durability, |db| {
        jobs.iter_mut().try_for_each(|job| job.task.run(db))
    });
    // Of what may be stored nothing is tried again, and where nobody answers it is of no use.
    let is_tried_alone = matches!(&together, Err(error) if !error.is_about_server());
    if jobs.len() == 1 || !is_tried_alone {
        for job in jobs {
            job.task.answer(together.clone());
        }
        return;
    }
    // One bad job must not take its neighbours with it.
    for mut job in jobs {
        let outcome = db.transact(job.durability(), |db| job.task.run(db));
        job.task.answer(outcome);
    }
}

#[cfg(test)]
mod tests {
    use crate::values::params;
    use crate::{Store, StoreError};

    fn pages(store: &Store, most: i64) {
        store
            .write(move |db| {
                let limit = format!("PRAGMA max_page_count = {most}");
                db.conn.read_one::<i64>(&limit, params![])
            })
            .wait()
            .expect("set");
    }

    #[test]
    fn on_a_full_disk_each_change_is_refused_and_the_store_goes_on_when_there_is_room() {
        let store = Store::open_in_memory().expect("opened");
        pages(&store, 1);
        let refused = store.set_meta("k", "x".repeat(100_000)).wait();
        assert!(
            matches!(refused, Err(StoreError::DiskFull { .. })),
            "{refused:?}"
        );
        assert_eq!(
            store.load_meta("k").wait(),
            Ok(None),
            "nothing of it was stored"
        );
        pages(&store, 1_000_000);
        assert_eq!(store.set_meta("k", "x".repeat(100_000)).wait(), Ok(()));
    }

    #[test]
    fn a_change_that_fails_does_not_take_its_neighbours_with_it() {
        let store = Store::open_in_memory().expect("opened");
        let pause = store.write(|_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            Ok(())
        });
        let before = store.set_meta("before", "1");
        let wrong = store.write(|db| {
            db.conn
                .execute_batch("INSERT INTO meta VALUES ('wrong', NULL)")
        });
        let after = store.set_meta("after", "1");
        assert!(matches!(wrong.wait(), Err(StoreError::Refused { .. })));
        assert_eq!(
            (pause.wait(), before.wait(), after.wait()),
            (Ok(()), Ok(()), Ok(()))
        );
        assert_eq!(store.load_meta("before").wait(), Ok(Some("1".into())));
        assert_eq!(store.load_meta("after").wait(), Ok(Some("1".into())));
    }
}
