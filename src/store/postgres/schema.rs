//! The tables on a server, and how older ones become newer: all steps in one transaction, never backwards, by who holds the
//! lock of the database.

use std::path::Path;

use super::address::ExpectedDivision;
use super::connection::PostgresConnection;
use super::link::LinkResult;
use super::statements::list_rewritten;
use crate::catalogue::{self, Table};
use crate::error::StoreError;

/// The step that made room for counts of words: no table of the catalogue came with it.
const COUNTED_WORDS: &str = include_str!("counted_words.sql");

/// What each step of the catalogue makes beside its tables. A step that was released is never changed.
const STEPS: &[&str] = &[
    include_str!("schema.sql"),
    include_str!("turn_signatures.sql"),
];

/// What the statements call, where PostgreSQL has another name for it or none.
const FUNCTIONS: &str = include_str!("functions.sql");

/// Step `n` brings a database to format `n + 1`.
pub(super) fn list_steps() -> Vec<String> {
    let steps = (0..catalogue::count_steps()).map(|step| {
        let tables = catalogue::tables().filter(|table| table.step == step);
        let made: String = tables.map(Table::create_on_server).collect();
        made + STEPS.get(step).copied().unwrap_or_default()
    });
    let mut steps: Vec<String> = steps.collect();
    if let Some(first) = steps.first_mut() {
        first.insert_str(0, FUNCTIONS);
        steps.insert(1, COUNTED_WORDS.into());
    }
    steps
}

const OLDEST_SERVER: i64 = 150_000;

/// Whether the server and the database can be used at all; says why not.
pub(crate) fn find_hindrance(conn: &PostgresConnection) -> LinkResult<Option<String>> {
    let version = conn.read_number("SELECT current_setting('server_version_num')::int")?;
    if version < OLDEST_SERVER {
        let found = version / 10_000;
        return Ok(Some(format!(
            "it is PostgreSQL {found}; Kith needs 15 or newer"
        )));
    }
    let is_utf8 = "SELECT (current_setting('server_encoding') = 'UTF8')::int";
    if conn.read_number(is_utf8)? == 0 {
        return Ok(Some("its encoding is not UTF8".into()));
    }
    let has_schema = "SELECT (current_schema() IS NOT NULL)::int";
    if conn.read_number(has_schema)? == 0 {
        return Ok(Some(
            "no schema of it can be used: look at its search_path".into(),
        ));
    }
    let is_foreign = "SELECT (to_regclass('kith_format') IS NULL AND
        (to_regclass('messages') IS NOT NULL OR to_regclass('meta') IS NOT NULL))::int";
    if conn.read_number(is_foreign)? == 1 {
        return Ok(Some("it holds another program's tables".into()));
    }
    Ok(None)
}

/// Why a database that is divided cannot be used as `expected` partitions; none where the leases have been asked.
pub(crate) fn find_division(
    conn: &PostgresConnection,
    expected: Option<ExpectedDivision>,
) -> LinkResult<Option<String>> {
    let Some(expected) = expected else {
        return Ok(None);
    };
    let (base, expected) = (expected.base_schema, i64::from(expected.count));
    let leases =
        format!("SELECT (to_regclass(quote_ident({base}) || '.lease_partition') IS NOT NULL)::int");
    if conn.read_number(&leases)? == 0 {
        return Ok(None);
    }
    let base = conn.read_text(&format!("SELECT quote_ident({base})"))?;
    let found = conn.read_number(&format!(
        "SELECT coalesce(max(count), 1) FROM {base}.lease_partition"
    ))?;
    Ok((found != expected).then(|| match expected {
        1 => format!(
            "it is divided into {found} partitions: set store.partitions to {found}, where this can be done to all of them"
        ),
        _ => format!("it is divided into {found} partitions and not into {expected}: set store.partitions to {found}"),
    }))
}

