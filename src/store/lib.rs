//! The store, in SQLite or PostgreSQL: schema, migrations, queries. No SQL anywhere else.
//!
//! One thread owns the writing connection and commits what is queued in groups; a file has a second, read-only
//! connection, so that a slow search never holds up an append, and a third where people look at the console. Every method queues its work at once and answers
//! with a [`StoreReply`]; a read sees everything that was answered before it was asked for.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod activity;
mod append;
mod approvals;
mod author_columns;
mod batched_work;
mod block_versions;
mod candidate_parts;
mod candidates;
mod catalogue;
mod connection_threads;
mod console;
mod consolidation;
mod core_memory;
mod db;
mod decisions;
mod deleted_quotes;
mod departed_members;
mod engine_statements;
mod erase;
mod erased_text;
mod error;
mod export;
mod forget;
mod former_authors;
mod from_row;
mod group_sample;
mod initial_state;
mod intents;
mod journal;
mod lease_view;
mod log_messages;
mod memories;
mod meta;
mod migration;
mod new_message;
mod outbox;
mod overrides;
mod people;
mod person_wishes;
mod place;
mod place_erasure;
mod postgres;
mod preferences;
mod prompt_reach;
mod prune;
mod read_positions;
mod recent_erasures;
mod row_words;
mod row_writes;
mod search;
mod search_context;
mod sessions;
mod shared;
mod sql;
mod sqlite;
mod stickers;
mod stored_decision;
mod stored_history;
mod summaries;
mod term_counts;
mod term_weights;
mod text_index;
mod text_query;
mod todos;
mod tool_data;
mod turn_erasure;
mod turn_reports;
mod turn_signatures;
mod unremembered_messages;
mod usage;
mod values;
mod vector_words;
mod vectors;
mod write_ahead_log;

use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::sync::oneshot;

pub use activity::Activity;
pub use append::AppendOutcome;
pub use approvals::ApprovalDecision;
pub use block_versions::BlockVersion;
pub use console::{
    ChannelActivity, ChannelRecency, DayMessage, DayRecord, NamedTurn, SpendTotal, SpendTotals,
};
pub use consolidation::UnconsolidatedSpan;
pub use core_memory::StoredBlock;
pub use decisions::DecisionReason;
pub use deleted_quotes::RewordedLine;
pub use departed_members::QuietMember;
pub use erase::AttachedText;
pub use error::StoreError;
pub use export::holds_something;
pub use forget::ForgetResult;
pub use group_sample::GroupSample;
pub use journal::JournalOutcome;
pub use kith_core::outgoing::{OutgoingAction, VisibleAction};
pub use lease_view::{LeaseView, LivingProcess};
pub use memories::{MemoryBatch, MemoryEdit, MemorySearch};
pub use migration::{MigrationError, MigrationProgress, MigrationStep, MigrationSummary, migrate};
pub use place::DatabasePlace;
pub use postgres::{
    MalformedAddress, PartitionLease, PartitionLeases, PostgresAddress, SessionStartQueue,
};
pub use preferences::PersonPreferences;
pub use search::{LeftOutMessages, MessageSearch, SearchAuthor, SearchHit};
pub use search_context::SearchContext;
pub use shared::WishElsewhere;
pub use sqlite::backup::{BackupSummary, RestoreReport, backup, restore_backup};
pub use sqlite::query::QueryScope;
pub use sqlite::query::{
    LAST_LINES_QUERY, QueryError, QueryRows, StatementFault, ToolQuery, check_query,
};
pub use sqlite::recover::{RecoveryReport, recover};
pub use stored_history::{RestoredChannel, StoredMessage, StoredReaction};
pub use tool_data::{FILE_PREFIX, ToolDataError};
pub use turn_reports::{StoredPrompt, StoredTurn};
pub use usage::{ModelSpend, UsageRow, read_usage};
pub use vectors::{SimilarMessages, UnembeddedBatch, UnembeddedMessage, VectorSearch};

use connection_threads::{DURABLE_GROUP, JobKind, OpenedDatabase, StoreJob, StoreThreads};
use db::Database;
use sql::{SqlConnection, SqlResult};
use sqlite::{connection, open};
use term_counts::TermCounts;

/// The store. Cheap to clone; the last handle to go closes the database and waits for what is queued.
#[derive(Clone)]
pub struct Store {
    threads: Arc<StoreThreads>,
}

impl Store {
    /// Opens the database at `path`; folder and file are made where they are missing.
    ///
    /// # Errors
    /// Says which file, what is wrong and how to mend it. A file that is no database of Kith's, or one a newer
    /// version wrote, is left untouched.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self {
            threads: Arc::new(open::open_file(path)?),
        })
    }

    /// Opens a database on a PostgreSQL server; its tables are made where they are missing.
    ///
    /// # Errors
    /// Says which server, what is wrong and how to mend it. Never holds the password.
    pub fn open_server(address: &PostgresAddress) -> Result<Self, StoreError> {
        let (writer, reader) = postgres::open_server(address)?;
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
            threads: Arc::new(open::open_in_memory()?),
        })
    }

    /// A nameless database that SQLite moves to disk as it grows, gone with the last handle: for replays of
    /// millions of messages in bounded memory. What it acknowledges is not durable.
    ///
    /// # Errors
    /// SQLite could not set it up.
    pub fn open_temporary() -> Result<Self, StoreError> {
        Ok(Self {
            threads: Arc::new(open::open_temporary()?),
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
        let Some(file) = self.threads.file().map(Path::to_path_buf) else {
            let _ = reply.send(Ok(()));
            return StoreReply { answer };
        };
        match connection::connect_reading(&file) {
            Ok(conn) => {
                // Where there is no thread, the answer is that the store is closed.
                let _ = self.threads.check(conn, move |conn| {
                    let _ = reply.send(open::check(&conn, &file));
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
    fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Database) -> SqlResult<T> + Send + 'static,
    ) -> StoreReply<T> {
        self.write_as(JobKind::Write { rows: 1 }, work)
    }

    fn write_as<T: Send + 'static>(
        &self,
        kind: JobKind,
        work: impl FnMut(&mut Database) -> SqlResult<T> + Send + 'static,
    ) -> StoreReply<T> {
        let (job, pending) = StoreJob::new(kind, work);
        self.threads.write(job);
        pending
    }

    fn read<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&SqlConnection) -> SqlResult<T> + Send + 'static,
    ) -> StoreReply<T> {
        let (job, pending) = StoreJob::new(JobKind::Write { rows: 1 }, move |db: &mut Database| {
            work(&db.conn)
        });
        self.threads.read(job);
        pending
    }

    /// Queues a question of people who look at a page: it waits for none of the companion's own, and they for none of it.
    fn view<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&SqlConnection) -> SqlResult<T> + Send + 'static,
    ) -> StoreReply<T> {
        let (job, pending) = StoreJob::new(JobKind::Write { rows: 1 }, move |db: &mut Database| {
            work(&db.conn)
        });
        self.threads.view(job);
        pending
    }

    /// Queues a question that counts words.
    fn read_counting<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&SqlConnection, &mut TermCounts) -> SqlResult<T> + Send + 'static,
    ) -> StoreReply<T> {
        let (job, pending) = StoreJob::new(JobKind::Write { rows: 1 }, move |db: &mut Database| {
            work(&db.conn, &mut db.term_counts)
        });
        self.threads.read(job);
        pending
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
