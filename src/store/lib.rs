//! The store, in SQLite or PostgreSQL: schema, migrations, queries. No SQL anywhere else.
//!
//! One thread owns the writing connection and commits what is queued in groups; a file has a second, read-only connection,
//! so that a slow search never holds up an append, and a third where people look at the console. Every method queues its
//! work at once and answers with a [`StoreReply`]; a read sees everything that was answered before it was asked for.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod append;
mod approvals;
mod backup;
mod block_versions;
mod catalogue;
mod connection_threads;
mod console;
mod db;
mod deleted_quotes;
mod engine_statements;
mod erase;
mod erased_text;
mod erasure;
mod error;
mod export;
mod forget;
mod former_authors;
mod from_row;
mod handle;
mod history;
mod journal;
mod leavers;
mod log_messages;
mod memories;
mod meta;
mod migration;
mod migration_mark;
mod notes;

mod people;
mod place_erasure;
mod postgres;
mod preferences;
mod prompt_reach;
mod prune;
mod recent_erasures;
mod recover;
mod row_words;
mod row_writes;
mod search;
mod sessions;
mod setup;
mod sql;
mod sql_error;
mod sqlite;
mod stored_decision;
mod stored_prompt;
mod term_counts;
mod text_index;
mod text_query;
mod tool_query;
mod tools;
mod turn_erasure;
mod turn_signatures;
mod turns;
mod usage;
mod values;
mod vector_words;
mod write_ahead_log;

pub use append::AppendOutcome;
pub use approvals::ApprovalDecision;
pub use backup::{BackupSummary, RestoreReport, backup, restore_backup};
pub use block_versions::BlockVersion;
pub use console::{
    ChannelActivity, ChannelRecency, DayMessage, DayRecord, NamedTurn, SpendTotal, SpendTotals,
};
pub use deleted_quotes::RewordedLine;
pub use erase::AttachedText;
pub use error::StoreError;
pub use export::holds_something;
pub use forget::ForgetResult;
pub use handle::{DatabasePlace, Store, StoreReply};
pub use history::{Activity, RestoredChannel, StoredMessage, StoredReaction};
pub use journal::JournalOutcome;
pub use kith_core::outgoing::{OutgoingAction, VisibleAction};
pub use memories::{GroupSample, MemoryBatch, MemoryEdit, MemorySearch, UnconsolidatedSpan};
pub use migration::{MigrationError, MigrationProgress, MigrationStep, MigrationSummary, migrate};
pub use notes::StoredBlock;
pub use people::{QuietMember, RemoteRequest};
pub use postgres::{
    LeaseView, LivingProcess, MalformedAddress, PartitionLease, PartitionLeases, PostgresAddress,
    SessionStartQueue,
};
pub use preferences::PersonPreferences;
pub use recover::{RecoveryReport, recover};
pub use search::{
    LeftOutMessages, MessageSearch, SearchAuthor, SearchContext, SearchHit, SimilarMessages,
    UnembeddedBatch, UnembeddedMessage, VectorSearch,
};
pub use stored_prompt::StoredPrompt;
pub use tool_query::{
    LAST_LINES_QUERY, QueryError, QueryRows, QueryScope, StatementFault, ToolQuery, check_query,
};
pub use tools::{FILE_PREFIX, ToolDataError};
pub use turns::{DecisionReason, StoredTurn};
pub use usage::{ModelSpend, UsageRow, read_usage};
