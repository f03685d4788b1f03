//! What somebody writes in two halves is answered once, and typing is told to be over when there is nothing to be typed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::daemon::kith_process::{KithProcess, model, moody_model, settings};
use crate::daemon::stopping::live_until;
use crate::daemon::{own, text};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_line_while_it_thinks_restarts_the_turn_and_one_answer_holds_both() {
    let asked = Arc::new(AtomicU32::new(0));
    let counts = asked.clone();
    // It would think about the first half for ever.
    let url = moody_model(move |user| {
        if !user.contains("want to come over?") {
            return Some("<turn><stay_silent>not for me</stay_silent></turn>".into());
        }
        counts.fetch_add(1, Ordering::SeqCst);
        let both = user.contains("we have pizza");
        both.then(|| "<turn><send_message>on my way, keep me a slice</send_message></turn>".into())
    });
    let kith = KithProcess::open(&settings(&url.await, "")).await;
    // Who speaks alone in a room speaks to the companion with every line.
    let added = kith.ask(json!({"ask": "add_person", "name": "Tom"})).await;
    let tom = added["id"]
        .as_str()
        .or(added["person"]["id"].as_str())
        .expect("an id");
    kith.ask(json!({"ask": "post", "channel": "10", "person": tom, "text": "evening", "client_nonce": "tom"})).await;
    kith.ended_turns(1).await;
    kith.says("@Juno want to come over?").await;
    kith.until("the first half was asked", |_| {
        (asked.load(Ordering::SeqCst) == 1).then_some(())
    })
    .await;
    kith.says("we have pizza").await;
    let finished = |history: &[Value]| history.iter().any(own).then(|| history.to_vec());
    let history = kith.until("an answer", finished).await;
    let answers: Vec<&str> = history.iter().filter(|line| own(line)).map(text).collect();
    assert_eq!(answers, ["on my way, keep me a slice"]);
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    let turns = kith.ended_turns(2).await;
    assert_eq!(turns.len(), 2, "{turns:#?}");
    let report = kith
        .ask(json!({"ask": "turn", "id": turns[0]["turn"]}))
        .await["report"]
        .clone();
    assert!(
        report["notes"].to_string().contains("wrote another line"),
        "{report:#}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_notice_that_it_types_ends_with_a_turn_that_says_nothing() {
    let url = model(|_| "<turn><stay_silent>nothing to add</stay_silent></turn>".into()).await;
    let kith = KithProcess::open(&settings(&url, "")).await;
    let events = live_until(&kith, |event| event["type"] == "turn_finished").await;
    let of = |kind: &str| events.iter().rposition(|event| event["type"] == kind);
    let (typing, ended) = (
        of("typing").expect("it was called"),
        of("typing_ended").expect("it is over"),
    );
    assert!(typing < ended, "{events:#?}");
    assert_eq!(events[typing]["user"], events[ended]["user"]);
    assert_eq!(events[typing]["channel"], events[ended]["channel"]);
}
