//! Copying a table: one thread reads, the other writes what was read. Each page is stored together with how far it goes, so
//! that whatever ends the process, the next one goes on behind it.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use rusqlite::types::Value;

use super::places::{MigrationSource, MigrationTarget};
use super::row_writer::{self, StoredRow};
use super::table_reader::TableReader;
use crate::catalogue::Table;
use crate::db::Durability;
use crate::error::StoreError;
use crate::migration_mark::{self, MigrationMark, RowKey};
use crate::sql::{SqlConnection, SqlResult};

/// So many pages may wait to be written.
const WAITING_PAGES: usize = 1;

struct RowPage {
    rows: Vec<StoredRow>,
    /// None where there is no row.
    last_key: Option<RowKey>,
    is_last: bool,
}

/// Copies what is missing of a table, and tells after each page how many rows it had. `mark` is what is stored so far.
pub fn copy_table(
    source: &mut MigrationSource,
    target: &mut MigrationTarget,
    table: &'static Table,
    mark: &mut MigrationMark,
    on_page: &mut dyn FnMut(u64),
) -> Result<(), StoreError> {
    let MigrationSource { conn, path, .. } = source;
    thread::scope(|scope| {
        let (pages, read) = sync_channel(WAITING_PAGES);
        let mut reader = TableReader::new(table, mark.last_key.clone());
        scope.spawn(move || {
            if let Err(error) = read_pages(&mut reader, conn, &pages) {
                // Whoever waits for pages has gone where this cannot be sent.
                let _ = pages.send(Err(error));
            }
        });
        for page in read {
            let page = page.map_err(|error| StoreError::explain_damage(error, path))?;
            store_page(target, table, mark, &page)?;
            on_page(page.rows.len() as u64);
        }
        Ok(())
    })
}

fn read_pages(
    reader: &mut TableReader,
    conn: &SqlConnection,
    pages: &SyncSender<SqlResult<RowPage>>,
) -> SqlResult<()> {
    loop {
        let mut rows = Vec::new();
        let is_last = reader.read_page(conn, &mut |row| {
            let row = row.iter().map(|value| Value::try_from(*value));
            rows.push(row.collect::<Result<_, _>>()?);
            Ok(())
        })?;
        let page = RowPage {
            rows,
            last_key: reader.last_key().cloned(),
            is_last,
        };
        if pages.send(Ok(page)).is_err() || is_last {
            return Ok(());
        }
    }
}

fn store_page(
    target: &mut MigrationTarget,
    table: &Table,
    mark: &mut MigrationMark,
    page: &RowPage,
) -> Result<(), StoreError> {
    let mut next = mark.clone();
    if page.is_last {
        next.copied.push(table.name.into());
    }
    next.last_key = page.last_key.clone().filter(|_| !page.is_last);
    let is_first = mark.last_key.is_none();
    target.db.transact(Durability::Process, |db| {
        if is_first {
            row_writer::clear_table(&db.conn, table)?;
        }
        row_writer::add_rows(&db.conn, table, &page.rows)?;
        migration_mark::put(&db.conn, &next)
    })?;
    *mark = next;
    Ok(())
}
