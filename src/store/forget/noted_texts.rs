//! What stands in the small tables as text, whoever wrote it: the words in it that only one person said are looked for when
//! that person is forgotten.

use crate::catalogue::{ColumnRole, select_texts};
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;

/// The texts. A line break is written as a letter in JSON, which would be taken for one of a word.
pub(super) fn read_noted_texts(conn: &SqlConnection) -> SqlResult<Vec<String>> {
    let texts = select_texts(&[ColumnRole::Words, ColumnRole::Note]);
    let texts: Vec<String> = conn.read_all(&texts, params![])?;
    Ok(texts
        .into_iter()
        .map(|text| text.replace("\\n", " "))
        .collect())
}
