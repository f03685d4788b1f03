//! The index over the words of a server's messages. It takes longer to keep up than to make, so it is left out while messages
//! are copied, and made beside what is copied after them.

use std::thread::{Builder, JoinHandle};

use crate::postgres::{self, PostgresAddress};
use crate::sql::{SqlConnection, SqlResult};

/// As the tables were made with it.
const MAKE: &str = "CREATE INDEX words_by_word ON words USING gin (words)";

/// Leaves it out.
pub fn drop_index(conn: &SqlConnection) -> SqlResult<()> {
    conn.execute_batch("DROP INDEX IF EXISTS words_by_word")
}

/// Makes it where it is not there.
pub fn make_index(conn: &SqlConnection) -> SqlResult<()> {
    let make = MAKE.replacen("INDEX", "INDEX IF NOT EXISTS", 1);
    conn.execute_batch(&format!("SET maintenance_work_mem = '256MB'; {make}"))
}

/// Begins to make it, over a link of its own. What ends that before is no loss: it is looked for at the end. None where the
/// system gives no thread.
pub fn begin_index(address: &PostgresAddress) -> Option<JoinHandle<()>> {
    let db = postgres::prepare_reading(address);
    let make = move || drop(make_index(&db.conn));
    Builder::new().name("store-index".into()).spawn(make).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_as_the_tables_were_made_with_it() {
        let schema = include_str!("../postgres/schema.sql");
        assert!(schema.contains(&format!("{MAKE};")));
    }
}
