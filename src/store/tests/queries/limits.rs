//! A query reads what it may and no more: nothing is changed, and rows, bytes and time are bounded.

use super::*;

/// Statements that try to get out, and a word of the refusal.
const HOSTILE: &[(&str, &str)] = &[
    ("DROP TABLE messages", "only read"),
    ("SELECT 1; DROP TABLE messages", "only read"),
    ("SELECT 1; SELECT 2", "one statement"),
    ("SELECT text FROM messages; --", ""),
    ("DELETE FROM messages", "is a view"),
    ("INSERT INTO messages (id) VALUES (1)", "only read"),
    ("UPDATE main.messages SET text = ''", "only read"),
    ("WITH x AS (SELECT 1) DELETE FROM main.messages", "only read"),
    ("CREATE TEMP TABLE t (x)", "only read"),
    ("CREATE TEMP VIEW v AS SELECT * FROM main.messages", "only read"),
    ("REPLACE INTO temp.reach VALUES (12, 0)", "only read"),
    ("SELECT channel FROM reach", "may not read `reach`"),
    ("SELECT scope FROM reach_key", "may not read"),
    ("SELECT text FROM main.messages", "may not read `messages`"),
    ("SELECT count(*) FROM main.messages", "may not read `messages`"),
    ("SELECT 1 FROM main.messages", "may not read `messages`"),
    ("SELECT text FROM messages UNION ALL SELECT text FROM main.messages", "may not read `messages`"),
    ("SELECT text FROM messages UNION SELECT value FROM meta", "may not read `meta`"),
    ("WITH messages AS (SELECT * FROM main.messages) SELECT text FROM messages", "may not read `messages`"),
    ("WITH notes AS (SELECT * FROM core_memory) SELECT text FROM notes", "may not read `core_memory`"),
    ("SELECT text FROM (SELECT * FROM core_memory) AS notes", "may not read `core_memory`"),
    ("SELECT (SELECT text FROM main.messages m WHERE m.id = messages.id) FROM messages", "may not read `messages`"),
    ("SELECT text FROM messages WHERE EXISTS (SELECT 1 FROM core_memory)", "may not read `core_memory`"),
    ("WITH \"\u{1}\" AS (SELECT * FROM main.messages) SELECT * FROM \"\u{1}\"", "control character"),
    ("SELECT count(*) FROM Core_Memory", "may not read `Core_Memory`"),
    ("SELECT count(*) FROM main.Messages", "may not read `Messages`"),
    ("SELECT count(*) FROM words_data", "may not read"),
    ("SELECT count(*) FROM reach", "may not read"),
    ("SELECT count(*) FROM SQLITE_SCHEMA", "may not read"),
    ("SELECT count(*) FROM dbstat", "may not read"),
    ("SELECT 1 FROM messages, meta", "may not read `meta`"),
    ("SELECT text FROM main.core_memory", "may not read `core_memory`"),
    ("SELECT sql FROM sqlite_schema", "may not read `sqlite_master`"),
    ("SELECT sql FROM sqlite_temp_schema", "may not read `sqlite_temp_master`"),
    ("SELECT sql FROM main.sqlite_master", "may not read `sqlite_master`"),
    ("SELECT * FROM pragma_table_info('messages')", "may not read `pragma_table_info`"),
    ("SELECT count(*) FROM pragma_database_list", "may not read `pragma_database_list`"),
    ("SELECT * FROM dbstat", "may not read `dbstat`"),
    ("SELECT * FROM words", "may not read `words"),
    ("SELECT text FROM words WHERE words MATCH 'a'", "may not"),
    ("SELECT rowid FROM main.tool_data", "rowid"),
    ("SELECT m.text FROM messages JOIN main.messages m USING (id)", "may not read `messages`"),
    ("SELECT text FROM messages INDEXED BY messages_by_id", "no such index"),
    ("PRAGMA table_info(messages)", "only read"),
    ("PRAGMA query_only = 0", "only read"),
    ("ATTACH ':memory:' AS other", "only read"),
    ("ATTACH :file AS other", "only read"),
    ("DETACH main", "only read"),
    ("VACUUM INTO '/tmp/copy.db'", "answers with rows"),
    ("REINDEX", "only read"),
    ("ANALYZE", "only read"),
    ("BEGIN", "only read"),
    ("ROLLBACK", "only read"),
    ("SAVEPOINT s", "only read"),
    ("EXPLAIN SELECT text FROM messages", "answers with rows"),
    ("EXPLAIN QUERY PLAN SELECT text FROM messages", "answers with rows"),
    ("SELECT load_extension('evil.so')", "may not call `load_extension`"),
    ("SELECT randomblob(1000000000)", "may not call `randomblob`"),
    ("SELECT zeroblob(1000000000)", "may not call `zeroblob`"),
    ("SELECT fts5(1)", "may not call"),
    ("SELECT sqlite_version()", "may not call"),
    ("SELECT last_insert_rowid()", "may not call"),
    ("SELECT printf('%1000000000d', 1)", "larger than"),
    ("SELECT replace(printf('%090000d', 0), '0', 'xxxxxxxxxx')", "larger than"),
    ("WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t", "longer than"),
    (
        "WITH RECURSIVE t(x) AS (SELECT printf('%090000d', 1) UNION ALL SELECT x FROM t) SELECT * FROM t ORDER BY x",
        "longer than",
    ),
    (
        "SELECT count(*) FROM messages a, messages b, messages c, messages d, messages e, messages f, messages g,
      messages h, messages i, messages j, messages k, messages l, messages m",
        "longer than",
    ),
    ("SELECT", "incomplete"),
    ("", "answers with rows"),
    ("-- nothing", "answers with rows"),
];

