//! The tables, and how an older database becomes a newer one: all steps in one transaction, never backwards.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension};

use crate::catalogue::{self, Table};
use crate::error::StoreError;
use crate::values::{FromColumn, ReadRow, params};

/// `Kith` in the file header, so that another program's database is not taken for ours.
const APPLICATION_ID: i32 = 0x4B69_7468;
/// How large the pages of Kith's databases are: SQLite's default.
pub(crate) const PAGE_BYTES: usize = 4096;
/// The part of a SQLite file that is looked at before it is opened.
pub(crate) const HEADER_BYTES: u64 = 100;

/// The formats below this one were those of builds before the first release: no steps lead out of them.
const FIRST_FORMAT: usize = 20;

/// What each step to a newer format makes beside its tables. A step that was released is never changed: what comes later is
/// a further step.
const STEPS: &[&str] = &[FIRST_STEP, TURN_SIGNATURES];

/// The index `words` holds no text, only words, and is told what to take out again; with `secure-delete` it then really
/// forgets, but for what its pages begin with (`renew_index`). Its `scope` is the channel, so that a search never ranks
/// what it may not show. `word_counts` says in how many messages a word stands: read from the index, nothing of its own.
const FIRST_STEP: &str = "
INSERT INTO meta VALUES ('preferences.key', lower(hex(randomblob(32))));
INSERT INTO counter VALUES (0);

CREATE VIRTUAL TABLE words USING fts5 (scope, text, content = '', tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(0.0, 1.0)');
CREATE VIRTUAL TABLE word_counts USING fts5vocab(words, row);

CREATE TRIGGER vectors_of_changed_message AFTER UPDATE OF text ON messages BEGIN
    DELETE FROM message_vectors WHERE channel = new.channel AND arrival = new.arrival;
    INSERT OR REPLACE INTO message_vectors (channel, arrival, model)
    SELECT new.channel, new.arrival, model FROM vector_coverage
    WHERE channel = new.channel AND new.id BETWEEN first AND last;
END;
CREATE TRIGGER vectors_of_deleted_message AFTER DELETE ON messages BEGIN
    DELETE FROM message_vectors WHERE channel = old.channel AND arrival = old.arrival;
END;
CREATE TRIGGER vectors_of_deleted_channel AFTER DELETE ON channels BEGIN
    DELETE FROM message_vectors WHERE channel = old.id;
    DELETE FROM vector_coverage WHERE channel = old.id;
END;
";

const TURN_SIGNATURES: &str = "
CREATE TRIGGER signature_of_changed_turn AFTER UPDATE OF report, prompts ON turns BEGIN
    DELETE FROM turn_signatures WHERE turn = old.turn;
END;
CREATE TRIGGER signature_of_deleted_turn AFTER DELETE ON turns BEGIN
    DELETE FROM turn_signatures WHERE turn = old.turn;
END;
";

/// Step `n` brings a database to format `FIRST_FORMAT + n`; the first makes a new one.
fn list_steps() -> impl ExactSizeIterator<Item = String> {
    (0..catalogue::count_steps()).map(|step| {
        let tables = catalogue::tables().filter(|table| table.step == step);
        let made: String = tables.map(Table::create_in_file).collect();
        made + STEPS.get(step).copied().unwrap_or_default()
    })
}

fn newest_format() -> usize {
    FIRST_FORMAT + catalogue::count_steps() - 1
}

/// Checks the first bytes of a file that is to be opened. An empty file is as good as none.
pub(crate) fn check_header(header: &[u8], path: &Path) -> Result<(), StoreError> {
    let word = |at: usize| {
        header
            .get(at..at + 4)
            .and_then(|bytes| bytes.try_into().ok())
            .map(i32::from_be_bytes)
            .unwrap_or_default()
    };
    if header.is_empty() {
        return Ok(());
    }
    if header.len() < HEADER_BYTES as usize || !header.starts_with(b"SQLite format 3\0") {
        return Err(StoreError::NotADatabase { path: path.into() });
    }
    // SQLite takes what it does not know there for a later format, which it only reads.
    if header[18] > 2 || header[19] > 2 {
        return Err(StoreError::Damaged {
            path: path.into(),
            reason: "its header says an unknown format".into(),
        });
    }
    let (version, application) = (word(60), word(68));
    // Both are zero in a file SQLite made but nobody filled yet, as after a crash at the very first start.
    match application {
        APPLICATION_ID => check_format(i64::from(version), path),
        0 if version == 0 => Ok(()),
        _ => Err(StoreError::NotADatabase { path: path.into() }),
    }
}

/// Puts into the header of a database whatever is the same in every one of Kith's, or can be known otherwise.
///
/// See <https://www.sqlite.org/fileformat2.html#the_database_header>.
pub(crate) fn mend_header(header: &mut [u8; HEADER_BYTES as usize], pages: u32) {
    let changes = [header[24], header[25], header[26], header[27]];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"SQLite format 3\0");
    put(16, &(PAGE_BYTES as u16).to_be_bytes());
    // Written and read with a write-ahead log; nothing reserved; shares of a page that are the same everywhere.
    put(18, &[2, 2, 0, 64, 32, 32]);
    put(28, &pages.to_be_bytes());
    // No list of free pages: what is none would be taken for one.
    put(32, &[0; 8]);
    // The newest form of the list of tables, no automatic vacuum, UTF-8.
    put(44, &4_u32.to_be_bytes());
    put(52, &[0; 4]);
    put(56, &1_u32.to_be_bytes());
    put(64, &[0; 4]);
    put(68, &APPLICATION_ID.to_be_bytes());
    // The number of pages counts only where it was written with the last change.
    put(92, &changes);
}

