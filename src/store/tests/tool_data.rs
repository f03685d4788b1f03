//! What tools keep for each other: by scope, bounded, and gone with what it tells of.

use kith_core::chat::GuildId;
use kith_store::ToolDataError;
use serde_json::{Map, Value, json};

use super::*;

fn changes(pairs: &[(&str, Value)]) -> Map<String, Value> {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect()
}

fn put(store: &Store, scope: &str, pairs: &[(&str, Value)]) -> Result<(), ToolDataError> {
    store
        .put_tool_data(scope, changes(pairs), 1_000_000)
        .wait()
        .expect("answered")
}

fn kept(store: &Store, scope: &str) -> Value {
    Value::Object(store.load_tool_data(scope).wait().expect("read"))
}

#[test]
fn what_a_tool_keeps_is_there_for_the_others_of_its_scope() {
    let store = memory();
    put(
        &store,
        "guild:1",
        &[("votes", json!({ "Alien": 2 })), ("open", json!(true))],
    )
    .expect("kept");
    put(&store, "guild:2", &[("votes", json!([]))]).expect("kept");
    assert_eq!(
        kept(&store, "guild:1"),
        json!({ "open": true, "votes": { "Alien": 2 } })
    );
    put(
        &store,
        "guild:1",
        &[
            ("votes", json!(3)),
            ("open", Value::Null),
            ("never", Value::Null),
        ],
    )
    .expect("kept");
    assert_eq!(kept(&store, "guild:1"), json!({ "votes": 3 }));
    assert_eq!(kept(&store, "guild:2"), json!({ "votes": [] }));
}

#[test]
fn it_is_bounded_and_a_change_is_kept_whole_or_not_at_all() {
    let store = memory();
    let many: Vec<(String, Value)> = (0..100).map(|n| (format!("k{n}"), json!(n))).collect();
    store
        .put_tool_data("guild:1", many.into_iter().collect(), 1)
        .wait()
        .expect("answered")
        .expect("a hundred fit");
    assert_eq!(
        put(&store, "guild:1", &[("one more", json!(1))]),
        Err(ToolDataError::Keys)
    );
    put(
        &store,
        "guild:1",
        &[("one more", json!(1)), ("k0", Value::Null)],
    )
    .expect("one went for it");
    assert_eq!(
        put(&store, "guild:2", &[("", json!(1))]),
        Err(ToolDataError::Key("".into()))
    );
    let refused = put(
        &store,
        "guild:2",
        &[("a", json!(1)), ("b", json!("x".repeat(9_000)))],
    );
    assert_eq!(refused, Err(ToolDataError::Value("b".into())));
    assert_eq!(kept(&store, "guild:2"), json!({}));
    for n in 0..8 {
        put(
            &store,
            "guild:3",
            &[(&format!("k{n}"), json!("x".repeat(8_000)))],
        )
        .expect("kept");
    }
    assert_eq!(
        put(&store, "guild:3", &[("k8", json!("x".repeat(8_000)))]),
        Err(ToolDataError::Scope)
    );
}

#[test]
fn it_goes_with_its_place_with_what_it_repeats_and_with_whom_it_names() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    let guild = Some(GuildId(1));
    let place = |id, name: &str| ChatEvent::Channel(group_channel(id, guild, name));
    let words = "meet me behind the old xylophone mill";
    store_all(
        &store,
        vec![
            place(TALK, "talk"),
            said(TALK, 1, words),
            says(TALK, 2, person(2, "Benedict"), "hello there"),
        ],
    );
    put(
        &store,
        "guild:1",
        &[
            ("quote", json!(words)),
            ("plan", json!("tea")),
            ("who", json!(["Benedict"])),
        ],
    )
    .expect("kept");
    put(&store, "channel:10", &[("x", json!(1))]).expect("kept");
    store_all(&store, vec![deleted(TALK, 1)]);
    assert_eq!(
        kept(&store, "guild:1"),
        json!({ "plan": "tea", "who": ["Benedict"] })
    );
    put(&store, "guild:1", &[("late", json!(words))]).expect("taken, but not kept");
    assert_eq!(
        kept(&store, "guild:1"),
        json!({ "plan": "tea", "who": ["Benedict"] })
    );
    let export = store
        .export_person(UserId(2), None)
        .wait()
        .expect("exported");
    assert!(
        export["remembered"].to_string().contains("\"who\""),
        "{export}"
    );
    store
        .forget_person(UserId(2), None, 2_000_000)
        .wait()
        .expect("forgotten");
    assert_eq!(kept(&store, "guild:1"), json!({ "plan": "tea" }));
    assert_eq!(files_with(&path, "Benedict"), [""; 0]);
    store
        .erase_places(vec![TALK], guild, 3)
        .wait()
        .expect("erased");
    assert_eq!(
        (kept(&store, "guild:1"), kept(&store, "channel:10")),
        (json!({}), json!({}))
    );
}
