//! What is not read, not kept and not told to others.
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::any;
use kith_testkit::{assert_has, assert_lacks};
use serde_json::json;

use crate::daemon::kith_process::{KithProcess, model, settings};
use crate::memory_seed::{build_fact, remember};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_written_in_a_channel_that_is_off_is_refused_and_in_no_file() {
    let url = model(|_| "<turn><send_message>hi</send_message></turn>".into()).await;
    let kith = KithProcess::open(&(settings(&url, "") + "[channel.10]\nmode = \"off\"\n")).await;
    let post = json!({"ask": "post", "channel": "10", "person": "2", "text": "@Juno rhododendron", "client_nonce": "1"});
    let refused = kith.try_ask(post).await.unwrap_err();
    assert_has(&refused, ["#lounge is off: nothing is read or kept there"]);
    for request in [
        json!({"ask": "edit", "channel": "10", "message": "5", "text": "rhododendron"}),
        json!({"ask": "react", "channel": "10", "message": "5", "person": "2", "emoji": "👍", "added": true}),
        json!({"ask": "typing", "channel": "10", "person": "2"}),
    ] {
        let refused = kith.try_ask(request).await.unwrap_err();
        assert_has(&refused, ["is off"]);
    }
    assert_eq!(kith.history().await, Vec::<serde_json::Value>::new());
    assert_eq!(
        kith.files_with("rhododendron"),
        Vec::<std::path::PathBuf>::new()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_holds_no_word_that_a_person_or_a_model_wrote() {
    let url = model(|_| "<turn><stay_silent>quetzalcoatl</stay_silent></turn>".into()).await;
    let kith = KithProcess::open(&(settings(&url, "") + "[log]\nlevel = \"debug\"\n")).await;
    kith.says("@Juno my secret is xylophonist").await;
    kith.until_logged("kept silent").await;
    kith.ask(json!({"ask": "add_channel", "name": "heliotrope"}))
        .await;
    let log = kith.log();
    assert_lacks(&log, ["quetzalcoatl", "xylophonist", "heliotrope"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_there_is_said_to_be_unknown_and_names_are_one_line() {
    let kith = KithProcess::open(&settings("http://127.0.0.1:9/v1", "")).await;
    let said = kith.says("hello").await["id"].clone();
    for (request, sentence) in [
        (
            json!({"ask": "react", "channel": "10", "message": "7", "person": "2", "emoji": "👍", "added": true}),
            "no such message",
        ),
        (
            json!({"ask": "react", "channel": "7", "message": said, "person": "2", "emoji": "👍", "added": true}),
            "no such channel",
        ),
        (
            json!({"ask": "react", "channel": "10", "message": said, "person": "7", "emoji": "👍", "added": true}),
            "no such person",
        ),
        (
            json!({"ask": "typing", "channel": "10", "person": "7"}),
            "no such person",
        ),
        (
            json!({"ask": "typing", "channel": "7", "person": "2"}),
            "no such channel",
        ),
        (json!({"ask": "history", "channel": "7"}), "no such channel"),
        (
            json!({"ask": "post", "channel": "10", "person": "2", "text": "x", "reply_to": "7", "client_nonce": "2"}),
            "no such message",
        ),
        (json!({"ask": "add_person", "name": "An\nna"}), "one line"),
        (
            json!({"ask": "add_channel", "name": "loun\nge"}),
            "one line",
        ),
    ] {
        let refused = kith.try_ask(request.clone()).await.unwrap_err();
        assert_has(&refused, [sentence]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_of_the_room_see_correct_and_delete_what_is_remembered_of_them() {
    let mut kith = KithProcess::open(&settings("http://127.0.0.1:9/v1", "")).await;
    let said = kith.says("I play the xylophone").await["id"].clone();
    let ben = kith
        .ask(json!({"ask": "add_person", "name": "Bennet"}))
        .await["id"]
        .clone();
    let ben_id: u64 = ben.as_str().unwrap().parse().unwrap();
    let source = said.as_str().unwrap();
    let facts = vec![
        build_fact(2, "plays the xylophone", source),
        build_fact(ben_id, "is late", source),
    ];
    remember(&mut kith, facts).await;
    let list = json!({"ask": "memories", "channel": "10", "person": "2"});
    let memories = kith.ask(list.clone()).await["memories"].clone();
    assert_eq!(memories.as_array().map(Vec::len), Some(1), "{memories}");
    assert_eq!(memories[0]["text"], "plays the xylophone");
    assert_eq!(memories[0]["sources"], json!([said]));
    let correct = |id: &str, text: &str| json!({"ask": "correct_memory", "channel": "10", "person": "2", "id": id, "text": text});
    let refused = kith
        .try_ask(correct("2", "is never late"))
        .await
        .unwrap_err();
    assert_has(&refused, ["only they can correct it"]);
    let corrected = kith.ask(correct("1", "plays the viola")).await;
    assert_eq!(corrected["memories"][0]["said_by"], "2");
    let id = corrected["memories"][0]["id"].clone();
    let forget = json!({"ask": "forget_memory", "channel": "10", "id": id});
    kith.ask_memory(forget.clone()).await;
    assert_eq!(kith.ask(list).await["memories"], json!([]));
    let refused = kith.try_ask_memory(forget).await.unwrap_err();
    assert_has(refused.to_string(), ["nothing of that number"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_configured_for_one_server_does_not_go_to_an_address_typed_in_the_page() {
    let seen: Arc<Mutex<Vec<HeaderMap>>> = Arc::default();
    let heard = seen.clone();
    let router = Router::new().fallback(any(move |headers: HeaderMap| async move {
        heard.lock().unwrap().push(headers);
        "{}"
    }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let typed = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let secret =
        "name = \"scripted\"\nheaders = { \"x-secret\" = \"marzipan\" }\napi_key = \"sk-marzipan\"";
    let kith = KithProcess::open(
        &settings("http://127.0.0.1:9/v1", "").replace("name = \"scripted\"", secret),
    )
    .await;
    for ask in ["test_model", "use_model"] {
        let _ = kith
            .try_ask(json!({"ask": ask, "url": typed, "model": "any"}))
            .await;
    }
    let _ = kith
        .try_ask(json!({"ask": "list_models", "url": typed}))
        .await;
    let seen = seen.lock().unwrap();
    assert!(!seen.is_empty());
    assert!(!format!("{seen:?}").contains("marzipan"), "{seen:?}");
}
