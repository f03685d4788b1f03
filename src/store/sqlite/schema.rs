//! The tables, and how an older database becomes a newer one: all steps in one transaction, never backwards.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;

use crate::error::StoreError;
use crate::values::{ReadRow, params};

/// `Kith` in the file header, so that another program's database is not taken for ours.
const APPLICATION_ID: i32 = 0x4B69_7468;
/// How large the pages of Kith's databases are: SQLite's default.
pub(crate) const PAGE_BYTES: usize = 4096;
/// The part of a SQLite file that is looked at before it is opened.
pub(crate) const HEADER_BYTES: u64 = 100;

/// The formats below this one were those of builds before the first release: no steps lead out of them.
const FIRST_FORMAT: usize = 20;

/// Step `n` brings a database to format `FIRST_FORMAT + n`; the first makes a new one. A step that was released is never
/// changed: what comes later is a further step.
const STEPS: &[&str] = &[SCHEMA, TURN_SIGNATURES];

const NEWEST: usize = FIRST_FORMAT + STEPS.len() - 1;

/// Ids are the platform's numbers; times are milliseconds since 1970, UTC. The arrival number of a message is its row; what
/// else arrives takes a number from the same counter.
///
/// The index `words` holds no text, only words, and is told what to take out again; with `secure-delete` it then really
/// forgets, but for what its pages begin with (`renew_index`). Its `scope` is the channel, so that a search never ranks
/// what it may not show.
///
/// | table | what is not plain |
/// |---|---|
/// | `outbox` | `answers`: ids of the messages an action answers, a JSON list, as long as it is pending; `state`: see `journal.rs` |
/// | `core_memory` | `max_chars`: the block's size limit |
/// | `model_usage` | a model call and what it cost |
/// | `preferences` | no id, only its hash with the key in `meta`, which is made here, once |
/// | `forgotten` | until which arrival number somebody is forgotten in a channel, 0 for all; `person` as in `preferences` |
/// | `tombstones` | of messages; of channel 0, of memories that somebody erased |
/// | `erased_places` | channels and guilds, as in `manual_overrides`: what a backup from before `at` holds of them is to go |
/// | `read_positions`, `guild_read_positions` | the newest message that was read there |
/// | `log_messages` | which message of a log channel tells of which message or turn; turn 0 is none |
/// | `decisions` | `message_decision`: how a message was scored; `report`: what was decided on it; `turn`: the one it woke or was said by |
/// | `turns` | `turns_with_faults` looks for what only the report's own words say: in a text its quotes are escaped |
/// | `intents` | `after` is an arrival number; `reminder` says whom for, and who asked |
/// | `proposals` | `subject`: what is to be done; `answered`: what came of it, shortened; `reported`: whether the companion knows |
/// | `tool_data` | `value` is JSON |
/// | `summaries` | `since` and `until` are the first and the last message it was made from |
/// | `sessions` | `source` is the channel one was asked for in, `parent_channel` the one its own hangs below |
/// | `stickers` | pictures of messages that moderators keep |
/// | `memories` | `person` is whom a fact is about, `said_by` whose word it is; `at` is when its newest source was said |
/// | `memory_people` | who is in a memory besides |
/// | `memory_sources` | all of one memory stand in its channel; the author outlives the message |
/// | `consolidated` | up to which message a channel was turned into memories |
/// | `core_memory_versions` | the newest ones, with what the block says now; `dates` says when each line was written |
/// | `departed_members` | when it was looked whether who is quiet is still in a guild, and since when they are not |
/// | `former_authors` | who wrote messages that are gone: `first` is when, `last` until when a prompt may have shown them |
/// | `vector_models` | `dimensions`: how many numbers a vector of it has, once there is one |
/// | `message_vectors` | `vector`: a byte a number; NULL where it has to be made anew. Triggers take it with its message or its text, whoever changes that, so that none outlives what it was made of |
/// | `vector_coverage` | the messages of a channel that were looked through: those that have no vector need none |
/// | `word_counts` | in how many messages a word stands: read from the index, nothing of its own |
const SCHEMA: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('preferences.key', lower(hex(randomblob(32))));
CREATE TABLE counter (arrival INTEGER NOT NULL);
INSERT INTO counter VALUES (0);

