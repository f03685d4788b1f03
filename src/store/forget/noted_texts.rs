//! What stands in the small tables as text, whoever wrote it: the words in it that only one person said are looked for when
//! that person is forgotten.

use crate::sql::{SqlConnection, SqlResult};
use crate::values::{ReadRow, params};

/// All of it. A row is one text.
const NOTED: &str = "
    SELECT name || ' ' || topic FROM channels
    UNION ALL SELECT key || ' ' || value FROM tool_data
    UNION ALL SELECT label || ' ' || coalesce(opening, '') || ' ' || config FROM sessions
    UNION ALL SELECT note || ' ' || coalesce(word, '') || ' ' || coalesce(reminder, '') FROM intents
    UNION ALL SELECT subject || ' ' || answered FROM proposals
    UNION ALL SELECT name FROM stickers";

/// The texts. A line break is written as a letter in JSON, which would be taken for one of a word.
pub(super) fn read_noted_texts(conn: &SqlConnection) -> SqlResult<Vec<String>> {
    let mut find = conn.prepare_cached(NOTED)?;
    let rows = find.query_map(params![], |row| row.read::<String>(0))?;
    rows.map(|text| text.map(|text| text.replace("\\n", " ")))
        .collect()
}