/// The same through SQLite, which also sees what is still in the write-ahead log.
pub(crate) fn check_version(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let pragma = |name: &str| conn.pragma_query_value(None, name, |row| row.read::<i64>(0));
    let look = || -> rusqlite::Result<(i64, i64, i64)> {
        let tables = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.read(0))?;
        Ok((pragma("user_version")?, pragma("application_id")?, tables))
    };
    let (version, application, tables) =
        look().map_err(|error| StoreError::explain_damage(error, path))?;
    if tables > 0 && application != i64::from(APPLICATION_ID) {
        return Err(StoreError::NotADatabase { path: path.into() });
    }
    check_format(version, path)
}

fn check_format(found: i64, path: &Path) -> Result<(), StoreError> {
    let (oldest, newest) = (FIRST_FORMAT as i64, newest_format() as i64);
    match found {
        _ if found > newest => Err(StoreError::Newer {
            path: path.into(),
            found,
            known: newest,
        }),
        // 0 is a database that nobody filled yet.
        _ if found > 0 && found < oldest => Err(StoreError::Unreleased {
            path: path.into(),
            found,
            oldest,
        }),
        _ => Ok(()),
    }
}

/// The format that a database with something in it is about to be brought to; none if it has that already.
pub(crate) fn next_format(conn: &Connection) -> rusqlite::Result<Option<usize>> {
    let version: i64 = conn.pragma_query_value(None, "user_version", |row| row.read(0))?;
    Ok((version > 0 && version < newest_format() as i64).then(newest_format))
}

/// The format it has; where it tells none that is known, the newest.
pub(crate) fn read_version(conn: &Connection) -> rusqlite::Result<usize> {
    let version: i64 = conn.pragma_query_value(None, "user_version", |row| row.read(0))?;
    Ok(usize::try_from(version)
        .ok()
        .filter(|version| (FIRST_FORMAT..=newest_format()).contains(version))
        .unwrap_or_else(newest_format))
}

/// A small value by its key, of a file that may have no tables yet.
pub(crate) fn read_meta<T: FromColumn>(
    conn: &Connection,
    key: &str,
) -> rusqlite::Result<Option<T>> {
    let has_meta = "SELECT 1 FROM sqlite_schema WHERE name = 'meta'";
    if !conn.prepare(has_meta)?.exists([])? {
        return Ok(None);
    }
    let find = "SELECT value FROM meta WHERE key = ?1";
    conn.query_row(find, [key], |row| row.read(0)).optional()
}

/// The tables that hold rows of their own; what belongs to the full-text index is SQLite's.
pub(crate) fn list_tables(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut find = conn.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'words%' AND name <> 'word_counts'
         ORDER BY name",
    )?;
    find.query_map([], |row| row.read(0))?.collect()
}

