//! Moving a database from a file to a server, or back. What is copied is only read; what is filled is marked, table by table
//! and page by page, until all of it was read anew and found the same.

mod copying;
mod digest;
mod error;
mod numbering;
mod places;
mod row_writer;
mod table_reader;
mod verification;
mod words_index;

use std::thread::JoinHandle;

use copying::copy_table;
pub use error::MigrationError;
use places::{MigrationSource, MigrationTarget};
use sha2::{Digest, Sha256};
use verification::compare_table;

use crate::catalogue::{self, Table};
use crate::db::Durability;
use crate::error::StoreError;
use crate::handle::DatabasePlace;
use crate::migration_mark::{self, MigrationMark};
use crate::preferences;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;

/// The table whose texts stand in the full-text index.
const INDEXED: &str = "messages";

/// Tables of one row, or of rows that every database has: they tell nothing of whether anything was stored.
const NEVER_EMPTY: [&str; 2] = ["counter", "meta"];

/// The keys of `meta` that are the engine's own, as the terms of a list.
const OWN_KEYS: &str = "'lock', 'migration', 'words.format'";

fn select_copied(table: &Table) -> String {
    match table.name {
        "meta" => format!("key NOT IN ({OWN_KEYS})"),
        _ => "1 = 1".into(),
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigrationSummary {
    pub messages: u64,
    pub channels: u64,
    pub people: u64,
    pub memories: u64,
    pub rows: u64,
    /// Whether it went on with what an attempt before had copied.
    pub is_resumed: bool,
    /// Tables that were not the same when they were compared first, and were copied once more.
    pub copied_again: Vec<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationStep {
    Copying,
    Comparing,
    /// What the engine makes of the rows: indexes, and what it knows of its tables.
    Completing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MigrationProgress {
    pub step: MigrationStep,
    pub table: &'static str,
    /// Rows that were copied, and rows that were compared.
    pub rows: u64,
    /// What that will come to, unless a table has to be copied again.
    pub all_rows: u64,
}

/// Moves the database at `from` to `to`, which is new, or was filled in part by the same. Holds the lock of both, and tells
/// after each page how far it is. Cut off at any moment, it goes on there when it is called again. Not for async code.
///
/// # Errors
/// Why nothing, or a part only, is in the target, which nobody can open then. The source is as it was.
pub fn migrate(
    from: &DatabasePlace,
    to: &DatabasePlace,
    on_progress: &mut dyn FnMut(MigrationProgress),
) -> Result<MigrationSummary, MigrationError> {
    match (from, to) {
        (DatabasePlace::File(_), DatabasePlace::File(_)) => return Err(MigrationError::BothFiles),
        (DatabasePlace::Server(_), DatabasePlace::Server(_)) => {
            return Err(MigrationError::BothServers);
        }
        _ => {}
    }
    let source = places::open_source(from)?;
    let target = places::open_target(to)?;
    let mut migration = Migration::begin(source, target, on_progress)?;
    migration.copy_tables()?;
    migration.compare_tables()?;
    migration.complete()
}

struct Migration<'a> {
    source: MigrationSource,
    target: MigrationTarget,
    mark: MigrationMark,
    summary: MigrationSummary,
    progress: MigrationProgress,
    indexing: Option<JoinHandle<()>>,
    on_progress: &'a mut dyn FnMut(MigrationProgress),
}

impl<'a> Migration<'a> {
    fn begin(
        source: MigrationSource,
        mut target: MigrationTarget,
        on_progress: &'a mut dyn FnMut(MigrationProgress),
    ) -> Result<Self, MigrationError> {
        let damaged = |error| StoreError::explain_damage(error, &source.path);
        let identity = identify(&source.conn).map_err(damaged)?;
        let rows = count_rows(&source.conn).map_err(damaged)?;
        let path = target.db.path.clone();
        let is_resumed = target.mark.is_some();
        let mark = match target.mark.take() {
            Some(mark) if mark.source != identity => {
                let from = mark.from;
                return Err(MigrationError::OtherSource { path, from });
            }
            Some(mark) => mark,
            None => {
                let filled = find_filled_table(&target.db.conn);
                let filled = filled.map_err(|error| StoreError::explain(error, &path))?;
                if let Some(table) = filled {
                    return Err(MigrationError::NotEmpty { path, table });
                }
                MigrationMark {
                    from: source.path.display().to_string(),
                    source: identity,
                    ..MigrationMark::default()
                }
            }
        };
        target.db.transact(Durability::Process, |db| {
            migration_mark::put(&db.conn, &mark)
        })?;
        row_writer::prepare(&target.db.conn).map_err(|error| StoreError::explain(error, &path))?;
        Ok(Self {
            source,
            target,
            mark,
            summary: MigrationSummary {
                is_resumed,
                ..MigrationSummary::default()
            },
            progress: MigrationProgress {
                step: MigrationStep::Copying,
                table: "",
                rows: 0,
                all_rows: 2 * rows,
            },
            indexing: None,
            on_progress,
        })
    }

    fn copy_tables(&mut self) -> Result<(), StoreError> {
        for table in catalogue::tables() {
            if !self.mark.copied.iter().any(|copied| copied == table.name) {
                self.copy_table(table)?;
            }
            let server = self.target.server.as_ref();
            if let (INDEXED, Some(address)) = (table.name, server) {
                self.indexing = words_index::begin_index(address);
            }
        }
        Ok(())
    }

    fn copy_table(&mut self, table: &'static Table) -> Result<(), StoreError> {
        let Self {
            source,
            target,
            mark,
            progress,
            on_progress,
            ..
        } = self;
        (progress.step, progress.table) = (MigrationStep::Copying, table.name);
        copy_table(source, target, table, mark, &mut |rows| {
            progress.rows += rows;
            on_progress(*progress);
        })
    }

    /// Copies a table that is not the same once more: the source may have been changed since an attempt before.
    fn compare_tables(&mut self) -> Result<(), MigrationError> {
        self.progress.rows = self.progress.all_rows / 2;
        for table in catalogue::tables() {
            let mut compared = compare_table(&mut self.source, &mut self.target, table)?;
            if !compared.is_equal() {
                self.mark.copied.retain(|copied| copied != table.name);
                self.copy_table(table)?;
                self.summary.copied_again.push(table.name);
                compared = compare_table(&mut self.source, &mut self.target, table)?;
            }
            if !compared.is_equal() {
                return Err(MigrationError::Different {
                    path: self.target.db.path.clone(),
                    table: table.name,
                    rows_there: compared.source.rows,
                    rows_here: compared.target.rows,
                });
            }
            self.count(table, compared.target.rows);
            (self.progress.step, self.progress.table) = (MigrationStep::Comparing, table.name);
            self.progress.rows += compared.target.rows;
            (self.on_progress)(self.progress);
        }
        Ok(())
    }

    fn count(&mut self, table: &Table, rows: u64) {
        let summary = &mut self.summary;
        summary.rows += rows;
        match table.name {
            "messages" => summary.messages = rows,
            "channels" => summary.channels = rows,
            "people" => summary.people = rows,
            "memories" => summary.memories = rows,
            _ => {}
        }
    }

    fn complete(mut self) -> Result<MigrationSummary, MigrationError> {
        (self.progress.step, self.progress.table) = (MigrationStep::Completing, "");
        (self.on_progress)(self.progress);
        if let Some(indexing) = self.indexing.take() {
            let _ = indexing.join();
        }
        let Self {
            source, mut target, ..
        } = self;
        let path = target.db.path.clone();
        let explain = |error| StoreError::explain(error, &path);
        row_writer::complete(&target.db.conn).map_err(explain)?;
        target.db.transact(Durability::Machine, |db| {
            numbering::continue_numbers(&source.conn, &db.conn)?;
            migration_mark::remove(&db.conn)
        })?;
        target.close()?;
        Ok(self.summary)
    }
}

/// What tells a database from all others: the key that its people are hashed with, which is random, and which is not told
/// again.
fn identify(conn: &SqlConnection) -> SqlResult<String> {
    let key = preferences::read_key(conn)?;
    let hash = Sha256::digest(format!("migration of {key}"));
    Ok(hash.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn count_rows(conn: &SqlConnection) -> SqlResult<u64> {
    let mut all = 0;
    for Table { name, .. } in catalogue::tables() {
        let count = format!("SELECT count(*) FROM {name}");
        let rows = conn.read_one::<i64>(&count, params![])?;
        all += rows.unsigned_abs();
    }
    Ok(all)
}

/// A table in which something stands that no new database has.
fn find_filled_table(conn: &SqlConnection) -> SqlResult<Option<&'static str>> {
    for Table { name, .. } in catalogue::tables() {
        let has_rows = format!("SELECT 1 FROM {name} LIMIT 1");
        let is_telling = !NEVER_EMPTY.contains(name);
        if is_telling && conn.has_row(&has_rows, params![])? {
            return Ok(Some(name));
        }
    }
    Ok(None)
}
