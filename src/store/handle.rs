//! The store as everybody holds it: work is queued here for the threads that own the connections.

use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::sync::oneshot;

use crate::connection_threads::{DURABLE_GROUP, JobKind, OpenedDatabase, StoreJob, StoreThreads};
use crate::db::Database;
use crate::error::StoreError;
use crate::postgres::PostgresAddress;
use crate::setup::{file, server};
use crate::sql::{SqlConnection, SqlResult};
use crate::sqlite::connection;
use crate::term_counts::TermCounts;
use crate::values::params;

/// Messages looked at in one read.
const STRETCH: i64 = 20_000;
const ONE_ROW: JobKind = JobKind::Write { rows: 1 };

/// The store. Cheap to clone; the last handle to go closes the database and waits for what is queued.
#[derive(Clone)]
pub struct Store {
    pub(crate) threads: Arc<StoreThreads>,
}

impl Store {
    /// Opens the database at `path`; folder and file are made where they are missing.
    ///
    /// # Errors
    /// Says which file, what is wrong and how to mend it. A file that is no database of Kith's, or one a newer
    /// version wrote, is left untouched.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            threads: Arc::new(file::open_file(path)?),
        })
    }

    /// Opens a database on a PostgreSQL server; its tables are made where they are missing.
    ///
    /// # Errors
    /// Says which server, what is wrong and how to mend it. Never holds the password.
    pub fn open_server(address: &PostgresAddress) -> Result<Self, StoreError> {
        let (writer, reader) = server::open_server(address)?;
        let opened = OpenedDatabase::Server(Box::new(address.clone()));
        let threads = StoreThreads::start(writer, Some(reader), Some(opened), DURABLE_GROUP);
        let threads = threads.map_err(|error| StoreError::Unreachable {
            path: address.to_shown_path(),
            reason: error.to_string(),
        })?;
        Ok(Self {
            threads: Arc::new(threads),
        })
    }

    /// A database in memory, gone with the last handle.
    ///
    /// # Errors
    /// SQLite could not set it up.
    pub fn open_in_memory() -> Result<Self, StoreError> {
        Ok(Self {
            threads: Arc::new(file::open_in_memory()?),
        })
    }

    /// A nameless database that SQLite moves to disk as it grows, gone with the last handle: for replays of
    /// millions of messages in bounded memory. What it acknowledges is not durable.
    ///
    /// # Errors
    /// SQLite could not set it up.
    pub fn open_temporary() -> Result<Self, StoreError> {
        Ok(Self {
            threads: Arc::new(file::open_temporary()?),
        })
    }

    /// Whether the database is too large to be looked through for damage before it is used.
    pub fn is_unchecked(&self) -> bool {
        self.threads.is_unchecked()
    }

    /// Looks through the whole database for damage, on a thread of its own.
    ///
    /// # Errors
    /// Answers with what is damaged.
    pub fn check(&self) -> StoreReply<()> {
        let (reply, answer) = oneshot::channel();
        let Some(path) = self.threads.file().map(Path::to_path_buf) else {
            let _ = reply.send(Ok(()));
            return StoreReply { answer };
        };
        match connection::connect_reading(&path) {
            Ok(conn) => {
                // Where there is no thread, the answer is that the store is closed.
                let _ = self.threads.check(conn, move |conn| {
                    let _ = reply.send(file::check(&conn, &path));
                });
            }
            Err(error) => drop(reply.send(Err(error))),
        }
        StoreReply { answer }
    }

    /// Whether the database takes changes now: the writer answers and has the right to write. Changes nothing.
    pub fn check_writable(&self) -> StoreReply<()> {
        self.write_as(JobKind::Upkeep, |db| {
            db.conn.execute_batch(db.conn.statements().try_writing)
        })
    }

    /// Queues a change. `work` may run twice: when another change of its group failed, each is tried alone.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Database) -> SqlResult<T> + Send + 'static,
    ) -> StoreReply<T> {
        self.write_as(ONE_ROW, work)
    }

    pub(crate) fn write_as<T: Send + 'static>(
        &self,
        kind: JobKind,
        work: impl FnMut(&mut Database) -> SqlResult<T> + Send + 'static,
    ) -> StoreReply<T> {
        let (job, answer) = StoreJob::new(kind, work);
        self.threads.write(job);
        StoreReply { answer }
    }

    pub(crate) fn read<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&SqlConnection) -> SqlResult<T> + Send + 'static,
    ) -> StoreReply<T> {
        let (job, answer) = StoreJob::new(ONE_ROW, move |db: &mut Database| work(&db.conn));
        self.threads.read(job);
        StoreReply { answer }
    }

    /// Queues a question of people who look at a page: it waits for none of the companion's own, and they for none of it.
    pub(crate) fn view<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&SqlConnection) -> SqlResult<T> + Send + 'static,
    ) -> StoreReply<T> {
        let (job, answer) = StoreJob::new(ONE_ROW, move |db: &mut Database| work(&db.conn));
        self.threads.view(job);
        StoreReply { answer }
    }

    pub(crate) fn read_counting<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&SqlConnection, &mut TermCounts) -> SqlResult<T> + Send + 'static,
    ) -> StoreReply<T> {
        let (job, answer) = StoreJob::new(ONE_ROW, move |db: &mut Database| {
            work(&db.conn, &mut db.term_counts)
        });
        self.threads.read(job);
        StoreReply { answer }
    }

    /// Runs `work`, which queues its steps and waits for each; the store stays open until it is done.
    pub(crate) fn run_in_steps<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, StoreError> + Send + 'static,
    ) -> StoreReply<T> {
        let (reply, answer) = oneshot::channel();
        let store = self.clone();
        let run = move || {
            let outcome = work(&store);
            // Before the answer: whoever has it may close the store and open it again.
            drop(store);
            let _ = reply.send(outcome);
        };
        if let Err(error) = std::thread::Builder::new()
            .name("store-steps".into())
            .spawn(run)
        {
            tracing::error!(%error, "the system gives the store no thread");
        }
        StoreReply { answer }
    }
}

