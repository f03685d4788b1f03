//! The numbers that an engine gives to new rows: they go on where they were, so that none is given twice, also none of a row
//! that is gone.

use crate::catalogue::{self, Table};
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;

/// Has the target give numbers above every one that the source gave.
pub fn continue_numbers(source: &SqlConnection, target: &SqlConnection) -> SqlResult<()> {
    for (table, column) in catalogue::tables().filter_map(find_numbered) {
        let last = read_last(source, table, column)?;
        if last > 0 {
            set_last(target, table, column, last)?;
        }
    }
    Ok(())
}

fn find_numbered(table: &Table) -> Option<(&'static str, &'static str)> {
    let is_numbered = table.key() == "rowid" || table.columns.contains("AUTOINCREMENT");
    is_numbered.then(|| (table.name, table.key()))
}

/// The largest number that a table's rows have or were given.
fn read_last(conn: &SqlConnection, table: &str, column: &str) -> SqlResult<i64> {
    let given = match conn {
        SqlConnection::Sqlite(_) => {
            format!("SELECT max(seq) FROM sqlite_sequence WHERE name = '{table}'")
        }
        SqlConnection::Postgres(_) => {
            format!(
                "SELECT pg_sequence_last_value({}::regclass)",
                find_sequence(table, column)
            )
        }
    };
    let largest = format!("SELECT max({column}) FROM {table}");
    let read = |ask: &str| conn.read_one::<Option<i64>>(ask, params![]);
    Ok(read(&given)?.max(read(&largest)?).unwrap_or_default())
}

fn set_last(conn: &SqlConnection, table: &str, column: &str, last: i64) -> SqlResult<()> {
    match conn {
        SqlConnection::Sqlite(conn) => {
            // It has no row for what it counts by the largest number that is there.
            let set = "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1";
            let counted = "INSERT INTO sqlite_sequence SELECT ?1, ?2
                WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
                AND EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1 AND sql LIKE '% AUTOINCREMENT%')";
            conn.execute(set, params![table, last])?;
            conn.execute(counted, params![table, last])?;
            Ok(())
        }
        SqlConnection::Postgres(_) => {
            let set = format!("SELECT setval({}, ?1)", find_sequence(table, column));
            conn.read_one::<i64>(&set, params![last]).map(drop)
        }
    }
}

fn find_sequence(table: &str, column: &str) -> String {
    format!("pg_get_serial_sequence('{table}', '{column}')")
}
