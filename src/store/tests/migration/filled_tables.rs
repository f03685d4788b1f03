//! A file in which every table has rows, made from what the tables say of themselves: a table that comes later is filled, too.

use std::path::Path;

use kith_store::Store;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

/// How many messages it has: more than one page.
pub const MESSAGES: i64 = 250;
/// How many rows the other tables have.
const ROWS: i64 = 3;
/// Keys of `meta` that are the file's own.
const OWN_KEYS: [&str; 2] = ["lock", "words.format"];

struct Column {
    name: String,
    kind: String,
    may_be_null: bool,
}

/// Makes the file.
pub fn fill_every_table(path: &Path) {
    drop(Store::open(path).expect("made"));
    let conn = Connection::open(path).expect("opened");
    for table in list_tables(&conn) {
        match &*table {
            "counter" => drop(conn.execute("UPDATE counter SET arrival = 5000", [])),
            _ => fill_table(&conn, &table),
        }
    }
}

/// All rows of a file, each behind its table, without what is the file's own.
pub fn read_rows(path: &Path) -> Vec<String> {
    let conn = Connection::open(path).expect("opened");
    let mut all = Vec::new();
    for table in list_tables(&conn) {
        let columns = if has_order(&table) { "rowid, *" } else { "*" };
        let mut read = conn
            .prepare(&format!("SELECT {columns} FROM {table}"))
            .expect("prepared");
        let count = read.column_count();
        let mut rows = read.query([]).expect("asked");
        while let Some(row) = rows.next().expect("read") {
            let cells = (0..count).map(|column| row.get(column).expect("a value"));
            let cells: Vec<Value> = cells.collect();
            let is_own = |key: &str| cells[0] == Value::Text(key.into());
            if table != "meta" || !OWN_KEYS.iter().any(|key| is_own(key)) {
                all.push(format!("{table}: {cells:?}").replace("\\0", "\u{FFFD}"));
            }
        }
    }
    all.sort();
    all
}

pub fn list_tables(conn: &Connection) -> Vec<String> {
    let list = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'word%'";
    let mut find = conn.prepare(list).expect("prepared");
    let names = find.query_map([], |row| row.get(0)).expect("asked");
    names.map(|name| name.expect("read")).collect()
}

/// Whether the order of rows says what came first.
fn has_order(table: &str) -> bool {
    ["outbox", "model_usage"].contains(&table)
}

fn read_columns(conn: &Connection, table: &str) -> Vec<Column> {
    let ask = "SELECT name, type, \"notnull\" = 0 AND pk = 0 FROM pragma_table_info(?1)";
    let mut find = conn.prepare(ask).expect("prepared");
    let columns = find.query_map([table], |row| {
        Ok(Column {
            name: row.get(0)?,
            kind: row.get(1)?,
            may_be_null: row.get(2)?,
        })
    });
    let columns = columns.expect("asked");
    columns.map(|column| column.expect("read")).collect()
}

fn fill_table(conn: &Connection, table: &str) {
    let mut columns = read_columns(conn, table);
    if has_order(table) {
        columns.push(Column {
            name: "rowid".into(),
            kind: "INTEGER".into(),
            may_be_null: false,
        });
    }
    let names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
    let marks = vec!["?"; columns.len()].join(", ");
    let insert = format!(
        "INSERT INTO {table} ({}) VALUES ({marks})",
        names.join(", ")
    );
    let count = if table == "messages" { MESSAGES } else { ROWS };
    for row in 1..=count {
        let values = (1..).zip(&columns);
        let values = values.map(|(place, column)| make_value(table, column, place, row));
        conn.execute(&insert, params_from_iter(values))
            .unwrap_or_else(|error| panic!("{insert}: {error}"));
    }
}

/// Row 1 has no more than it must; row 2 has a character of number 0.
fn make_value(table: &str, column: &Column, place: i64, row: i64) -> Value {
    if row == 1 && column.may_be_null {
        return Value::Null;
    }
    match &*column.kind {
        // What is of a message is of the same message everywhere.
        "INTEGER" => Value::Integer(match &*column.name {
            "arrival" => 1_000 - row,
            "channel" => 2_000 - row,
            _ => (2 + place) * 1_000 - row,
        }),
        "REAL" => Value::Real([-0.0, 1.0, 1e300][row as usize % 3]),
        "BLOB" => Value::Blob(vec![0, row as u8, 255]),
        _ => {
            let odd = if row == 2 { "a\0b" } else { "🐈 'quoted' \\" };
            Value::Text(format!("{} {} {row} 小花猫 {odd}", table, column.name))
        }
    }
}
