//! Moving a database from a file to a server and back.

mod cut_off;
mod filled_tables;
mod refusals;

use kith_core::chat::MemoryId;
use kith_core::memory_entry::{
    MemoryContent, MemoryDraft, MemoryKind, MemoryOrigin, MemoryOutcome,
};
use kith_core::session::SessionStart;
use kith_store::{
    DatabasePlace, MemoryBatch, MigrationError, MigrationProgress, MigrationStep, MigrationSummary,
    migrate,
};
use kith_testkit::postgres::PostgresSchema;

use super::sessions::{put, session};
use super::*;
use filled_tables::{MESSAGES, fill_every_table, list_tables, read_rows};

/// A server's database that nobody else uses, and a folder; none, with a word why, where no server is installed.
struct MigrationTest {
    server: &'static PostgresServer,
    folder: tempfile::TempDir,
}

impl MigrationTest {
    fn new() -> Option<Self> {
        Some(Self {
            server: PostgresServer::shared()?,
            folder: tempfile::tempdir().expect("a folder"),
        })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn on_server(schema: &PostgresSchema) -> DatabasePlace {
    DatabasePlace::Server(Box::new(schema.url.parse().expect("an address")))
}

fn in_file(path: &Path) -> DatabasePlace {
    DatabasePlace::File(path.into())
}

/// Moves a database that nobody has. Programs that other tests start hold the locks of this process until they run: a lock
/// may be let go of a moment late.
fn try_to_move(
    from: &DatabasePlace,
    to: &DatabasePlace,
    on_progress: &mut dyn FnMut(MigrationProgress),
) -> Result<MigrationSummary, MigrationError> {
    loop {
        match migrate(from, to, on_progress) {
            Err(MigrationError::Store(StoreError::InUse { .. })) => std::thread::yield_now(),
            done => return done,
        }
    }
}

fn move_all(from: &DatabasePlace, to: &DatabasePlace) -> MigrationSummary {
    try_to_move(from, to, &mut |_| {}).expect("moved")
}

/// Opens a database that nobody has.
fn try_to_open(place: &DatabasePlace) -> Result<Store, StoreError> {
    loop {
        match place.open() {
            Err(StoreError::InUse { .. }) => std::thread::yield_now(),
            opened => return opened,
        }
    }
}

fn open_file(path: &Path) -> Store {
    try_to_open(&in_file(path)).expect("opened")
}

fn open_server(schema: &PostgresSchema) -> Store {
    try_to_open(&on_server(schema)).expect("opened")
}

/// Runs a statement in a database on the server.
fn run(server: &PostgresServer, schema: &PostgresSchema, sql: &str) -> String {
    server.run_sql(&format!("SET search_path TO {}; {sql}", schema.name))
}

fn remember(store: &Store, text: &str, source: u64) -> MemoryId {
    let draft = MemoryDraft {
        content: MemoryContent {
            person: Some(UserId(1)),
            said_by: Some(UserId(1)),
            text: text.into(),
            sources: vec![MessageId(source)],
            ..MemoryContent::new(MemoryKind::About, TALK, MemoryOrigin::Companion)
        },
        supersedes: Vec::new(),
    };
    let batch = MemoryBatch {
        drafts: vec![draft],
        begun: 500_000,
        consolidated: None,
    };
    match store.put_memories(batch).wait().expect("put")[..] {
        [MemoryOutcome::Kept(id)] => id,
        ref other => panic!("not kept: {other:?}"),
    }
}

#[test]
fn every_row_of_every_table_is_there_after_the_way_to_a_server_and_back() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let (first, second) = (test.file("first.db"), test.file("second.db"));
    fill_every_table(&first);
    let before = read_rows(&first);
    let schema = test.server.make_schema();
    let there = move_all(&in_file(&first), &on_server(&schema));
    assert_eq!(read_rows(&first), before, "what is copied is not changed");
    let back = move_all(&on_server(&schema), &in_file(&second));
    assert_eq!(read_rows(&second), before);
    assert_eq!(there, back);
    assert_eq!(there.messages, MESSAGES as u64);
    assert_eq!((there.channels, there.people, there.memories), (3, 3, 3));
    assert_eq!(there.rows, before.len() as u64);
    let conn = rusqlite::Connection::open(&second).expect("opened");
    for table in list_tables(&conn) {
        let filled = before
            .iter()
            .filter(|row| row.starts_with(&format!("{table}: ")));
        assert!(filled.count() > 0, "{table} was never tried");
    }
}

#[test]
fn words_are_found_after_the_move_as_if_each_message_had_just_arrived() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let lines = [
        "the tangerine tram leaves at noon",
        "小花猫 is asleep 🐈",
        "exams, exams: Café o'clock",
        "a\0b",
        "",
    ];
    let events = || {
        let lines = (1..).zip(lines);
        lines.map(|(id, line)| said(TALK, id, line)).collect()
    };
    let path = test.file("kith.db");
    store_all(&open_file(&path), events());
    let (moved, appended) = (test.server.make_schema(), test.server.make_schema());
    move_all(&in_file(&path), &on_server(&moved));
    store_all(&open_server(&appended), events());
    for held in [
        "SELECT arrival, channel, words FROM words ORDER BY arrival",
        "SELECT term, doc FROM word_counts ORDER BY term",
    ] {
        let moved = run(test.server, &moved, held);
        assert_eq!(moved, run(test.server, &appended, held));
    }
    let back = test.file("back.db");
    move_all(&on_server(&moved), &in_file(&back));
    for store in [open_server(&moved), open_file(&back)] {
        let found =
            ["tram", "花猫", "花", "exam", "cafe", "nothing"].map(|word| find(&store, word));
        assert_eq!(found, [vec![1], vec![2], vec![2], vec![3], vec![3], vec![]]);
        store_all(&store, vec![edited(TALK, 1, "the plum tram")]);
        assert_eq!(
            (find(&store, "plum"), find(&store, "tangerine")),
            (vec![1], vec![])
        );
        store_all(&store, vec![said(TALK, 9, "a tram")]);
        assert_eq!(find(&store, "tram"), [1, 9]);
    }
    let counted = "SELECT term, doc FROM word_counts WHERE term IN ('plum', 'tram', 'tangerin') ORDER BY term";
    assert_eq!(run(test.server, &moved, counted), "plum|1\ntram|2");
    let has_index = format!(
        "SELECT count(*) FROM pg_indexes WHERE schemaname = '{}' AND indexname = 'words_by_word'",
        moved.name
    );
    assert_eq!(test.server.run_sql(&has_index), "1");
}

