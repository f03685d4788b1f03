//! What it waits for, with a real process: through the room's API, through SIGKILL, and in every file.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use kith_testkit::kith_process::{KithProcess, model, settings};

fn own(message: &Value) -> bool {
    message["author"]["kind"] == "companion"
}

fn said<'a>(history: &'a [Value], text: &str) -> Option<&'a Value> {
    history
        .iter()
        .find(|line| own(line) && line["text"] == text)
}

/// A model that waits for a word when it is asked to, and says "cake!" when that woke it. Counts its calls.
async fn waiter() -> (String, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let url = model(move |user| {
        counted.fetch_add(1, Ordering::Relaxed);
        if user.contains("What you waited for has come") && user.contains("want marzipan") {
            return "<turn><send_message>cake!</send_message></turn>".into();
        }
        "<turn><wait_for word=\"cake\">want marzipan</wait_for><send_message>ok</send_message></turn>".into()
    })
    .await;
    (url, calls)
}

async fn waiting(kith: &KithProcess) -> Value {
    kith.ask(json!({"ask": "intentions", "channel": "10"}))
        .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_waits_for_survives_sigkill_and_wakes_it_once() {
    let (url, calls) = waiter().await;
    let mut kith = KithProcess::open(&settings(&url, "")).await;
    kith.says("@Juno tell me when there is cake").await;
    kith.until("an answer", |history| said(history, "ok").map(drop))
        .await;
    let listed = waiting(&kith).await;
    assert_eq!(listed["intentions"][0]["word"], "cake", "{listed:#}");
    assert_eq!(listed["intentions"][0]["note"], "want marzipan");
    kith.kill();
    kith.start();
    kith.says("@Ben no pie today").await;
    kith.says("@Ben but there is CAKE").await;
    kith.until("it comes back to it", |history| {
        said(history, "cake!").map(drop)
    })
    .await;
    kith.says("@Ben more cake").await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(calls.load(Ordering::Relaxed), 2);
    assert_eq!(waiting(&kith).await["intentions"], json!([]));
    let turns = kith.ask(json!({"ask": "turns", "channel": "10"})).await;
    assert_eq!(
        turns["turns"][0]["wake"]["own"]["cause"], "word",
        "{turns:#}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_taken_away_in_the_room_is_gone_and_no_file_keeps_its_note() {
    let (url, calls) = waiter().await;
    let mut kith = KithProcess::open(&settings(&url, "")).await;
    kith.says("@Juno tell me when there is cake").await;
    kith.until("an answer", |history| said(history, "ok").map(drop))
        .await;
    let id = waiting(&kith).await["intentions"][0]["id"].clone();
    let take = json!({"ask": "drop_intention", "channel": "10", "id": id});
    kith.ask(take.clone()).await;
    assert_eq!(waiting(&kith).await["intentions"], json!([]));
    assert!(kith.try_ask(take).await.is_err(), "once");
    kith.says("@Ben there is cake").await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(calls.load(Ordering::Relaxed), 1);
    kith.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_that_repeats_a_deleted_message_is_gone_from_every_file() {
    let url = model(|_| {
        "<turn><wait_for word=\"cake\">he likes rhododendrons</wait_for><stay_silent>later</stay_silent></turn>".into()
    })
    .await;
    let mut kith = KithProcess::open(&settings(&url, "")).await;
    let posted = kith.says("@Juno i like rhododendrons").await;
    for _ in 0..200 {
        if waiting(&kith).await["intentions"] != json!([]) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(
        waiting(&kith).await["intentions"][0]["note"],
        "he likes rhododendrons"
    );
    kith.ask(json!({"ask": "delete", "channel": "10", "message": posted["id"]}))
        .await;
    assert_eq!(waiting(&kith).await["intentions"][0]["note"], "");
    kith.stop();
    assert_eq!(kith.files_with("rhododendron"), Vec::<PathBuf>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_nothing_comes_no_model_is_asked() {
    let (url, calls) = waiter().await;
    let kith = KithProcess::open(&settings(&url, "")).await;
    kith.says("@Juno tell me when there is cake").await;
    kith.until("an answer", |history| said(history, "ok").map(drop))
        .await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}