#[test]
fn a_query_that_tries_to_get_out_is_refused_and_changes_nothing() {
    let (_folder, path) = on_disk();
    for store in [Store::open_in_memory().expect("opened"), open(&path)] {
        filled(&store);
        let before = rows(&store, "SELECT group_concat(text) FROM messages");
        let mut wrong = Vec::new();
        for (sql, wanted) in HOSTILE {
            let begun = kith_system::clock::monotonic();
            let (answered, told) = match ask(&store, query(sql)) {
                Ok(answer) => (true, format!("{answer:?}")),
                Err(error) => (false, error.to_string()),
            };
            let is_as_wanted =
                answered == wanted.is_empty() && told.contains(wanted) && !told.contains(SECRET);
            if !is_as_wanted || begun.elapsed() > Duration::from_secs(5) {
                wrong.push(format!("{sql}: {told} ({:?})", begun.elapsed()));
            }
        }
        assert_eq!(wrong, [""; 0]);
        assert_eq!(
            rows(&store, "SELECT group_concat(text) FROM messages"),
            before
        );
    }
}

#[test]
fn the_answer_is_cut_at_its_rows_and_bytes() {
    let store = Store::open_in_memory().expect("opened");
    filled(&store);
    let many = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT x, printf('%01000d', x) FROM t";
    let answer = ask(
        &store,
        ToolQuery {
            rows: 7,
            ..query(many)
        },
    )
    .expect("answered");
    assert_eq!((answer.rows.len(), answer.is_cut), (7, true));
    let answer = ask(
        &store,
        ToolQuery {
            bytes: 3_500,
            ..query(many)
        },
    )
    .expect("answered");
    assert_eq!((answer.rows.len(), answer.is_cut), (3, true));
    let answer = ask(
        &store,
        ToolQuery {
            rows: 4,
            ..query("SELECT id FROM messages")
        },
    )
    .expect("answered");
    assert_eq!(
        (answer.rows.len(), answer.is_cut),
        (4, false),
        "there are four"
    );
}

#[test]
fn a_value_too_large_to_bind_is_refused() {
    let store = Store::open_in_memory().expect("opened");
    let mut large = query("SELECT length(:text)");
    large.params = vec![("text".into(), json!("x".repeat(2_000_000)))];
    assert_eq!(ask(&store, large), Err(QueryError::TooLarge));
}

#[test]
fn a_slow_query_holds_up_neither_writes_nor_reads() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    filled(&store);
    let endless =
        "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t";
    let slow = store.query(ToolQuery {
        time: Duration::from_secs(3),
        ..query(endless)
    });
    let begun = kith_system::clock::monotonic();
    store_all(&store, vec![said(TALK, 20, "meanwhile")]);
    assert_eq!(find(&store, "meanwhile"), [20]);
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(
        slow.wait().expect("asked"),
        Err(QueryError::TooSlow(Duration::from_secs(3)))
    );
}

#[test]
fn a_statement_is_judged_before_anybody_asks_it() {
    let wrong = |sql: &str, names: &[&str]| -> Vec<String> {
        check_query(sql, names, &["now"])
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    assert_eq!(
        wrong(
            "SELECT name FROM people WHERE last_at > :now - :days * 86400000",
            &["days"]
        ),
        [""; 0]
    );
    assert_eq!(
        wrong("SELECT name\nFROM poeple", &[]),
        ["no such table: poeple (line 2 of the query)"]
    );
    assert_eq!(
        wrong("SELECT name,\n  nmae\nFROM people", &[]),
        ["no such column: nmae (line 2 of the query)"]
    );
    assert_eq!(
        wrong("SELECT :limit", &["days"]),
        [
            "there is no parameter for `:limit`; there are :days, :now",
            "its parameter `days` is not used; write `:days` in it",
        ]
    );
    for form in ["SELECT ?", "SELECT ?1", "SELECT @now", "SELECT $now"] {
        assert_eq!(
            wrong(form, &[]),
            ["a value must be written as `:name`, after the parameter it takes"],
            "{form}"
        );
    }
    assert_eq!(wrong("SELECT text FROM main.messages", &[]).len(), 1);
}
