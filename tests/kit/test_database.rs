//! Where the process of a test keeps its database, and a look into it behind its back: SQLite's file or, where
//! `KITH_TEST_ENGINE=postgres` asks for it, a schema of its own on the server of the tests. Statements are such as both
//! engines read. Never opens the store itself: it is to be seen as somebody else sees it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use crate::postgres::{HeldSession, PostgresSchema, PostgresServer};
use crate::{PATIENCE, read_asked, say_skipped};

/// The variable that is `store.url` of the settings.
pub(crate) const VARIABLE: &str = "KITH__STORE__URL";
static SCHEMAS: Mutex<BTreeMap<PathBuf, PostgresSchema>> = Mutex::new(BTreeMap::new());

fn schemas() -> MutexGuard<'static, BTreeMap<PathBuf, PostgresSchema>> {
    SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The server that tests are to run on; none where SQLite is meant.
fn find_server() -> Option<&'static PostgresServer> {
    match read_asked::<String>("KITH_TEST_ENGINE")?.as_str() {
        "" | "sqlite" => None,
        // Who asks for it does not want to hear that all is well on another engine.
        "postgres" => Some(
            PostgresServer::shared()
                .expect("KITH_TEST_ENGINE asks for PostgreSQL, which is not installed"),
        ),
        other => panic!("KITH_TEST_ENGINE is `{other}`, and can be `sqlite` or `postgres`"),
    }
}

/// Whether a test has to be left out, with a word, because it is about SQLite's file and another engine is asked for.
pub fn is_skipped_off_the_file() -> bool {
    let is_skipped = find_server().is_some();
    if is_skipped {
        say_skipped("this is about the file");
    }
    is_skipped
}

/// Gives a folder a schema where that engine is asked for and nothing else says where its database is.
pub(crate) fn give_schema(dir: &Path, files: &[(&str, &str)], environment: &[(&str, &str)]) {
    let is_placed = files.iter().any(|(_, text)| names_store(text))
        || environment
            .iter()
            .any(|(name, _)| name.starts_with("KITH__STORE__"));
    if let Some(server) = find_server().filter(|_| !is_placed) {
        let schema = server.make_schema();
        schemas().insert(dir.to_path_buf(), schema);
    }
}

fn names_store(settings: &str) -> bool {
    settings.lines().any(|line| line.trim() == "[store]")
}

pub(crate) fn take_schema(dir: &Path) {
    let taken = schemas().remove(dir);
    if let Some((schema, server)) = taken.zip(find_server()) {
        // The server itself ends with the tests: this only keeps it small.
        let _ = server.try_sql(&format!("DROP SCHEMA IF EXISTS {} CASCADE", schema.name));
    }
}

pub struct TestDatabase {
    file: PathBuf,
    schema: Option<(&'static PostgresServer, PostgresSchema)>,
}

/// Nobody else changes anything as long as it is there.
pub enum DatabaseLock {
    File(Connection),
    Server(HeldSession),
}

impl TestDatabase {
    /// That of a folder in which the program runs.
    pub fn of(dir: &Path) -> Self {
        let schema = schemas().get(dir).cloned();
        Self {
            file: dir.join("data/kith.db"),
            schema: find_server().zip(schema),
        }
    }

    pub fn url(&self) -> Option<&str> {
        self.schema.as_ref().map(|(_, schema)| &*schema.url)
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    fn connect(&self) -> Connection {
        let connection = Connection::open(&self.file).expect("opened");
        connection.busy_timeout(PATIENCE).expect("it waits");
        connection
    }

    /// What a question answers: each row's columns with `|` between them.
    pub fn rows(&self, sql: &str) -> Vec<String> {
        if let Some((server, schema)) = &self.schema {
            return server.read_rows(&schema.name, sql);
        }
        let connection = self.connect();
        let mut question = connection.prepare(sql).expect(sql);
        let columns = question.column_count();
        let rows = question.query_map([], |row| {
            let cells: Result<Vec<String>, _> = (0..columns).map(|at| to_text(row, at)).collect();
            Ok(cells?.join("|"))
        });
        rows.expect(sql).map(|row| row.expect(sql)).collect()
    }

    pub fn first(&self, sql: &str) -> Option<String> {
        self.rows(sql).into_iter().next()
    }

    pub fn number(&self, sql: &str) -> i64 {
        let told = self.first(sql).expect(sql);
        told.parse().expect("a number")
    }

    /// Runs a statement that changes rows; answers how many.
    pub fn change(&self, sql: &str) -> usize {
        match &self.schema {
            None => self.connect().execute(sql, []).expect(sql),
            Some((server, schema)) => {
                let counted =
                    format!("WITH changed AS ({sql} RETURNING 1) SELECT count(*) FROM changed");
                let told = server.read_rows(&schema.name, &counted);
                told[0].parse().expect("a number")
            }
        }
    }

    /// Runs statements, which each engine has its own for.
    pub fn run(&self, in_file: &str, on_server: &str) {
        match &self.schema {
            None => self.connect().execute_batch(in_file).expect(in_file),
            Some((server, schema)) => drop(server.read_rows(&schema.name, on_server)),
        }
    }

    /// From now on everybody else may read and nobody may write, until the lock is dropped.
    pub fn lock(&self) -> DatabaseLock {
        match &self.schema {
            None => {
                let connection = self.connect();
                connection.execute_batch("BEGIN IMMEDIATE").expect("begun");
                DatabaseLock::File(connection)
            }
            Some((server, schema)) => DatabaseLock::Server(server.hold_tables(&schema.name)),
        }
    }

    /// The rows on a server that hold these bytes; none of a file, whose bytes are looked through.
    pub(crate) fn find_rows(&self, wanted: &[u8]) -> Vec<String> {
        match &self.schema {
            None => Vec::new(),
            Some((server, schema)) => server.find_rows(&schema.name, wanted),
        }
    }
}

fn to_text(row: &Row<'_>, at: usize) -> rusqlite::Result<String> {
    Ok(match row.get_ref(at)? {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    })
}