/// An answer on its way: `.await` it, or [`StoreReply::wait`] for it. Dropping it does not undo the work.
#[derive(Debug)]
#[must_use = "an error is only seen by who waits for the answer"]
pub struct StoreReply<T> {
    answer: oneshot::Receiver<Result<T, StoreError>>,
}

impl<T> StoreReply<T> {
    /// Blocks until the answer is there. Not for async code, where it panics: await it there.
    ///
    /// # Errors
    /// What went wrong with the work.
    pub fn wait(self) -> Result<T, StoreError> {
        self.answer
            .blocking_recv()
            .unwrap_or(Err(StoreError::Closed))
    }
}

impl<T> Future for StoreReply<T> {
    type Output = Result<T, StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.answer)
            .poll(context)
            .map(|answer| answer.unwrap_or(Err(StoreError::Closed)))
    }
}

/// Looks through all messages that arrived after `from`, a stretch of arrival numbers at a time: above the first, up to
/// the second. Answers with what was found and with the last arrival number looked at.
pub(crate) fn walk_messages<T: Send + 'static>(
    store: &Store,
    from: i64,
    look: impl Fn(&SqlConnection, i64, i64) -> SqlResult<Vec<T>> + Clone + Send + 'static,
) -> Result<(Vec<T>, i64), StoreError> {
    let (mut all, mut from) = (Vec::new(), from);
    loop {
        let look = look.clone();
        let stretch = store.read(move |conn| {
            let end = "SELECT max(arrival) FROM
                     (SELECT arrival FROM messages WHERE arrival > ?1 ORDER BY arrival LIMIT ?2) AS stretch";
            let Some(to) =
                conn.read_one::<Option<i64>>(end, params![from, STRETCH])?
            else {
                return Ok(None);
            };
            look(conn, from, to).map(|found| Some((found, to)))
        });
        let Some((found, to)) = stretch.wait()? else {
            return Ok((all, from));
        };
        all.extend(found);
        from = to;
    }
}

/// Where a database is: in a file, or on a server.
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