CREATE TABLE channels (
    id INTEGER PRIMARY KEY, guild INTEGER, name TEXT NOT NULL, topic TEXT NOT NULL, kind INTEGER NOT NULL,
    parent INTEGER
);
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind INTEGER NOT NULL);

CREATE TABLE messages (
    arrival INTEGER PRIMARY KEY, channel INTEGER NOT NULL, id INTEGER NOT NULL, at INTEGER NOT NULL,
    author INTEGER NOT NULL, author_name TEXT NOT NULL, author_kind INTEGER NOT NULL,
    reply_to INTEGER, mentions TEXT, edited INTEGER, nonce TEXT, text TEXT NOT NULL
);
CREATE UNIQUE INDEX messages_by_id ON messages (channel, id);
CREATE INDEX messages_by_time ON messages (at);
CREATE UNIQUE INDEX messages_by_nonce ON messages (nonce) WHERE nonce IS NOT NULL;
CREATE VIRTUAL TABLE words USING fts5 (scope, text, content = '', tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(0.0, 1.0)');
CREATE VIRTUAL TABLE word_counts USING fts5vocab(words, row);

CREATE TABLE tombstones (
    channel INTEGER NOT NULL, id INTEGER NOT NULL, arrival INTEGER NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (channel, id)
) WITHOUT ROWID;
CREATE TABLE erased_places (place TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE reactions (
    channel INTEGER NOT NULL, message INTEGER NOT NULL, user INTEGER NOT NULL, emoji TEXT NOT NULL,
    arrival INTEGER NOT NULL, at INTEGER NOT NULL, user_name TEXT NOT NULL, user_kind INTEGER NOT NULL,
    PRIMARY KEY (channel, message, user, emoji)
) WITHOUT ROWID;
CREATE TABLE read_positions (channel INTEGER PRIMARY KEY, message INTEGER NOT NULL);
CREATE TABLE guild_read_positions (guild INTEGER PRIMARY KEY, message INTEGER NOT NULL);

CREATE TABLE channel_states (channel INTEGER PRIMARY KEY, state TEXT NOT NULL, saved_at INTEGER NOT NULL);
CREATE TABLE intents (
    channel INTEGER NOT NULL, id INTEGER NOT NULL, made INTEGER NOT NULL, after INTEGER NOT NULL,
    expires INTEGER NOT NULL, person INTEGER, name TEXT NOT NULL, word TEXT, silence INTEGER, time INTEGER,
    note TEXT NOT NULL, fired TEXT, reminder TEXT, PRIMARY KEY (channel, id)
) WITHOUT ROWID;
CREATE TABLE outbox (
    nonce TEXT PRIMARY KEY, turn INTEGER, part INTEGER NOT NULL, channel INTEGER NOT NULL, action TEXT,
    cursor INTEGER NOT NULL, journaled_at INTEGER NOT NULL, state INTEGER NOT NULL, message INTEGER, answers TEXT
);
CREATE INDEX outbox_by_channel ON outbox (channel, cursor);
CREATE INDEX outbox_pending ON outbox (journaled_at) WHERE state = 0;

CREATE TABLE decisions (arrival INTEGER PRIMARY KEY, message_decision TEXT, report TEXT, turn INTEGER);
CREATE INDEX decisions_by_turn ON decisions (turn) WHERE turn IS NOT NULL;
CREATE TABLE turns (
    turn INTEGER PRIMARY KEY, channel INTEGER NOT NULL, started INTEGER NOT NULL, ended INTEGER NOT NULL,
    report TEXT NOT NULL, prompts TEXT
);
CREATE INDEX turns_by_channel ON turns (channel, turn);
CREATE INDEX turns_by_end ON turns (ended);
CREATE INDEX turns_with_faults ON turns (turn) WHERE
    instr(report, '\"failure\":{') + instr(report, '\"is_error\":true') + instr(report, '\"outcome\":{\"failed\"') > 0;
CREATE TABLE model_usage (
    at INTEGER NOT NULL, model TEXT NOT NULL, channel INTEGER NOT NULL, function TEXT NOT NULL, calls INTEGER NOT NULL,
    prompt INTEGER NOT NULL, cached INTEGER NOT NULL, completion INTEGER NOT NULL, cost REAL NOT NULL
);
CREATE INDEX model_usage_by_time ON model_usage (at);
CREATE TABLE log_messages (
    log INTEGER NOT NULL, message INTEGER NOT NULL, turn INTEGER NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (log, message, turn)
) WITHOUT ROWID;
CREATE INDEX log_messages_by_turn ON log_messages (turn);
CREATE INDEX log_messages_by_time ON log_messages (at);

CREATE TABLE core_memory (
    scope TEXT NOT NULL, label TEXT NOT NULL, text TEXT NOT NULL, max_chars INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (scope, label)
) WITHOUT ROWID;
CREATE TABLE todos (channel INTEGER PRIMARY KEY, list TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE summaries (
    channel INTEGER PRIMARY KEY, since INTEGER NOT NULL, until INTEGER NOT NULL, text TEXT NOT NULL, started INTEGER NOT NULL
);
CREATE TABLE tool_data (
    scope TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (scope, key)
) WITHOUT ROWID;
CREATE TABLE stickers (
    guild INTEGER NOT NULL, name TEXT NOT NULL COLLATE NOCASE, channel INTEGER NOT NULL, message INTEGER NOT NULL,
    at INTEGER NOT NULL, author INTEGER NOT NULL, ending TEXT NOT NULL, file BLOB NOT NULL, UNIQUE (guild, name)
);
CREATE UNIQUE INDEX stickers_by_message ON stickers (channel, message);

CREATE TABLE manual_overrides (
    place TEXT NOT NULL, about TEXT NOT NULL, choice TEXT NOT NULL, chosen_by INTEGER, at INTEGER NOT NULL,
    PRIMARY KEY (place, about)
) WITHOUT ROWID;
CREATE TABLE preferences (person BLOB PRIMARY KEY, preference TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE forgotten (
    person BLOB NOT NULL, channel INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (person, channel)
) WITHOUT ROWID;
CREATE TABLE proposals (
    id INTEGER PRIMARY KEY, turn INTEGER NOT NULL, call INTEGER NOT NULL, channel INTEGER NOT NULL,
    subject TEXT NOT NULL, made INTEGER NOT NULL, expires INTEGER NOT NULL, state TEXT NOT NULL,
    is_open INTEGER NOT NULL, decided_by INTEGER, decider TEXT, decided INTEGER, answered TEXT NOT NULL,
    log INTEGER, message INTEGER, reported INTEGER NOT NULL, UNIQUE (turn, call)
);
CREATE INDEX proposals_open ON proposals (id) WHERE is_open = 1;
CREATE INDEX proposals_unreported ON proposals (channel) WHERE reported = 0;
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, guild INTEGER NOT NULL, channel INTEGER UNIQUE, source INTEGER NOT NULL,
    parent_channel INTEGER NOT NULL, parent INTEGER, turn INTEGER NOT NULL, cursor INTEGER NOT NULL, made INTEGER NOT NULL,
    label TEXT NOT NULL, opening TEXT, config TEXT NOT NULL, sources TEXT NOT NULL, summary TEXT
);
CREATE INDEX sessions_by_source ON sessions (source, cursor);

CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, channel INTEGER NOT NULL, person INTEGER,
    said_by INTEGER, text TEXT NOT NULL, at INTEGER NOT NULL, due INTEGER, confidence REAL NOT NULL,
    importance REAL NOT NULL, origin INTEGER NOT NULL, superseded_by INTEGER, uses INTEGER NOT NULL, used_at INTEGER
);
CREATE INDEX memories_by_channel ON memories (channel, kind);
CREATE INDEX memories_by_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE TABLE memory_people (
    memory INTEGER NOT NULL, person INTEGER NOT NULL, PRIMARY KEY (memory, person)
) WITHOUT ROWID;
CREATE TABLE memory_sources (
    channel INTEGER NOT NULL, message INTEGER NOT NULL, memory INTEGER NOT NULL, author INTEGER NOT NULL,
    PRIMARY KEY (channel, message, memory)
) WITHOUT ROWID;
CREATE INDEX memory_sources_by_memory ON memory_sources (memory);
CREATE TABLE consolidated (channel INTEGER PRIMARY KEY, until INTEGER NOT NULL);
CREATE TABLE core_memory_versions (
    scope TEXT NOT NULL, label TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL,
    dates TEXT NOT NULL, PRIMARY KEY (scope, label, number)
) WITHOUT ROWID;

CREATE TABLE departed_members (
    guild INTEGER NOT NULL, person INTEGER NOT NULL, checked INTEGER NOT NULL, absent_since INTEGER,
    PRIMARY KEY (guild, person)
) WITHOUT ROWID;
CREATE TABLE former_authors (
    person INTEGER NOT NULL, channel INTEGER NOT NULL, name TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (person, channel, name)
) WITHOUT ROWID;

CREATE TABLE vector_models (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, dimensions INTEGER);
CREATE TABLE message_vectors (
    channel INTEGER NOT NULL, arrival INTEGER NOT NULL, model INTEGER NOT NULL, vector BLOB,
    PRIMARY KEY (channel, arrival, model)
) WITHOUT ROWID;
CREATE INDEX message_vectors_missing ON message_vectors (model, channel) WHERE vector IS NULL;
CREATE TABLE vector_coverage (
    channel INTEGER NOT NULL, model INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (channel, model)
) WITHOUT ROWID;
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

/// `told` and `shown`: what a turn says, and what its prompts showed, as bits (`turn_signatures.rs`).
const TURN_SIGNATURES: &str = "
CREATE TABLE turn_signatures (turn INTEGER PRIMARY KEY, channel INTEGER NOT NULL, told BLOB NOT NULL, shown BLOB NOT NULL);
CREATE TRIGGER signature_of_changed_turn AFTER UPDATE OF report, prompts ON turns BEGIN
    DELETE FROM turn_signatures WHERE turn = old.turn;
END;
CREATE TRIGGER signature_of_deleted_turn AFTER DELETE ON turns BEGIN
    DELETE FROM turn_signatures WHERE turn = old.turn;
END;
";

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
    let (oldest, newest) = (FIRST_FORMAT as i64, NEWEST as i64);
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
    Ok((version > 0 && version < NEWEST as i64).then_some(NEWEST))
}

/// The format it has; where it tells none that is known, the newest.
pub(crate) fn read_version(conn: &Connection) -> rusqlite::Result<usize> {
    let version: i64 = conn.pragma_query_value(None, "user_version", |row| row.read(0))?;
    Ok(usize::try_from(version)
        .ok()
        .filter(|version| (FIRST_FORMAT..=NEWEST).contains(version))
        .unwrap_or(NEWEST))
}

/// The tables that hold rows of their own; what belongs to the full-text index is SQLite's.
pub(crate) fn list_tables(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut find = conn.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'words%' AND name <> 'word_counts'
         ORDER BY name",
    )?;
    find.query_map([], |row| row.read(0))?.collect()
}

