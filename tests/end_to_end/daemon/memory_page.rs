//! What the room's page shows of the memory, and changes in it.

use kith_testkit::{assert_has, assert_lacks};
use serde_json::json;

use crate::daemon::kith_process::{KithProcess, post_of, settings};
use crate::memory_seed::{LETTER, add_direct_message, build_episode, build_fact, remember};

async fn open() -> KithProcess {
    KithProcess::open(&settings("http://127.0.0.1:9/v1", "")).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_host_sees_where_a_memory_comes_from_edits_it_and_takes_the_edit_back() {
    let mut kith = open().await;
    let said = kith.says("I play the xylophone").await["id"].clone();
    let source = said.as_str().unwrap();
    let drafts = vec![
        build_fact(2, "plays the xylophone", source),
        build_episode("Anna showed her xylophone", source),
    ];
    remember(&mut kith, drafts).await;
    let all = json!({"ask": "all_memories", "channel": "10"});
    let seen = kith.ask_memory(all.clone()).await;
    assert_eq!(seen["memories"].as_array().map(Vec::len), Some(2), "{seen}");
    assert_eq!(seen["people"][0]["name"], "Anna");
    assert_eq!(seen["more"], false);
    let newest = json!({"ask": "all_memories", "channel": "10", "limit": 1});
    assert_eq!(kith.ask_memory(newest).await["more"], true);

    let edit =
        json!({"ask": "edit_memory", "channel": "10", "id": "1", "text": " plays  the viola "});
    let new = kith.ask_memory(edit).await["memories"][0].clone();
    assert_eq!(
        (&new["text"], &new["origin"]),
        (&json!("plays the viola"), &json!("host"))
    );
    let id = &new["id"];
    let details = kith
        .ask_memory(json!({"ask": "memory_details", "channel": "10", "id": id}))
        .await;
    assert_eq!(details["sources"][0]["text"], "I play the xylophone");
    assert_eq!(details["sources"][0]["id"], said);
    assert_eq!(details["trail"][0]["text"], "plays the xylophone");
    let undo = json!({"ask": "undo_memory", "channel": "10", "id": id});
    let restored = kith.ask_memory(undo.clone()).await;
    assert_eq!(restored["memories"][0]["text"], "plays the xylophone");
    assert_has(
        kith.try_ask_memory(undo).await.unwrap_err().to_string(),
        ["nothing of that number"],
    );
    let undo = json!({"ask": "undo_memory", "channel": "10", "id": "1"});
    assert_has(
        kith.try_ask_memory(undo).await.unwrap_err().to_string(),
        ["took the place of nothing"],
    );
    let sick = json!({"ask": "edit_memory", "channel": "10", "id": "1", "text": "has depression"});
    assert_has(
        kith.try_ask_memory(sick).await.unwrap_err().to_string(),
        ["health"],
    );

    kith.ask(json!({"ask": "delete", "channel": "10", "message": said}))
        .await;
    assert_eq!(kith.ask_memory(all).await["memories"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn core_memory_is_edited_taken_back_and_its_history_erased() {
    let mut kith = open().await;
    let block = |answer: &serde_json::Value| answer["blocks"][0].clone();
    let before = block(
        &kith
            .ask_memory(json!({"ask": "core_memory", "channel": "10"}))
            .await,
    );
    let label = &before["label"];
    let edit = json!({"ask": "edit_block", "channel": "10", "label": label, "text": "Bo cooks\n\nAnna whittles zithers"});
    let edited = block(&kith.ask_memory(edit.clone()).await);
    assert_eq!(edited["text"], "Bo cooks\nAnna whittles zithers");
    assert_eq!(edited["history"][0]["text"], before["text"]);
    assert!(edited["dates"][0].is_i64(), "{edited}");
    let ask = |name: &str| json!({"ask": name, "channel": "10", "label": label});
    let undone = block(&kith.ask_memory(ask("undo_block")).await);
    assert_eq!(undone["text"], before["text"]);
    kith.ask_memory(edit).await;
    let shorter = json!({"ask": "edit_block", "channel": "10", "label": label, "text": "Bo cooks"});
    kith.ask_memory(shorter).await;
    assert!(!kith.files_with("whittles zithers").is_empty());
    let erased = block(&kith.ask_memory(ask("forget_block_history")).await);
    assert_eq!(erased["history"], json!([]));
    assert_eq!(erased["text"], "Bo cooks");
    assert!(kith.try_ask_memory(ask("undo_block")).await.is_err());
    let long =
        json!({"ask": "edit_block", "channel": "10", "label": label, "text": "x".repeat(5_000)});
    assert!(kith.try_ask_memory(long).await.is_err());
    let none = json!({"ask": "edit_block", "channel": "10", "label": "nowhere", "text": "x"});
    assert!(kith.try_ask_memory(none).await.is_err());
    kith.stop();
    assert!(kith.files_with("whittles zithers").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_gives_the_reasons_why_a_line_or_a_memory_ranks_where_it_does() {
    let mut kith = open().await;
    let said = kith.says("i keep a key").await["id"].clone();
    let known = build_fact(2, "keeps the boathouse key", said.as_str().unwrap());
    remember(&mut kith, vec![known]).await;
    for text in [
        "the boathouse key is brass",
        "still raining",
        "where is the boathouse?",
    ] {
        kith.says(text).await;
    }
    let mut elsewhere = post_of("a boathouse for sale", "elsewhere");
    elsewhere["channel"] = json!("11");
    kith.ask(elsewhere).await;
    let search = json!({"ask": "search_memory", "channel": "10", "text": "boathouse key"});
    let found = kith.ask_memory(search).await;
    let lines = found["lines"].as_array().unwrap();
    assert_eq!(lines[0]["line"]["text"], "the boathouse key is brass");
    assert!(lines.iter().any(|line| line["line"]["channel"] == "11"));
    let memory = &found["memories"][0];
    assert_eq!(memory["text"], "keeps the boathouse key");
    let words = memory["words"].as_array().unwrap();
    let sum: f64 = words
        .iter()
        .map(|word| word["adds"].as_f64().unwrap())
        .sum();
    assert_eq!(words.len(), 2, "{memory}");
    assert!((sum - memory["score"].as_f64().unwrap()).abs() < 1e-9);
    for line in lines {
        let part = |name: &str| line["parts"][name].as_f64().unwrap();
        let factors = [
            "talk",
            "companion",
            "time",
            "speaker",
            "says_when",
            "asks",
            "brevity",
        ];
        let product: f64 = factors.into_iter().map(part).product();
        let score = (part("words") + part("neighbours")) * product;
        assert!(
            (score - line["score"].as_f64().unwrap()).abs() < 1e-9,
            "{line}"
        );
    }
    let asks = lines
        .iter()
        .find(|line| line["line"]["text"] == "where is the boathouse?")
        .unwrap();
    assert!(asks["parts"]["asks"].as_f64().unwrap() < 1.0, "{asks}");
    let empty = json!({"ask": "search_memory", "channel": "10", "text": " "});
    assert!(kith.try_ask_memory(empty).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_belongs_to_a_direct_message_is_neither_seen_nor_changed_from_elsewhere() {
    let mut kith = open().await;
    let said = kith.says("I play the xylophone").await["id"].clone();
    let source = said.as_str().unwrap();
    add_direct_message(&mut kith, "between us: i hoard zithers").await;
    let mut secret = build_fact(2, "hoards zithers", "1");
    secret.content.channel = LETTER;
    let drafts = vec![secret, build_fact(2, "plays the xylophone", source)];
    remember(&mut kith, drafts).await;
    assert!(!kith.files_with("hoards zithers").is_empty());
    let of_anna = |channel: &str| json!({"ask": "memories", "channel": channel, "person": "2"});
    let correction = |channel: &str| json!({"ask": "correct_memory", "channel": channel, "person": "2", "id": "1", "text": "x y"});
    let looks = |channel: &str| {
        [
            json!({"ask": "all_memories", "channel": channel}),
            json!({"ask": "search_memory", "channel": channel, "text": "xylophone zithers"}),
        ]
    };
    let changes = |channel: &str| {
        [
            json!({"ask": "memory_details", "channel": channel, "id": "1"}),
            json!({"ask": "edit_memory", "channel": channel, "id": "1", "text": "x y"}),
            json!({"ask": "undo_memory", "channel": channel, "id": "1"}),
            json!({"ask": "forget_memory", "channel": channel, "id": "1"}),
        ]
    };
    let listed = kith.ask(of_anna("10")).await.to_string();
    assert_has(&listed, ["xylophone"]);
    assert_lacks(&listed, ["zither"]);
    for (request, why) in [
        (of_anna("77"), "there is no such channel"),
        (correction("10"), "nothing of that number"),
        (correction("77"), "there is no such channel"),
    ] {
        assert_has(kith.try_ask(request).await.unwrap_err(), [why]);
    }
    for request in looks("10") {
        let answer = kith.ask_memory(request.clone()).await.to_string();
        assert_has(&answer, ["xylophone"]);
        assert_lacks(&answer, ["zither"]);
    }
    for request in changes("10") {
        let refused = kith
            .try_ask_memory(request.clone())
            .await
            .unwrap_err()
            .to_string();
        assert_has(&refused, ["nothing of that number"]);
    }
    // A direct message of another platform is no place of the room at all.
    for request in looks("77").into_iter().chain(changes("77")) {
        let refused = kith
            .try_ask_memory(request.clone())
            .await
            .unwrap_err()
            .to_string();
        assert_has(&refused, ["there is no such channel"]);
    }
    assert!(!kith.files_with("hoards zithers").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_refused_is_said_in_every_language_of_the_page() {
    let kith = open().await;
    let nowhere = json!({"ask": "all_memories", "channel": "4711"});
    let nothing = json!({"ask": "memory_details", "channel": "10", "id": "9"});
    for (request, english, chinese) in [
        (nowhere, "there is no such channel", "没有这个频道"),
        (nothing, "nothing of that number", "没有这个编号"),
    ] {
        let refused = kith.try_ask_memory(request).await.unwrap_err();
        assert_eq!(refused["error"], refused["told"]["en"]);
        let said = |language: &str| refused["told"][language].as_str().unwrap_or_default();
        assert_has(said("en"), [english]);
        assert_has(said("zh"), [chinese]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whom_a_memory_is_about_is_named_though_they_never_wrote() {
    let mut kith = open().await;
    let said = kith.says("Ben plays the cello").await["id"].clone();
    let fact = build_fact(3, "plays the cello", said.as_str().unwrap());
    remember(&mut kith, vec![fact]).await;
    let seen = kith.ask_memory(json!({"ask": "all_memories"})).await;
    let people = seen["people"].as_array().unwrap();
    let names: Vec<_> = people.iter().map(|person| &person["name"]).collect();
    assert_eq!(names, ["Anna", "Ben"]);
}
