//! The index over the words of a server's messages, and how many messages each word stands in. Both take longer to keep up than
//! to make, so they are left out while messages are copied, and made beside what is copied after them.

use std::thread::{Builder, JoinHandle};

use crate::db::Database;
use crate::postgres::PostgresAddress;
use crate::sql::{SqlConnection, SqlResult};

/// As the tables were made with it.
const MAKE: &str = "CREATE INDEX words_by_word ON words USING gin (words)";

/// Counts the words as the tables were made with it.
const COUNT: &str =
    "INSERT INTO word_counts SELECT word, ndoc FROM ts_stat('SELECT words FROM words')";

pub fn drop_index(conn: &SqlConnection) -> SqlResult<()> {
    conn.execute_batch("DROP INDEX IF EXISTS words_by_word; ALTER TABLE words DISABLE TRIGGER USER")
}

/// Makes both, the index only where it is not there.
pub fn complete(conn: &SqlConnection) -> SqlResult<()> {
    make_index(conn)?;
    conn.execute_batch(&format!(
        "ALTER TABLE words ENABLE TRIGGER USER; DELETE FROM word_counts; {COUNT}"
    ))
}

fn make_index(conn: &SqlConnection) -> SqlResult<()> {
    let make = MAKE.replacen("INDEX", "INDEX IF NOT EXISTS", 1);
    conn.execute_batch(&format!("SET maintenance_work_mem = '256MB'; {make}"))
}

/// Begins to make the index, over a link of its own. What ends that before is no loss: it is looked for at the end. None where the
/// system gives no thread.
pub fn begin_index(address: &PostgresAddress) -> Option<JoinHandle<()>> {
    let db = Database::read_server(address);
    let make = move || drop(make_index(&db.conn));
    Builder::new().name("store-index".into()).spawn(make).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_made_as_the_tables_were_made_with_them() {
        let schema = include_str!("../postgres/counted_words.sql");
        for part in [MAKE, COUNT] {
            assert!(schema.contains(&format!("{part};")), "{part}");
        }
    }
}