pub(crate) fn migrate(conn: &PostgresConnection, shown: &Path) -> Result<(), StoreError> {
    let explain = |error| StoreError::explain(error, shown);
    let create = "CREATE TABLE IF NOT EXISTS kith_format (version bigint NOT NULL);
        INSERT INTO kith_format SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM kith_format)";
    conn.execute_batch(create).map_err(explain)?;
    let found = conn
        .read_number("SELECT version FROM kith_format")
        .map_err(explain)?;
    check_format(found, shown)?;
    let steps = list_steps();
    let newest = steps.len();
    let missing = steps.get(usize::try_from(found).unwrap_or_default()..);
    if let Some(missing @ [_, ..]) = missing {
        // Whoever is cut off here left what was there before.
        let steps = missing.join(";");
        let run = format!("BEGIN; {steps}; UPDATE kith_format SET version = {newest}; COMMIT");
        let made = conn.execute_batch(&run).inspect_err(|_| conn.rollback());
        made.map_err(explain)?;
    }
    keep_little(conn).map_err(explain)
}

/// Whether the tables have the newest format; none where there are none.
pub(crate) fn is_newest(
    conn: &PostgresConnection,
    shown: &Path,
) -> Result<Option<bool>, StoreError> {
    let read = |ask| {
        conn.read_number(ask)
            .map_err(|error| StoreError::explain(error, shown))
    };
    if read("SELECT (to_regclass('kith_format') IS NOT NULL)::int")? == 0 {
        return Ok(None);
    }
    let found = read("SELECT coalesce(max(version), 0) FROM kith_format")?;
    check_format(found, shown)?;
    Ok((found > 0).then_some(found == newest_format()))
}

fn newest_format() -> i64 {
    list_steps().len() as i64
}

fn check_format(found: i64, shown: &Path) -> Result<(), StoreError> {
    let known = newest_format();
    if found <= known {
        return Ok(());
    }
    Err(StoreError::Newer {
        path: shown.into(),
        found,
        known,
    })
}

/// Has the server take away soon what is deleted. By itself it would wait until a fifth of a table is. Whoever set something
/// else for a table is left alone.
fn keep_little(conn: &PostgresConnection) -> LinkResult<()> {
    let tables = list_rewritten().join("', '");
    conn.execute_batch(&format!(
        "DO $$ DECLARE named text; BEGIN
             FOR named IN SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                 WHERE n.nspname = current_schema() AND c.relname IN ('{tables}')
                 AND c.relkind = 'r' AND c.reloptions IS NULL
             LOOP
                 EXECUTE format('ALTER TABLE %I SET (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0)', named);
             END LOOP;
         END $$"
    ))
}

#[cfg(test)]
mod tests {
    use kith_testkit::postgres::PostgresServer;

    use super::super::connection::ConnectionRole;
    use super::*;

    #[test]
    fn a_database_of_the_first_format_becomes_a_newer_one_with_its_words() {
        let Some(server) = PostgresServer::shared() else {
            return;
        };
        let schema = server.make_schema();
        let first = &list_steps()[0];
        let fill = "CREATE TABLE kith_format (version bigint NOT NULL); INSERT INTO kith_format VALUES (1);
            INSERT INTO messages (arrival, channel, id, at, author, author_name, author_kind, text)
                SELECT n, 10 + n, n, n, 1, 'Anna', 1, 'oats' FROM generate_series(1, 3) AS n;
            INSERT INTO words SELECT n, ('''oats'':1 ''w' || n || ''':2')::tsvector FROM generate_series(1, 3) AS n";
        server.run_sql(&format!(
            "SET search_path TO {}; {first}; {fill}",
            schema.name
        ));
        let address = schema.url.parse().expect("an address");
        let conn = PostgresConnection::open(&address, ConnectionRole::Writer).expect("opened");
        migrate(&conn, "test".as_ref()).expect("made newer");
        assert_eq!(is_newest(&conn, "test".as_ref()).expect("read"), Some(true));
        let read =
            |sql: &str| server.run_sql(&format!("SET search_path TO {}; {sql}", schema.name));
        let words = "SELECT arrival, channel, words FROM words ORDER BY arrival LIMIT 1";
        assert_eq!(read(words), "1|11|'oats':1 'w1':2");
        let counts = "SELECT string_agg(term || doc, ' ' ORDER BY term) FROM word_counts";
        assert_eq!(read(counts), "oats3 w11 w21 w31");
        read("DELETE FROM words WHERE arrival = 2; INSERT INTO words VALUES (4, 14, 'oats')");
        assert_eq!(read(counts), "oats3 w11 w31");
        let left = "SELECT count(*) FROM pg_class WHERE relname IN ('words_pkey', 'words_by_word')
            AND relnamespace = current_schema()::regnamespace";
        assert_eq!(read(left), "2");
    }
}
