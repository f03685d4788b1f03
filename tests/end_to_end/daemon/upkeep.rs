//! What must not get stuck: a silent server, a task that dies, a store that does not take a report.

use std::time::Duration;

use kith_agent::turn_tasks;
use kith_core::chat::ChannelId;
use kith_core::report::TokenUsage;
use kith_observe::Observer;
use kith_store::{ModelSpend, Store};
use serde_json::json;

use crate::daemon::kith_process::{KithProcess, model, settings};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_opens_while_the_model_server_is_silent() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", silent.local_addr().unwrap());
    let settings = settings(&url, "").replace("name = \"scripted\"", "");
    let kith = KithProcess::open(&settings).await;
    let state = kith.ask(json!({"ask": "model"})).await;
    assert_eq!(state["name"], "looking for a model…", "{state}");
    assert_eq!(state["stand_in"], false);
    kith.says("@Juno are you there?").await;
    // Answered by whatever is found in the end: here by the stand-in, which says so.
    kith.until_logged("Model: none, the stand-in answers").await;
    kith.until_answers(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn why_it_spoke_is_known_after_a_restart() {
    let url = model(|_| "<turn><send_message>hi</send_message></turn>".into()).await;
    let mut kith = KithProcess::open(&settings(&url, "")).await;
    let posted = kith.says("@Juno hello").await["id"].clone();
    kith.until_answers(1).await;
    // It is on record a moment after the answer stands there.
    kith.ended_turns(1).await;
    let why = json!({"ask": "decision", "channel": "10", "message": posted});
    for moment in ["before", "after"] {
        let explained = kith.ask(why.clone()).await;
        assert_eq!(
            explained["decision_point"]["outcome"], "addressed",
            "{moment}: {explained:#}"
        );
        assert!(explained["turn"].is_string(), "{moment}: {explained:#}");
        let mind = kith.ask(json!({"ask": "mind", "channel": "10"})).await;
        assert_eq!(mind["message"], posted, "{moment}");
        kith.stop();
        kith.start();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_setting_that_counts_after_a_restart_is_said_to() {
    let kith = KithProcess::open(&settings("http://127.0.0.1:9/v1", "")).await;
    let changed = settings("http://127.0.0.1:9/v1", "data_dir = \"elsewhere\"");
    std::fs::write(kith.dir.path().join("kith.toml"), changed).unwrap();
    kith.until_logged("data_dir: counts after a restart").await;
}

#[tokio::test]
async fn work_that_dies_or_takes_too_long_is_told_in_a_sentence() {
    let long = turn_tasks::run_with_limit(Duration::from_secs(1), "it", async { 1 }).await;
    assert_eq!(long, Ok(1));
    let dies = async { panic!("on purpose") };
    let died: Result<(), String> =
        turn_tasks::run_with_limit(Duration::from_secs(1), "it", dies).await;
    assert_eq!(died, Err("it failed inside; see the log".into()));
    let hangs = turn_tasks::run_with_limit(
        Duration::from_millis(10),
        "it",
        std::future::pending::<()>(),
    )
    .await;
    assert_eq!(
        hangs,
        Err("it took longer than 0 s and was given up".into())
    );
}

#[tokio::test]
async fn what_the_store_does_not_take_is_told_once_and_tried_again() {
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("kith.db");
    let store = Store::open(&path).unwrap();
    let beside = rusqlite::Connection::open(&path).unwrap();
    let rename = |from: &str, to: &str| {
        beside
            .execute_batch(&format!("ALTER TABLE {from} RENAME TO {to}"))
            .unwrap()
    };
    rename("model_usage", "elsewhere");
    let mut observer = Observer::new(store.clone());
    let usage = TokenUsage {
        prompt: 5,
        ..TokenUsage::default()
    };
    let (model, function) = ("scripted".to_owned(), "turn".to_owned());
    let spent = ModelSpend {
        at: 0,
        model,
        channel: ChannelId(10),
        function,
        usage,
        cost: 0.0,
    };
    observer.record_spend(spent.clone());
    observer.record_spend(spent);
    let mut told = Vec::new();
    for _ in 0..50 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        told.extend(observer.retry());
    }
    assert_eq!(told.len(), 1, "{told:?}");
    rename("elsewhere", "model_usage");
    observer.retry();
    while observer.has_unwritten() {
        tokio::time::sleep(Duration::from_millis(10)).await;
        observer.retry();
    }
    let rows = store
        .load_usage(chrono::DateTime::UNIX_EPOCH.date_naive())
        .await
        .unwrap();
    assert_eq!(rows.iter().map(|row| row.prompt).sum::<u64>(), 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_leapt_by_a_year_costs_no_history() {
    let url = model(|_| "<turn><stay_silent>nothing to say</stay_silent></turn>".into()).await;
    let mut kith = KithProcess::open(&settings(&url, "")).await;
    kith.says("@Juno keep me").await;
    kith.until_logged("kept silent").await;
    // A clock that shows another time looks from inside as if everything else had another.
    for (days_ago, is_kept) in [(400, true), (100, false)] {
        kith.stop();
        let (database, now) = (kith.database(), kith_system::clock::now());
        let then = now - days_ago * 86_400_000;
        database.change(&format!("UPDATE messages SET at = {then}"));
        // The second time the clock is known from an hour ago: those messages are old indeed.
        let known = if is_kept { then } else { now - 3_600_000 };
        database.change(&format!(
            "INSERT INTO meta VALUES ('clock', '{{\"believed\":{known},\"doubt\":null}}')
             ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        ));
        kith.start();
        let told = if is_kept {
            "nothing is deleted for its age"
        } else {
            "removed what is older"
        };
        kith.until_logged(told).await;
        assert_eq!(
            kith.history().await.len(),
            usize::from(is_kept),
            "{}",
            kith.log()
        );
        assert_eq!(
            kith.log().contains("removed what is older"),
            !is_kept,
            "{}",
            kith.log()
        );
    }
}