/// What is missing of a database that every one of its format has.
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

/// Brings the database to the newest format.
pub(crate) fn migrate(conn: &mut Connection) -> rusqlite::Result<()> {
    run_migrations(conn, STEPS)
}

/// Brings a new database to an older format.
pub(crate) fn migrate_to(conn: &mut Connection, version: usize) -> rusqlite::Result<()> {
    run_migrations(
        conn,
        &STEPS[..version.saturating_sub(FIRST_FORMAT - 1).min(STEPS.len())],
    )
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

/// All steps in one transaction: whoever is cut off in it left what was there before.
fn run_migrations(conn: &mut Connection, steps: &[&str]) -> rusqlite::Result<()> {
    let version: i64 = conn.pragma_query_value(None, "user_version", |row| row.read(0))?;
    let taken = usize::try_from(version)
        .unwrap_or(0)
        .saturating_sub(FIRST_FORMAT - 1);
    let Some(steps) = steps.get(taken..).filter(|steps| !steps.is_empty()) else {
        return Ok(());
    };
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
        conn.pragma_update(None, "user_version", NEWEST as i64 - 1)
            .expect("set");
        assert_eq!(next(&conn), Some(NEWEST), "it is kept before a step");
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
            check_format(NEWEST as i64 + 1, path),
            Err(StoreError::Newer { .. })
        ));
    }
}
