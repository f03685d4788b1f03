//! Answers as values: all rows of one, or the first.

use crate::sql::{SqlConnection, SqlParams, SqlResult, SqlRow};
use crate::values::{FromColumn, ReadRow};

/// What a row is read as: its first column, or several.
pub(crate) trait FromRow: Sized {
    fn from_row(row: &SqlRow<'_>) -> SqlResult<Self>;
}

impl<T: FromColumn> FromRow for T {
    fn from_row(row: &SqlRow<'_>) -> SqlResult<Self> {
        row.read(0)
    }
}

macro_rules! read_columns {
    ($($name:ident $place:literal),*) => {
        impl<$($name: FromColumn),*> FromRow for ($($name),*) {
            fn from_row(row: &SqlRow<'_>) -> SqlResult<Self> {
                Ok(($(row.read::<$name>($place)?),*))
            }
        }
    };
}

read_columns!(A 0, B 1);
read_columns!(A 0, B 1, C 2);
read_columns!(A 0, B 1, C 2, D 3);
read_columns!(A 0, B 1, C 2, D 3, E 4);

/// Reads a structure from the first columns of a row, which are its fields in this order; `json` says that one stands there
/// as JSON.
macro_rules! from_row {
    (@ $row:ident $at:expr) => { $row.read($at)? };
    (@ $row:ident $at:expr, json) => { $row.read_json($at)? };
    ($name:ident { $($field:ident $(: $json:ident)?),* }) => {
        impl $crate::from_row::FromRow for $name {
            fn from_row(row: &$crate::sql::SqlRow<'_>) -> $crate::sql::SqlResult<Self> {
                use $crate::values::ReadRow;
                let mut next = 0..;
                Ok(Self { $($field: $crate::from_row::from_row!(@ row next.next().unwrap_or_default() $(, $json)?)),* })
            }
        }
    };
}
pub(crate) use from_row;

impl SqlConnection {
    /// Every row, as `read` reads it.
    pub fn map_all<T>(
        &self,
        sql: &str,
        params: SqlParams<'_>,
        read: impl FnMut(&SqlRow<'_>) -> SqlResult<T>,
    ) -> SqlResult<Vec<T>> {
        self.prepare_cached(sql)?.query_map(params, read)?.collect()
    }

    pub fn read_all<T: FromRow>(&self, sql: &str, params: SqlParams<'_>) -> SqlResult<Vec<T>> {
        self.map_all(sql, params, T::from_row)
    }

    /// The first row, if there is one.
    pub fn map_first<T>(
        &self,
        sql: &str,
        params: SqlParams<'_>,
        read: impl FnOnce(&SqlRow<'_>) -> SqlResult<T>,
    ) -> SqlResult<Option<T>> {
        let mut find = self.prepare_cached(sql)?;
        let mut rows = find.query(params)?;
        rows.next()?.map(|row| read(&row)).transpose()
    }

    pub fn read_first<T: FromRow>(&self, sql: &str, params: SqlParams<'_>) -> SqlResult<Option<T>> {
        self.map_first(sql, params, T::from_row)
    }

    /// The row that there always is.
    pub fn read_one<T: FromRow>(&self, sql: &str, params: SqlParams<'_>) -> SqlResult<T> {
        self.prepare_cached(sql)?.query_row(params, T::from_row)
    }

    pub fn has_row(&self, sql: &str, params: SqlParams<'_>) -> SqlResult<bool> {
        self.prepare_cached(sql)?.exists(params)
    }
}
