//! Small values by key, one row each.

use crate::sql::{OptionalRow, SqlConnection, SqlResult};
use crate::values::{FromColumn, ReadRow, ToColumn, params};

/// A small value by key.
pub(super) fn read_meta<T: FromColumn>(conn: &SqlConnection, key: &str) -> SqlResult<Option<T>> {
    conn.prepare_cached("SELECT value FROM meta WHERE key = ?1")?
        .query_row(params![key], |row| row.read(0))
        .optional()
}

/// Keeps a small value by key, in the place of what was there.
pub(super) fn put_meta(conn: &SqlConnection, key: &str, value: &impl ToColumn) -> SqlResult<()> {
    let mut put = conn.prepare_cached(
        "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
    )?;
    put.execute(params![key, value]).map(drop)
}
