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

/// Reads a structure whose fields are the columns of a row, in this order.
macro_rules! read_fields {
    ($row:expr, $name:ident { $($field:ident),* }) => {{
        let mut next = 0..;
        Ok($name { $($field: $row.read(next.next().unwrap_or_default())?),* })
    }};
}
pub(crate) use read_fields;

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

    pub fn has_row(&self, sql: &str, params: SqlParams<'_>) -> SqlResult<bool> {
        self.prepare_cached(sql)?.exists(params)
    }
}
