//! Small values by key, one row each.

use crate::sql::{SqlConnection, SqlResult};
use crate::values::{FromColumn, ToColumn, params};

pub(super) fn read_meta<T: FromColumn>(conn: &SqlConnection, key: &str) -> SqlResult<Option<T>> {
    conn.read_first("SELECT value FROM meta WHERE key = ?1", params![key])
}

/// Keeps a small value by key, in the place of what was there.
pub(super) fn put_meta(conn: &SqlConnection, key: &str, value: &impl ToColumn) -> SqlResult<()> {
    let put =
        "INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2";
    conn.execute(put, params![key, value]).map(drop)
}
