//! Writing copied rows as fast as each engine takes them, and with a message its words in the full-text index.

use rusqlite::types::Value;
use rusqlite::{Connection, ToSql};

use super::{INDEXED, select_copied, words_index};
use crate::catalogue::{self, ColumnKind, Table};
use crate::postgres::PostgresConnection;
use crate::sql::{SqlConnection, SqlResult};
use crate::text_index;
use crate::values::params;
use kith_core::chat::ChannelId;

/// The page cache while many rows are written, in KiB: what is sorted otherwise than it arrives is looked for in it.
const CACHE_KIB: i64 = 128 * 1024;

/// The values of a row, in the order of the table's columns.
pub type StoredRow = Vec<Value>;

pub fn prepare(conn: &SqlConnection) -> SqlResult<()> {
    match conn {
        SqlConnection::Sqlite(conn) => Ok(conn.pragma_update(None, "cache_size", -CACHE_KIB)?),
        SqlConnection::Postgres(_) => words_index::drop_index(conn),
    }
}

/// What is to be done once all rows are there: the index that was left out, and what the server has to know of the tables to
/// plan questions.
pub fn complete(conn: &SqlConnection) -> SqlResult<()> {
    match conn {
        SqlConnection::Sqlite(_) => text_index::note_format(conn),
        SqlConnection::Postgres(_) => {
            let names: Vec<&str> = catalogue::tables().map(|table| table.name).collect();
            words_index::complete(conn)?;
            conn.execute_batch(&format!("ANALYZE words, word_counts, {}", names.join(", ")))
        }
    }
}

/// Empties a table of what is copied. What hangs on it in the index goes with it.
pub fn clear_table(conn: &SqlConnection, table: &Table) -> SqlResult<()> {
    let (name, condition) = (table.name, select_copied(table));
    conn.execute(&format!("DELETE FROM {name} WHERE {condition}"), params![])?;
    if name == INDEXED {
        conn.execute(conn.statements().empty_index, params![])?;
    }
    Ok(())
}

pub fn add_rows(conn: &SqlConnection, table: &Table, rows: &[StoredRow]) -> SqlResult<()> {
    match conn {
        SqlConnection::Sqlite(file) => {
            insert_rows(file, table, rows)?;
        }
        SqlConnection::Postgres(server) => {
            copy_rows(server, table, rows)?;
        }
    }
    if table.name == INDEXED {
        index_messages(conn, table, rows)?;
    }
    Ok(())
}

fn insert_rows(conn: &Connection, table: &Table, rows: &[StoredRow]) -> rusqlite::Result<()> {
    let marks = vec!["?"; table.columns().count()].join(", ");
    let (name, columns) = (table.name, table.column_list());
    let insert = format!("INSERT INTO {name} ({columns}) VALUES ({marks})");
    let mut insert = conn.prepare_cached(&insert)?;
    for row in rows {
        insert.execute(rusqlite::params_from_iter(
            row.iter().map(|value| value as &dyn ToSql),
        ))?;
    }
    Ok(())
}

fn copy_rows(conn: &PostgresConnection, table: &Table, rows: &[StoredRow]) -> SqlResult<()> {
    let kinds: Vec<ColumnKind> = table.columns().map(|column| column.kind).collect();
    Ok(conn.copy_rows(table.name, &table.column_list(), &kinds, rows)?)
}

/// Puts messages into the index, as if each had just arrived.
fn index_messages(conn: &SqlConnection, table: &Table, rows: &[StoredRow]) -> SqlResult<()> {
    let place = |wanted: &str| table.columns().position(|column| column.name == wanted);
    let (Some(arrival), Some(channel), Some(text)) =
        (place("arrival"), place("channel"), place("text"))
    else {
        return Ok(());
    };
    let messages = rows
        .iter()
        .filter_map(|row| match (&row[arrival], &row[channel], &row[text]) {
            (Value::Integer(arrival), Value::Integer(channel), Value::Text(text)) => {
                Some((*arrival, ChannelId(channel.unsigned_abs()), text))
            }
            _ => None,
        });
    match conn {
        SqlConnection::Sqlite(_) => {
            for (arrival, channel, text) in messages {
                text_index::add_text(conn, arrival, channel, text)?;
            }
            Ok(())
        }
        SqlConnection::Postgres(server) => {
            let words = messages.map(|(arrival, channel, text)| {
                let words = Value::Blob(text_index::encode_words(text));
                let channel = Value::Integer(channel.0.cast_signed());
                vec![Value::Integer(arrival), channel, words]
            });
            let words: Vec<StoredRow> = words.collect();
            let kinds = [ColumnKind::Whole, ColumnKind::Whole, ColumnKind::WordVector];
            Ok(server.copy_rows("words", "arrival, channel, words", &kinds, &words)?)
        }
    }
}
