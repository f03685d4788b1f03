//! Questions of tools: they read what the scope shows and nothing else, whatever is written in them.

use std::time::Duration;

use kith_core::chat::{GuildId, Message};
use kith_store::{QueryError, QueryRows, QueryScope, ToolQuery, check_query};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

/// Somebody else's channel, with a word that must never be seen elsewhere.
const FOREIGN: ChannelId = ChannelId(12);
const SECRET: &str = "xylophone";

fn reach(channels: &[ChannelId]) -> QueryScope {
    QueryScope {
        channels: channels.to_vec(),
        after: Vec::new(),
        key: "guild:1".into(),
    }
}

fn query(sql: &str) -> ToolQuery {
    let time = Duration::from_millis(500);
    ToolQuery {
        sql: sql.into(),
        params: Vec::new(),
        reach: reach(&[TALK, OTHER]),
        rows: 50,
        bytes: 20_000,
        time,
    }
}

fn ask(store: &Store, query: ToolQuery) -> Result<QueryRows, QueryError> {
    store.query(query).wait().expect("asked")
}

fn rows(store: &Store, sql: &str) -> Vec<Vec<Value>> {
    ask(store, query(sql))
        .unwrap_or_else(|error| panic!("{sql}: {error}"))
        .rows
}

fn channel(id: ChannelId, name: &str, parent: Option<ChannelId>) -> IncomingEvent {
    let (guild, kind) = (Some(GuildId(1)), ChannelKind::Group);
    IncomingEvent::Channel(Channel {
        id,
        guild,
        name: name.into(),
        topic: "".into(),
        kind,
        parent,
    })
}

/// Two channels of a guild, and one of somebody else's in which everything is secret.
fn filled(store: &Store) {
    let reacts = |channel, message, by: Author, emoji: &str| {
        let (message, emoji) = (MessageId(message), emoji.into());
        IncomingEvent::Reaction {
            channel,
            message,
            author: by,
            emoji,
            added: true,
            at: 9_000,
        }
    };
    let mut events = vec![
        channel(TALK, "talk", Some(FOREIGN)),
        channel(OTHER, "other", Some(TALK)),
        channel(FOREIGN, SECRET, None),
        said(TALK, 1, "morning all"),
        says(TALK, 2, person(2, "Ben"), "hi Anna"),
        own(3),
        said(OTHER, 4, "elsewhere"),
        says(FOREIGN, 5, person(7, SECRET), SECRET),
        says(FOREIGN, 6, anna(), SECRET),
        reacts(TALK, 1, person(2, "Ben"), "🎉"),
        reacts(FOREIGN, 5, person(7, SECRET), SECRET),
    ];
    events.push(edited(TALK, 1, "morning"));
    store_all(store, events);
    let mut foreign = turn(8, FOREIGN, SECRET);
    foreign.outcome = TurnOutcome::Silent(SECRET.into());
    for report in [called(7), foreign] {
        store.save_turn(report, Vec::new()).wait().expect("saved");
    }
    let day = chrono::NaiveDate::from_ymd_opt(2026, 2, 3).expect("a day");
    let usage = TokenUsage {
        prompt: 100,
        completion: 20,
        ..TokenUsage::default()
    };
    for (model, channel) in [("m", TALK), (SECRET, FOREIGN)] {
        store
            .save_spend(spent(day, model, channel, "turn", usage))
            .wait()
            .expect("added");
    }
    for (scope, text) in [("guild:1", "Anna likes tea"), ("channel:12", SECRET)] {
        let block = StoredBlock {
            label: "notes".into(),
            text: text.into(),
            limit: 500,
            updated_at: 5,
        };
        store.put_core_memory(scope, block).wait().expect("written");
        let data = Map::from_iter([("plan".to_owned(), json!({ "say": text }))]);
        store
            .put_tool_data(scope, data, 6)
            .wait()
            .expect("stored")
            .expect("taken");
    }
    store.set_meta("secret", SECRET).wait().expect("kept");
}

/// A turn in which a die was rolled.
fn called(id: u64) -> TurnReport {
    let mut report = turn(id, TALK, "text of the model");
    report.wake.author = Some(UserId(2));
    report.wake.address = Some(DirectAddress::Mention);
    let call = |name: &str, kind| CallReport {
        call: ToolCall {
            name: name.into(),
            params: Map::new(),
        },
        kind,
        result: Some(ToolResult::ok("4")),
        message: None,
        hindrance: None,
        at: 500_500,
    };
    report.rounds[0].calls = vec![
        call("roll_dice", Some(ToolKind::Tool)),
        call("what the model made up", None),
    ];
    report
}

