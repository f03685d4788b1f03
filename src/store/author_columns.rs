//! An author as three columns.

use crate::sql::{SqlResult, SqlRow};
use crate::values::ReadRow;
use kith_core::chat::Author;

/// An author from three columns beginning at `first`: id, name, kind.
pub(super) fn read_author(row: &SqlRow<'_>, first: usize) -> SqlResult<Author> {
    Ok(Author {
        id: row.read(first)?,
        name: row.read(first + 1)?,
        kind: row.read(first + 2)?,
    })
}
