//! The console while the companion lives on Discord: closed where nothing opens it, and else for who has the token alone.

use kith_testkit::assert_has;
use serde_json::{Value, json};

use crate::discord::prelude::*;
use crate::room_browser::free_port;

/// A `kith` on Discord whose console is open, and reached by its API.
async fn with_console() -> DiscordTest {
    let port = free_port();
    let tables = format!("{}[console]\nlisten = \"{port}\"\n", on(GENERAL));
    let mut test = DiscordTest::of(World::small(), "", &tables, |_| say("hi Anna")).await;
    test.reach_console(port);
    test
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_the_token_sees_servers_channels_and_turns_and_nobody_else_does() {
    let test = with_console().await;
    test.fake.says(GENERAL, ANNA, "@Juno hello");
    assert_eq!(test.post(GENERAL, 0).await, "hi Anna");
    test.knows_it_did(1).await;
    let overview = test.kith.ask_console(json!({ "ask": "overview" })).await;
    let general = find_channel(&overview, GENERAL);
    assert_eq!(general["mode"], "on", "{overview}");
    assert!(
        general["score"].is_number() && general["spoke"].is_number(),
        "{general}"
    );
    assert!(
        overview["total"].as_u64() > Some(1),
        "those that are off are listed, too"
    );
    let guild = overview["guilds"].as_array().unwrap().iter();
    assert!(guild.clone().any(|guild| guild["name"] != ""), "{overview}");

    let mut turns = json!({ "turns": [] });
    while turns["turns"][0].is_null() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        turns = test.kith.ask_console(json!({ "ask": "turns" })).await;
    }
    let id = turns["turns"][0]["turn"].clone();
    assert_eq!(turns["turns"][0]["channel_name"], general["name"]);
    let turn = test
        .kith
        .ask_console(json!({ "ask": "turn", "id": id }))
        .await;
    assert_has(turn["prompts"][0]["user"].as_str().unwrap(), ["hello"]);

    // The room itself is not there: nobody posts under a member's name.
    assert!(test.kith.try_ask(json!({ "ask": "state" })).await.is_err());
    let stranger = kith_system::tls::loopback_client().build().unwrap();
    for path in ["", "/console", "/console.js", "/api/console", "/api/memory"] {
        let asked = stranger
            .get(format!("{}{path}", test.kith.url))
            .send()
            .await;
        assert_eq!(asked.unwrap().status(), 401, "{path}");
    }
    let page = stranger
        .get(format!("{}/?token={}", test.kith.url, test.kith.token))
        .send()
        .await
        .unwrap();
    assert!(page.headers().contains_key("set-cookie"));
    assert_has(page.text().await.unwrap(), ["/console.js"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn channels_are_chosen_by_what_it_may_do_in_them() {
    let test = with_console().await;
    test.fake.says(GENERAL, ANNA, "@Juno hello");
    test.post(GENERAL, 0).await;
    let count = async |request: Value| {
        let overview = test.kith.ask_console(request).await;
        let shown = overview["channels"].as_array().unwrap().clone();
        assert_eq!(overview["total"], shown.len(), "{overview}");
        (shown, overview["guilds"][0]["channels"].clone())
    };
    let (all, of_guild) = count(json!({ "ask": "overview" })).await;
    for mode in ["on", "observe", "off"] {
        let wanted: Vec<Value> = all
            .iter()
            .filter(|channel| channel["mode"] == mode)
            .cloned()
            .collect();
        let (shown, still) = count(json!({ "ask": "overview", "mode": mode })).await;
        let ids = |channels: &[Value]| -> Vec<Value> {
            channels
                .iter()
                .map(|channel| channel["id"].clone())
                .collect()
        };
        assert_eq!(ids(&shown), ids(&wanted), "{mode}");
        assert_eq!(wanted.is_empty(), mode == "observe", "{all:?}");
        assert_eq!(still, of_guild, "servers are told whole");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_address_of_its_own_it_is_closed_on_discord() {
    let test = DiscordTest::of(World::small(), "", "", |_| say("hi")).await;
    assert!(!test.kith.dir.path().join("data/room.token").exists());
}

fn find_channel(overview: &Value, id: u64) -> &Value {
    let channels = overview["channels"].as_array().unwrap();
    let wanted = json!(id.to_string());
    let fits = |channel: &&Value| channel["id"] == wanted;
    channels
        .iter()
        .find(fits)
        .unwrap_or_else(|| panic!("no {id} in {overview}"))
}
