//! Rows on their way into a table. What a statement has to say beside their columns follows from the catalogue.

use rusqlite::ToSql;

use crate::catalogue::{self, ColumnKind, Table};
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{BoundValue, FromColumn, ToColumn};

/// The values of a row by column; made by `row!`.
pub(crate) type NewRow<'a> = &'a [(&'static str, &'a dyn ToSql)];

/// A row: its columns with their values. A column alone has the value of the variable of its name.
macro_rules! row {
    (@ $column:ident) => { $column };
    (@ $column:ident $value:expr) => { $value };
    ($($column:ident $(: $value:expr)?),* $(,)?) => {
        &[$((
            stringify!($column),
            &$crate::values::BoundValue { 0: &$crate::row_writes::row!(@ $column $($value)?) } as &dyn rusqlite::ToSql,
        )),*]
    };
}
pub(crate) use row;

#[derive(Clone, Copy, PartialEq, Eq)]
enum KnownRow {
    /// There is none, or the statement fails.
    Refused,
    Kept,
    Replaced,
    /// It is replaced where the last column grows by that.
    Raised,
}

fn build_insert(table: &str, columns: &[&str], source: &str, known: KnownRow) -> String {
    let insert = format!("INSERT INTO {table} ({}) {source}", columns.join(", "));
    match known {
        KnownRow::Refused => return insert,
        KnownRow::Kept => return format!("{insert} ON CONFLICT DO NOTHING"),
        KnownRow::Replaced | KnownRow::Raised => {}
    }
    let key = find_table(table).map_or("", Table::key);
    let changed = columns
        .iter()
        .filter(|column| key.split(", ").all(|part| part != **column));
    let changes: Vec<String> = changed
        .map(|column| format!("{column} = excluded.{column}"))
        .collect();
    let changes = changes.join(", ");
    let replace = format!("{insert} ON CONFLICT ({key}) DO UPDATE SET {changes}");
    match columns.last() {
        Some(last) if known == KnownRow::Raised => {
            format!("{replace} WHERE {table}.{last} < excluded.{last}")
        }
        _ => replace,
    }
}

fn find_table(name: &str) -> Option<&'static Table> {
    catalogue::tables().find(|table| table.name == name)
}

fn build_values(columns: &[&str]) -> String {
    let marks: Vec<String> = (1..=columns.len())
        .map(|place| format!("?{place}"))
        .collect();
    format!("VALUES ({})", marks.join(", "))
}

/// A statement that writes many rows of the same kind.
#[derive(Clone)]
pub(crate) struct RowStatement {
    /// For a file: run once for each row, with its values.
    pub for_each: String,
    /// For a server, where each run is a round trip: run once, with each column as a list.
    pub for_all: String,
}

impl RowStatement {
    /// Puts rows in the place of those with their keys.
    pub fn put(table: &str, columns: &[&str]) -> Self {
        Self::new(table, columns, KnownRow::Replaced)
    }

    /// The same where the last column grows by that.
    pub fn raise(table: &str, columns: &[&str]) -> Self {
        Self::new(table, columns, KnownRow::Raised)
    }

    fn new(table: &str, columns: &[&str], known: KnownRow) -> Self {
        let known_columns: Vec<_> = find_table(table)
            .into_iter()
            .flat_map(Table::columns)
            .collect();
        let lists: Vec<String> = (1..)
            .zip(columns)
            .map(|(place, name)| {
                let column = known_columns.iter().find(|column| column.name == *name);
                let kind = match column.map(|column| column.kind) {
                    Some(ColumnKind::Text) => "text",
                    _ => "bigint",
                };
                format!("?{place}::{kind}[]")
            })
            .collect();
        let all = format!("SELECT * FROM unnest({})", lists.join(", "));
        Self {
            for_each: build_insert(table, columns, &build_values(columns), known),
            for_all: build_insert(table, columns, &all, known),
        }
    }
}

impl SqlConnection {
    /// Puts a row into a table that has none with its key.
    pub fn insert_row(&self, table: &str, row: NewRow<'_>) -> SqlResult<()> {
        self.write_row(table, row, KnownRow::Refused).map(drop)
    }

    /// The same; answers with the number that the row was given.
    pub fn insert_numbered<T: FromColumn>(&self, table: &str, row: NewRow<'_>) -> SqlResult<T> {
        let (columns, values) = split_row(row);
        let insert = build_insert(table, &columns, &build_values(&columns), KnownRow::Refused);
        self.read_one(&format!("{insert} RETURNING id"), &values)
    }

    /// Puts a row into a table unless there is one like it; answers whether there was none.
    pub fn add_row(&self, table: &str, row: NewRow<'_>) -> SqlResult<bool> {
        Ok(self.write_row(table, row, KnownRow::Kept)? > 0)
    }

    /// Puts a row into a table, in the place of one with its key.
    pub fn put_row(&self, table: &str, row: NewRow<'_>) -> SqlResult<()> {
        self.write_row(table, row, KnownRow::Replaced).map(drop)
    }

    /// The same where the last column grows by that.
    pub fn raise_row(&self, table: &str, row: NewRow<'_>) -> SqlResult<()> {
        self.write_row(table, row, KnownRow::Raised).map(drop)
    }

    /// Deletes the rows with these values; answers whether there were any.
    pub fn delete_rows(&self, table: &str, values: NewRow<'_>) -> SqlResult<bool> {
        let (columns, values) = split_row(values);
        let of = list_assignments(&columns, 1).join(" AND ");
        Ok(self.execute(&format!("DELETE FROM {table} WHERE {of}"), &values)? > 0)
    }

    pub fn update_rows(&self, table: &str, of: NewRow<'_>, set: NewRow<'_>) -> SqlResult<()> {
        let ((of, known), (set, new)) = (split_row(of), split_row(set));
        let set = list_assignments(&set, known.len() + 1).join(", ");
        let of = list_assignments(&of, 1).join(" AND ");
        let update = format!("UPDATE {table} SET {set} WHERE {of}");
        self.execute(&update, &[known, new].concat()).map(drop)
    }

    fn write_row(&self, table: &str, row: NewRow<'_>, known: KnownRow) -> SqlResult<usize> {
        let (columns, values) = split_row(row);
        self.execute(
            &build_insert(table, &columns, &build_values(&columns), known),
            &values,
        )
    }

    /// Writes these rows. For a server no two of them may change the same row of a table, unless the statement keeps the last.
    pub fn write_rows<R, const COLUMNS: usize>(
        &self,
        statement: &RowStatement,
        rows: &[R],
        columns: [fn(&R) -> &dyn ToColumn; COLUMNS],
    ) -> SqlResult<()> {
        match self {
            Self::Sqlite(conn) => {
                let mut write = conn.prepare_cached(&statement.for_each)?;
                rows.iter().try_for_each(|row| {
                    let values = columns.map(|column| BoundValue(column(row)));
                    let values = values.each_ref().map(|value| value as &dyn ToSql);
                    write.execute(&values[..]).map(drop)
                })?;
                Ok(())
            }
            Self::Postgres(conn) => Ok(conn.write_rows(&statement.for_all, rows, columns)?),
        }
    }
}

fn split_row<'a>(row: NewRow<'a>) -> (Vec<&'static str>, Vec<&'a dyn ToSql>) {
    row.iter().copied().unzip()
}

pub(crate) fn list_assignments(columns: &[&str], first: usize) -> Vec<String> {
    let each = (first..).zip(columns);
    each.map(|(place, column)| format!("{column} = ?{place}"))
        .collect()
}