#[test]
fn every_view_shows_the_scope_and_only_the_scope() {
    let store = Store::open_in_memory().expect("opened");
    filled(&store);
    let one = |sql: &str| rows(&store, sql);
    assert_eq!(
        one("SELECT id, name, kind, parent FROM channels ORDER BY id"),
        [
            [json!(10), json!("talk"), json!("group"), json!(null)],
            [json!(11), json!("other"), json!("group"), json!(10)],
        ]
    );
    assert_eq!(
        one("SELECT * FROM messages ORDER BY id"),
        [
            [
                json!(10),
                json!(1),
                json!(1_000),
                json!(1),
                json!("Anna"),
                json!("person"),
                json!(null),
                json!(1),
                json!("morning")
            ],
            [
                json!(10),
                json!(2),
                json!(2_000),
                json!(2),
                json!("Ben"),
                json!("person"),
                json!(null),
                json!(0),
                json!("hi Anna")
            ],
            [
                json!(10),
                json!(3),
                json!(3_000),
                json!(99),
                json!("Juno"),
                json!("companion"),
                json!(null),
                json!(0),
                json!("so?? how did it go")
            ],
            [
                json!(11),
                json!(4),
                json!(4_000),
                json!(1),
                json!("Anna"),
                json!("person"),
                json!(null),
                json!(0),
                json!("elsewhere")
            ],
        ]
    );
    assert_eq!(
        one("SELECT name, messages, last_at FROM people ORDER BY id"),
        [
            [json!("Anna"), json!(2), json!(4_000)],
            [json!("Ben"), json!(1), json!(2_000)],
            [json!("Juno"), json!(1), json!(3_000)],
        ]
    );
    assert_eq!(
        one("SELECT message, name, kind, emoji, at FROM reactions"),
        [[
            json!(1),
            json!("Ben"),
            json!("person"),
            json!("🎉"),
            json!(9_000)
        ],]
    );
    assert_eq!(
        one("SELECT turn, channel, woken_by, asked, outcome, rounds FROM turns"),
        [[
            json!(7),
            json!(10),
            json!(2),
            json!(1),
            json!("acted"),
            json!(1)
        ],]
    );
    assert_eq!(
        one("SELECT turn, at, name, kind, is_error FROM calls"),
        [[
            json!(7),
            json!(500_500),
            json!("roll_dice"),
            json!("tool"),
            json!(0)
        ],]
    );
    assert_eq!(
        one("SELECT channel, model, calls, prompt, completion, cost FROM spent"),
        [[
            json!(10),
            json!("m"),
            json!(1),
            json!(100),
            json!(20),
            json!(0.25)
        ],]
    );
    for view in [
        "channels",
        "messages",
        "people",
        "reactions",
        "turns",
        "calls",
        "spent",
        "notes",
        "tool_data",
    ] {
        assert_eq!(
            one(&format!(
                "SELECT count(*) > 0 FROM {view} a, {view} ORDER BY 1 LIMIT 1"
            )),
            [[json!(1)]],
            "{view}"
        );
    }
    assert_eq!(
        one("SELECT label, text FROM notes"),
        [[json!("notes"), json!("Anna likes tea")]]
    );
    assert_eq!(
        one("SELECT key, value ->> '$.say' FROM tool_data"),
        [[json!("plan"), json!("Anna likes tea")]]
    );
}

#[test]
fn what_tools_among_friends_ask_works() {
    let store = Store::open_in_memory().expect("opened");
    filled(&store);
    let counted = "WITH days AS (SELECT date(at / 1000, 'unixepoch') AS day, author FROM messages)
        SELECT p.name, count(*) AS n, rank() OVER (ORDER BY count(*) DESC) FROM days JOIN people p ON p.id = days.author
        WHERE p.kind = 'person' GROUP BY p.id ORDER BY n DESC, p.name";
    assert_eq!(
        rows(&store, counted)[0],
        [json!("Anna"), json!(2), json!(1)]
    );
    let recursive = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT sum(i) FROM n";
    assert_eq!(rows(&store, recursive), [[json!(6)]]);
    let mut bound = query(
        "SELECT id FROM messages WHERE text LIKE '%' || :word || '%' OR id IN (SELECT value FROM json_each(:ids))",
    );
    bound.params = vec![
        ("word".into(), json!("hi")),
        ("ids".into(), json!([1, 4])),
        ("unknown".into(), json!(1)),
    ];
    assert_eq!(ask(&store, bound).expect("answered").rows.len(), 3);
    let missing = query("SELECT :word IS NULL");
    assert_eq!(
        ask(&store, missing).expect("answered").rows,
        [[json!(1)]],
        "what is not given is null"
    );
}

