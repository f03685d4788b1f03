//! Reading a table in the order of its key, a page at a time: the server would otherwise hand over a whole table at once.

use rusqlite::ToSql;
use rusqlite::types::{FromSqlError, Value, ValueRef};

use super::select_copied;
use crate::catalogue::{ColumnKind, Table};
use crate::migration_mark::{KeyValue, RowKey};
use crate::sql::{SqlConnection, SqlResult};

/// The rows of the first page: nobody knows yet how large they are.
const FIRST_ROWS: i64 = 100;
const MOST_ROWS: i64 = 10_000;
/// So many bytes of values a page is meant to hold.
const PAGE_BYTES: i64 = 4 << 20;
/// What a value takes that is no text and no bytes.
const NUMBER_BYTES: usize = 8;

pub struct TableReader {
    table: &'static Table,
    kinds: Vec<ColumnKind>,
    key_places: Vec<usize>,
    after: Option<RowKey>,
    rows: i64,
}

impl TableReader {
    pub fn new(table: &'static Table, after: Option<RowKey>) -> Self {
        Self {
            table,
            kinds: table.columns().map(|column| column.kind).collect(),
            key_places: table.key_places(),
            after,
            rows: FIRST_ROWS,
        }
    }

    pub fn last_key(&self) -> Option<&RowKey> {
        self.after.as_ref()
    }

    /// Hands over the rows of the next page, and answers whether it was the last.
    pub fn read_page(
        &mut self,
        conn: &SqlConnection,
        take: &mut dyn FnMut(&[ValueRef<'_>]) -> SqlResult<()>,
    ) -> SqlResult<bool> {
        match self.try_read_page(conn, take) {
            // Of a page whose answer was cut off no row was handed over.
            Err(error) if error.is_link_cut() => self.try_read_page(conn, take),
            read => read,
        }
    }

    fn try_read_page(
        &mut self,
        conn: &SqlConnection,
        take: &mut dyn FnMut(&[ValueRef<'_>]) -> SqlResult<()>,
    ) -> SqlResult<bool> {
        let after: Vec<Value> = self
            .after
            .iter()
            .flatten()
            .map(KeyValue::to_value)
            .collect();
        let most = self.rows;
        let mut params: Vec<&dyn ToSql> = after.iter().map(|value| value as &dyn ToSql).collect();
        params.push(&most);
        let mut read = conn.prepare_cached(&self.build_question())?;
        let mut rows = read.query(&params)?;
        let (mut count, mut bytes) = (0, 0);
        while let Some(row) = rows.next()? {
            let mut values = Vec::with_capacity(self.kinds.len());
            for (column, kind) in self.kinds.iter().enumerate() {
                let value = row.get_value(column)?;
                bytes += check_value(value, *kind, self.table)?;
                values.push(value);
            }
            take(&values)?;
            count += 1;
            if count == most {
                let key = self.key_places.iter().map(|place| to_key(values[*place]));
                self.after = Some(key.collect::<SqlResult<_>>()?);
            }
        }
        let is_last = count < most;
        if !is_last {
            let fitting =
                PAGE_BYTES.saturating_mul(count) / i64::try_from(bytes).unwrap_or(1).max(1);
            self.rows = fitting.clamp(FIRST_ROWS, MOST_ROWS);
        }
        Ok(is_last)
    }

    fn build_question(&self) -> String {
        let (name, key) = (self.table.name, self.table.key());
        let columns = self.table.column_list();
        let condition = select_copied(self.table);
        let count = self.key_places.len();
        let (behind, limit) = match self.after {
            None => (String::new(), 1),
            Some(_) => {
                let marks: Vec<String> = (1..=count).map(|place| format!("?{place}")).collect();
                (format!(" AND ({key}) > ({})", marks.join(", ")), count + 1)
            }
        };
        format!(
            "SELECT {columns} FROM {name} WHERE {condition}{behind} ORDER BY {key} LIMIT ?{limit}"
        )
    }
}

/// The bytes of a value. One that cannot stand in its column is damage.
fn check_value(
    value: ValueRef<'_>,
    kind: ColumnKind,
    table: &Table,
) -> Result<usize, FromSqlError> {
    match (value, kind) {
        (ValueRef::Null, _)
        | (ValueRef::Integer(_), ColumnKind::Whole)
        | (ValueRef::Real(_), ColumnKind::Real) => Ok(NUMBER_BYTES),
        (ValueRef::Text(text), ColumnKind::Text) if std::str::from_utf8(text).is_ok() => {
            Ok(NUMBER_BYTES + text.len())
        }
        (ValueRef::Blob(bytes), ColumnKind::Bytes) => Ok(NUMBER_BYTES + bytes.len()),
        _ => Err(FromSqlError::other(std::io::Error::other(format!(
            "a value in the table {} is none",
            table.name
        )))),
    }
}

fn to_key(value: ValueRef<'_>) -> SqlResult<KeyValue> {
    Ok(match value {
        ValueRef::Integer(number) => KeyValue::Whole(number),
        ValueRef::Text(_) => KeyValue::Text(value.as_str()?.to_owned()),
        ValueRef::Blob(bytes) => KeyValue::Bytes(bytes.to_vec()),
        ValueRef::Null | ValueRef::Real(_) => return Err(FromSqlError::InvalidType.into()),
    })
}