pub(crate) fn find_missing(conn: &Connection) -> rusqlite::Result<Option<String>> {
    let shape = |conn: &Connection| -> rusqlite::Result<BTreeSet<String>> {
        let mut find = conn.prepare(
            "SELECT type || ' ' || name || ' of ' || tbl_name FROM sqlite_schema
             UNION ALL SELECT 'column ' || c.name || ' ' || c.type || ' of ' || t.name
             FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'",
        )?;
        find.query_map([], |row| row.read(0))?.collect()
    };
    let mut new = Connection::open_in_memory()?;
    migrate_to(&mut new, read_version(conn)?)?;
    let found = shape(conn)?;
    Ok(shape(&new)?.into_iter().find(|part| !found.contains(part)))
}

/// The kinds of a table's columns, in their order, as they were declared.
pub(crate) fn read_column_kinds(conn: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut find = conn.prepare("SELECT type FROM pragma_table_info(?1) ORDER BY cid")?;
    find.query_map(params![table], |row| row.read(0))?.collect()
}

pub(crate) fn migrate(conn: &mut Connection) -> rusqlite::Result<()> {
    migrate_to(conn, newest_format())
}

/// Puts in what no database is without, where it could not be read out of a damaged one: the counter, which must be above
/// every number given so far, and the key of people's preferences.
pub(crate) fn fill_missing_rows(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch(
        "INSERT INTO counter SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM counter);
         DELETE FROM counter WHERE rowid > (SELECT min(rowid) FROM counter);
         UPDATE counter SET arrival = max(
             arrival, (SELECT coalesce(max(arrival), 0) FROM messages),
             (SELECT coalesce(max(arrival), 0) FROM tombstones), (SELECT coalesce(max(arrival), 0) FROM reactions),
             (SELECT coalesce(max(cursor), 0) FROM outbox));
         INSERT OR IGNORE INTO meta VALUES ('preferences.key', lower(hex(randomblob(32))));",
    )
}

/// Brings a database to a format. All steps in one transaction: whoever is cut off in it left what was there before.
pub(crate) fn migrate_to(conn: &mut Connection, format: usize) -> rusqlite::Result<()> {
    let version: i64 = conn.pragma_query_value(None, "user_version", |row| row.read(0))?;
    let known = usize::try_from(version).unwrap_or(0);
    let taken = known.saturating_sub(FIRST_FORMAT - 1);
    let wanted = format.saturating_sub(FIRST_FORMAT - 1);
    let steps: Vec<String> = list_steps().take(wanted).skip(taken).collect();
    if steps.is_empty() {
        return Ok(());
    }
    let transaction = conn.transaction()?;
    transaction.execute_batch(&steps.concat())?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    let reached = FIRST_FORMAT - 1 + taken + steps.len();
    transaction.pragma_update(None, "user_version", reached as i64)?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_has_the_newest_format_is_left_as_it_is() {
        let mut conn = Connection::open_in_memory().expect("opened");
        migrate(&mut conn).expect("made");
        let key = |conn: &Connection| -> String {
            conn.query_row(
                "SELECT value FROM meta WHERE key = 'preferences.key'",
                [],
                |row| row.read(0),
            )
            .expect("made")
        };
        let first = key(&conn);
        assert_eq!(first.len(), 64);
        migrate(&mut conn).expect("nothing to do");
        assert_eq!(key(&conn), first, "made once");
        assert_eq!(find_missing(&conn).expect("looked"), None);
        let next = |conn: &Connection| next_format(conn).expect("looked");
        assert_eq!(next(&conn), None);
        conn.pragma_update(None, "user_version", newest_format() as i64 - 1)
            .expect("set");
        assert_eq!(
            next(&conn),
            Some(newest_format()),
            "it is kept before a step"
        );
    }

    #[test]
    fn formats_that_no_release_had_are_refused_with_a_way_out() {
        let path = Path::new("data/kith.db");
        assert!(check_format(0, path).is_ok() && check_format(FIRST_FORMAT as i64, path).is_ok());
        let error = check_format(7, path).expect_err("refused").to_string();
        assert!(
            error.contains("data/kith.db") && error.contains("format 7"),
            "{error}"
        );
        assert!(matches!(
            check_format(newest_format() as i64 + 1, path),
            Err(StoreError::Newer { .. })
        ));
    }
}