#[test]
fn what_is_said_up_to_a_fresh_start_is_left_out_there() {
    let store = Store::open_in_memory().expect("opened");
    filled(&store);
    let mut fresh =
        query("SELECT (SELECT group_concat(id) FROM messages), (SELECT count(*) FROM reactions)");
    fresh.reach.after = vec![(TALK, MessageId(2)), (FOREIGN, MessageId(0))];
    assert_eq!(
        ask(&store, fresh).expect("answered").rows,
        [[json!("3,4"), json!(0)]]
    );
}

#[test]
fn what_is_deleted_is_gone_from_the_views() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    filled(&store);
    store_all(&store, vec![deleted(TALK, 2)]);
    assert_eq!(
        rows(&store, "SELECT count(*) FROM messages WHERE author = 2"),
        [[json!(0)]]
    );
    store
        .forget_person(UserId(1), None, 2_000_000)
        .wait()
        .expect("forgotten");
    assert_eq!(
        rows(&store, "SELECT group_concat(name) FROM people"),
        [[json!("Juno")]]
    );
    assert_eq!(
        rows(&store, "SELECT count(*) FROM tool_data"),
        [[json!(0)]],
        "it named her"
    );
}

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

fn arbitrary_channel() -> impl Strategy<Value = ChannelId> {
    (20u64..24).prop_map(ChannelId)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever is asked in whatever scope, nothing of another channel comes back.
    #[test]
    fn rows_of_a_foreign_scope_never_come_back(
        written in prop::collection::vec((arbitrary_channel(), "[a-z]{3,8}"), 1..30),
        seen in prop::collection::vec(arbitrary_channel(), 0..3),
        word in ".{0,12}",
    ) {
        let store = Store::open_in_memory().expect("opened");
        let marked = |channel: ChannelId, text: &str| format!("<{channel}> {text}");
        let events = written.iter().enumerate().map(|(at, (channel, text))| {
            let author = person(100 + channel.0, &marked(*channel, "name"));
            IncomingEvent::Message(Message { id: MessageId(at as u64 + 1), channel: *channel, arrival: 0, at: at as i64, author,
                text: marked(*channel, text).into(), reply_to: None, mentions: Vec::new() })
        });
        store_all(&store, events.collect());
        for channel in (20..24).map(ChannelId) {
            let mut report = called(channel.0);
            report.channel = channel;
            store.save_turn(report, Vec::new()).wait().expect("saved");
            let scope = format!("channel:{channel}");
            let block = StoredBlock { label: marked(channel, "l"), text: marked(channel, "t"), limit: 99, updated_at: 0 };
            store.put_core_memory(scope.as_str(), block).wait().expect("kept");
            let data = Map::from_iter([(marked(channel, "k"), json!(marked(channel, "v")))]);
            store.put_tool_data(scope.as_str(), data, 0).wait().expect("kept").expect("taken");
        }
        let foreign: Vec<String> = (20..24).map(ChannelId).filter(|id| !seen.contains(id)).map(|id| format!("<{id}>")).collect();
        let key = seen.first().map(|channel| format!("channel:{channel}")).unwrap_or_default();
        let others: Vec<String> = (20..24).filter(|id| seen.first() != Some(&ChannelId(*id))).map(|id| format!("<{id}>")).collect();
        for (sql, hidden) in [
            ("SELECT * FROM messages WHERE text LIKE '%' || :word || '%' OR :word <> text", &foreign),
            ("SELECT * FROM messages WHERE channel NOT IN (SELECT id FROM channels) OR 1 = 1", &foreign),
            ("SELECT * FROM people LEFT JOIN messages ON author = people.id OR 1 = 1", &foreign),
            ("SELECT * FROM messages a FULL OUTER JOIN messages b ON a.id = b.id + 1", &foreign),
            ("SELECT '<' || channel || '>', * FROM turns", &foreign),
            ("SELECT '<' || channel || '>', * FROM calls", &foreign),
            ("SELECT * FROM notes FULL JOIN tool_data ON 1 = 0", &others),
        ] {
            let reach = QueryScope { channels: seen.clone(), after: Vec::new(), key: key.clone() };
            let asked = ToolQuery { params: vec![("word".into(), json!(word))], reach, rows: 10_000, bytes: 10_000_000, ..query(sql) };
            let told = format!("{:?}", ask(&store, asked).expect("answered"));
            prop_assert!(!hidden.iter().any(|mark| told.contains(mark)), "{sql}: {told}");
        }
    }
}
