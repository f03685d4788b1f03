//! Tools that are queries: the example that ships, what the model reads of an answer, and that nothing it gives for a
//! parameter is anything but a value.

use std::collections::BTreeMap;
use std::path::Path;

use kith_core::call::ToolResult;
use kith_core::chat::{Author, AuthorKind, ChannelId, Message, MessageId, UserId};
use kith_core::event::ChatEvent;
use kith_core::persona::Language;
use kith_store::Store;
use kith_tools::custom::{DefinedTool, DefinitionContext, ToolDefinition, registry};
use kith_tools::{ToolContext, ToolRegistry};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::registry::{NOW, call, context};

const DAY: i64 = 86_400_000;

fn defined(toml: &str) -> Vec<DefinedTool> {
    let all: BTreeMap<String, ToolDefinition> = toml::from_str(toml).expect("read");
    let file = Path::new("tools/own.toml");
    all.into_iter()
        .map(|(name, definition)| DefinedTool {
            name,
            file: file.into(),
            line: 1,
            skill: None,
            definition,
        })
        .collect()
}

fn problems(toml: &str) -> Vec<String> {
    let known = DefinitionContext {
        secrets: &[],
        folder: Path::new(""),
    };
    let all = defined(toml);
    all.iter()
        .flat_map(|one| one.find_problems(&known))
        .map(|wrong| format!("{}: {}", wrong.at, wrong.message))
        .collect()
}

fn tools(toml: &str) -> ToolRegistry {
    assert_eq!(problems(toml), [""; 0]);
    let (registry, taken) = registry(&defined(toml), Vec::new());
    assert_eq!(taken, []);
    registry
}

fn chatter() -> ToolRegistry {
    tools(include_str!("../../../prompts/tools/chatter.toml"))
}

fn message(channel: u64, id: u64, at: i64, author: (u64, &str), text: &str) -> ChatEvent {
    let author = Author {
        id: UserId(author.0),
        name: author.1.into(),
        kind: AuthorKind::Person,
    };
    let (id, channel) = (MessageId(id), ChannelId(channel));
    ChatEvent::Message(Message {
        id,
        channel,
        arrival: 0,
        at,
        author,
        text: text.into(),
        reply_to: None,
        mentions: Vec::new(),
    })
}

/// A room where Anna and Ben write, and another one where somebody else does.
pub fn room(language: Language) -> ToolContext {
    let context = context(language);
    let (anna, ben) = ((1, "Anna"), (2, "Ben"));
    let said = vec![
        message(1, 1, NOW - 20 * DAY, ben, "long ago"),
        message(1, 2, NOW - 2 * DAY, anna, "hi"),
        message(1, 3, NOW - DAY, anna, "anybody?"),
        message(1, 4, NOW - 3_600_000, ben, "me"),
        message(9, 5, NOW - DAY, (3, "Zoe"), "elsewhere"),
    ];
    context.store.append(said).wait().expect("stored");
    context
}

