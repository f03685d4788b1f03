//! Answers as values: all rows of one, or the first.

use std::ops::RangeFrom;

use crate::sql::{SqlConnection, SqlParams, SqlResult, SqlRow};
use crate::values::{FromColumn, ReadRow};
use kith_core::chat::Author;

/// What a row is read as: a column, a structure of several, or some of them one after the other.
pub(crate) trait FromRow: Sized {
    /// Reads it from the columns that come next.
    fn from_columns(row: &SqlRow<'_>, next: &mut RangeFrom<usize>) -> SqlResult<Self>;

    fn from_row(row: &SqlRow<'_>) -> SqlResult<Self> {
        Self::from_columns(row, &mut (0..))
    }
}

impl<T: FromColumn> FromRow for T {
    fn from_columns(row: &SqlRow<'_>, next: &mut RangeFrom<usize>) -> SqlResult<Self> {
        row.read(next.next().unwrap_or_default())
    }
}

macro_rules! read_parts {
    ($($name:ident),*) => {
        impl<$($name: FromRow),*> FromRow for ($($name),*) {
            fn from_columns(row: &SqlRow<'_>, next: &mut RangeFrom<usize>) -> SqlResult<Self> {
                Ok(($($name::from_columns(row, next)?),*))
            }
        }
    };
}

read_parts!(A, B);
read_parts!(A, B, C);
read_parts!(A, B, C, D);
read_parts!(A, B, C, D, E);

/// Reads a structure from columns, which are its fields in this order; `json` says that one stands there as JSON, `list` that
/// nothing stands there where it is empty, `none` that it is read elsewhere.
macro_rules! from_row {
    (@ $read:expr) => { $read };
    (@ $read:expr, json) => {{
        let $crate::values::JsonColumn(value) = $read;
        value
    }};
    (@ $read:expr, none) => { Default::default() };
    (@ $read:expr, list) => {{
        let $crate::values::JsonColumn::<Option<Vec<_>>>(value) = $read;
        value.unwrap_or_default()
    }};
    ($name:ident { $($field:ident $(: $json:ident)?),* }) => {
        impl $crate::from_row::FromRow for $name {
            fn from_columns(
                row: &$crate::sql::SqlRow<'_>,
                next: &mut std::ops::RangeFrom<usize>,
            ) -> $crate::sql::SqlResult<Self> {
                use $crate::from_row::FromRow;
                Ok(Self {
                    $($field: $crate::from_row::from_row!(@ FromRow::from_columns(row, next)? $(, $json)?)),*
                })
            }
        }
    };
}
pub(crate) use from_row;

/// A pair of which both are there, or none.
impl<A: FromColumn, B: FromColumn> FromRow for Option<(A, B)> {
    fn from_columns(row: &SqlRow<'_>, next: &mut RangeFrom<usize>) -> SqlResult<Self> {
        let (first, second) = <(Option<A>, Option<B>)>::from_columns(row, next)?;
        Ok(first.zip(second))
    }
}

from_row! { Author { id, name, kind } }

impl SqlConnection {
    /// Every row, as `read` reads it.
    pub fn map_all<T>(
        &self,
        sql: &str,
        params: SqlParams<'_>,
        mut read: impl FnMut(&SqlRow<'_>) -> SqlResult<T>,
    ) -> SqlResult<Vec<T>> {
        let mut find = self.prepare_cached(sql)?;
        let mut rows = find.query(params)?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push(read(&row)?);
        }
        Ok(all)
    }

    pub fn read_all<T: FromRow>(&self, sql: &str, params: SqlParams<'_>) -> SqlResult<Vec<T>> {
        self.map_all(sql, params, T::from_row)
    }

    /// The first row, if there is one.
    pub fn read_first<T: FromRow>(&self, sql: &str, params: SqlParams<'_>) -> SqlResult<Option<T>> {
        let mut find = self.prepare_cached(sql)?;
        let mut rows = find.query(params)?;
        rows.next()?.map(|row| T::from_row(&row)).transpose()
    }

    /// The row that there always is.
    pub fn read_one<T: FromRow>(&self, sql: &str, params: SqlParams<'_>) -> SqlResult<T> {
        let first = self.read_first(sql, params)?;
        first.ok_or_else(|| rusqlite::Error::QueryReturnedNoRows.into())
    }

    pub fn has_row(&self, sql: &str, params: SqlParams<'_>) -> SqlResult<bool> {
        self.prepare_cached(sql)?.exists(params)
    }
}
