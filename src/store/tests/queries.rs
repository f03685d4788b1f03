//! Questions of tools: they read what the scope shows and nothing else, whatever is written in them.

mod limits;

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

fn channel(id: ChannelId, name: &str, parent: Option<ChannelId>) -> ChatEvent {
    ChatEvent::Channel(Channel {
        parent,
        ..group_channel(id, Some(GuildId(1)), name)
    })
}

/// Two channels of a guild, and one of somebody else's in which everything is secret.
fn filled(store: &Store) {
    let reacts = |channel, message, by: Author, emoji: &str| {
        let (message, emoji) = (MessageId(message), emoji.into());
        ChatEvent::Reaction {
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
fn views_of_channels_and_messages_show_the_scope_and_only_the_scope() {
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
        json!(one("SELECT * FROM messages ORDER BY id")),
        json!([
            [10, 1, 1_000, 1, "Anna", "person", null, 1, "morning"],
            [10, 2, 2_000, 2, "Ben", "person", null, 0, "hi Anna"],
            [
                10,
                3,
                3_000,
                99,
                "Juno",
                "companion",
                null,
                0,
                "so?? how did it go"
            ],
            [11, 4, 4_000, 1, "Anna", "person", null, 0, "elsewhere"],
        ])
    );
}

#[test]
fn views_of_turns_notes_and_spending_show_the_scope_and_only_the_scope() {
    let store = Store::open_in_memory().expect("opened");
    filled(&store);
    let one = |sql: &str| rows(&store, sql);
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
    let views = "channels messages people reactions turns calls spent notes tool_data";
    for view in views.split(' ') {
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
            ChatEvent::Message(Message { id: MessageId(at as u64 + 1), channel: *channel, arrival: 0, at: at as i64, author,
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