#[test]
fn numbers_go_on_after_the_move_and_none_of_a_row_that_is_gone_is_given_again() {
    let Some(test) = MigrationTest::new() else {
        return;
    };
    let path = test.file("kith.db");
    let store = open_file(&path);
    let stored = store_all(&store, (1..9).map(|id| said(TALK, id, "hm")).collect());
    remember(&store, "plays the viola", 1);
    let gone = remember(&store, "plays the drums", 2);
    assert!(store.delete_memory(gone).wait().expect("deleted"));
    let opened = put(&store, session("castle", SessionStart::None));
    drop(store);
    let (schema, back) = (test.server.make_schema(), test.file("back.db"));
    move_all(&in_file(&path), &on_server(&schema));
    move_all(&on_server(&schema), &in_file(&back));
    for store in [open_server(&schema), open_file(&back)] {
        let next = remember(&store, "plays the harp", 3);
        assert_eq!(next.0, gone.0 + 1);
        let session = put(&store, session("garden", SessionStart::None));
        assert_eq!(session.id.0, opened.id.0 + 1);
        let first = store.journal(outgoing("b", 1)).wait().expect("journaled");
        assert_eq!(first, JournalOutcome::New);
        store.journal(outgoing("a", 1)).wait().expect("journaled");
        let after = store_all(&store, vec![said(TALK, 9, "hm")]);
        assert!(after[0].arrival > stored[7].arrival);
    }
}