async fn ask(
    registry: &ToolRegistry,
    name: &str,
    params: Value,
    context: &ToolContext,
) -> ToolResult {
    registry.run(call(name, params), context.clone()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_counts_who_wrote_how_much() {
    let context = tokio::task::spawn_blocking(|| room(Language::EN))
        .await
        .expect("made");
    let registry = chatter();
    let week = ask(&registry, "who_wrote", json!({}), &context).await;
    assert_eq!(
        week.content,
        concat!(
            "[\"name\",\"messages\",\"characters\",\"last\"]\n",
            "[\"Anna\",2,10,\"2026-02-28 13:30:05\"]\n",
            "[\"Ben\",1,2,\"2026-03-01 12:30:05\"]",
        )
    );
    let month = ask(&registry, "who_wrote", json!({ "days": "30" }), &context).await;
    assert!(
        month.content.contains("[\"Ben\",2,10,"),
        "{}",
        month.content
    );
    let details = month.details.expect("told");
    assert_eq!(
        (&details["columns"][0], &details["is_cut"]),
        (&json!("name"), &json!(false))
    );
    let hours = ask(&registry, "busy_hours", json!({}), &context).await;
    assert!(
        hours.content.contains("[\"12\",1]") && hours.content.contains("[\"13\",3]"),
        "in Berlin: {}",
        hours.content
    );
    let none = ask(&registry, "query_tasks", json!({}), &context).await;
    assert_eq!(none.content, "nothing found");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_reads_what_other_tools_keep() {
    let context = context(Language::ZH);
    let tasks = json!([
        { "task": "buy tickets", "who": "Anna", "status": "pending" },
        { "task": "book a table", "who": "Ben", "status": "completed" },
        { "task": "bring cake", "who": "Ben", "status": "pending" },
    ]);
    let data = Map::from_iter([("tasks".to_owned(), tasks)]);
    context
        .store
        .put_tool_data(context.scope().to_string(), data, NOW)
        .await
        .expect("stored")
        .expect("taken");
    let registry = chatter();
    let pending = ask(
        &registry,
        "query_tasks",
        json!({ "status": "pending" }),
        &context,
    )
    .await;
    assert_eq!(pending.content.lines().count(), 3, "{}", pending.content);
    let one = ask(&registry, "query_tasks", json!({ "limit": 1 }), &context).await;
    assert_eq!(
        one.content,
        "[\"task\",\"who\",\"status\"]\n[\"buy tickets\",\"Anna\",\"pending\"]"
    );
    let none = ask(
        &registry,
        "query_tasks",
        json!({ "status": "in_progress" }),
        &context,
    )
    .await;
    assert_eq!(none.content, "没有找到");
}

fn own(sql: &str) -> String {
    format!(
        "[own]\ndescription = \"x\"\n[own.parameters.word]\ntype = \"string\"\n[own.sql]\nmax_rows = 2\nmax_seconds = 0.2\nquery = '''\n{sql}'''"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_answer_and_a_slow_one_are_cut() {
    let context = tokio::task::spawn_blocking(|| room(Language::EN))
        .await
        .expect("made");
    let many = tools(&own("SELECT id FROM messages WHERE :word IS NULL"));
    assert_eq!(
        ask(&many, "own", json!({}), &context).await.content,
        "[\"id\"]\n[1]\n[2]\n[cut: there are more rows]"
    );
    let slow = tools(&own(
        "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t WHERE x <> :word",
    ));
    let slow = ask(&slow, "own", json!({}), &context).await;
    assert!(
        slow.is_error
            && slow
                .content
                .starts_with("the query took longer than 200 ms"),
        "{}",
        slow.content
    );
}

#[test]
fn what_is_wrong_with_a_definition_is_told_with_its_line() {
    assert_eq!(
        problems(&own("SELECT id\nFROM mesages\nWHERE id = :word")),
        ["sql.query: no such table: mesages (line 2 of the query)"]
    );
    assert_eq!(
        problems(&own("SELECT :wort")).len(),
        2,
        "a value without a parameter, and the other way round"
    );
    assert_eq!(
        problems(&own("DELETE FROM messages WHERE text = :word")).len(),
        1
    );
    let reserved = "[own]\ndescription = \"x\"\n[own.parameters.now]\ntype = \"integer\"\n[own.sql]\nquery = 'SELECT :now'\nmax_rows = 0\nmax_seconds = 99.0";
    let told = problems(reserved);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(
        told.iter()
            .any(|wrong| wrong == "parameters.now: `:now` is filled in by kith"),
        "{told:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// What a model gives is a value, whatever it looks like.
    #[test]
    fn a_parameter_is_never_a_statement(
        word in prop_oneof![
            Just("'; DROP TABLE messages; --".to_owned()), Just("' OR 1=1 --".to_owned()),
            Just("x' UNION SELECT sql FROM sqlite_schema --".to_owned()), Just("ATTACH 'x' AS y".to_owned()),
            Just("\0".to_owned()), Just("%".repeat(5_000)), ".{0,40}",
        ],
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let context = room(Language::EN);
        let store: Store = context.store.clone();
        let registry = tools(&own("SELECT text FROM messages WHERE text = :word"));
        let answer = runtime.block_on(ask(&registry, "own", json!({ "word": word }), &context));
        prop_assert!(answer.is_error || answer.content == "nothing found", "{}", answer.content);
        let left = store.load_history(ChannelId(1), None, 10).wait().expect("read");
        prop_assert_eq!(left.len(), 4);
    }
}
