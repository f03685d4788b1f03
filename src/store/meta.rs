//! Small values by key, one row each.

use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{FromColumn, ToColumn, params};

pub(super) fn read_meta<T: FromColumn>(conn: &SqlConnection, key: &str) -> SqlResult<Option<T>> {
    conn.read_first("SELECT value FROM meta WHERE key = ?1", params![key])
}

/// Keeps a small value by key, in the place of what was there.
pub(super) fn put_meta(conn: &SqlConnection, key: &str, value: &impl ToColumn) -> SqlResult<()> {
    conn.put_row("meta", row! { key, value })
}
