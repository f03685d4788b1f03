//! What was owed when the process was killed, or told to end in the middle of a turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use kith_testkit::assert_lacks;

use super::kith_process::{KithProcess, moody_model, settings};
use super::*;

/// Settings with which a short line is typed in half a second, and a long one in a minute: however slow
/// the machine is, what happens meanwhile happens before it is sent.
fn slow_typist(url: &str) -> String {
    settings(url, "").replace(
        "characters_per_second = 400.0",
        "characters_per_second = 20.0\nlongest_pause_seconds = 60.0",
    )
}

async fn until(what: &str, kith: &KithProcess, holds: impl Fn() -> bool) {
    kith_testkit::until(holds, || format!("never: {what}\n{}", kith.log())).await;
}

/// Two questions come, and it says its answer to the first: the second is put off.
async fn put_off(kith: &KithProcess) -> Value {
    kith.says("@Juno what is one…").await;
    let two = kith.says("@Juno and what is two?").await;
    kith.until_said("one is one").await;
    two
}

/// It says this in answer to these messages, as its second line and its last.
async fn assert_last_answer(kith: &KithProcess, answer: &str, addressed: Value) {
    let answered = |history: &[Value]| {
        history
            .iter()
            .find(|line| own(line) && text(line) == answer)
            .cloned()
    };
    kith.until("an answer", answered).await;
    let with_turn = |history: &[Value]| answered(history)?["turn"].as_str().map(str::to_owned);
    let turn = kith.until("its turn", with_turn).await;
    let turn = kith.ask(json!({"ask": "turn", "id": turn})).await;
    assert_eq!(turn["report"]["wake"]["addressed"], addressed, "{turn:#}");
    let history = kith.history().await;
    let own_lines = history.iter().filter(|line| own(line)).count();
    assert_eq!(own_lines, 2, "{history:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_was_put_off_to_the_next_turn_is_answered_though_the_process_is_killed_in_it() {
    let (is_asked_again, is_back) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
    let (asked, back) = (is_asked_again.clone(), is_back.clone());
    let long = "two is two ".repeat(120);
    let url = moody_model(move |user| {
        let one = "<send_message reply_to=\"1\">one is one</send_message>";
        match (
            user.contains("and three?"),
            user.contains("and what is two?"),
        ) {
            (true, _) => {
                asked.store(true, Ordering::SeqCst);
                let is_back = back.load(Ordering::SeqCst);
                is_back
                    .then(|| "<turn><send_message>so, two and three</send_message></turn>".into())
            }
            (false, true) => Some(format!(
                "<turn>{one}<send_message reply_to=\"2\">{long}</send_message></turn>"
            )),
            // It thinks until both are there.
            (false, false) => None,
        }
    })
    .await;
    let mut kith = KithProcess::open(&slow_typist(&url)).await;
    let two = put_off(&kith).await;
    let three = kith.says("@Juno and three?").await;
    until("the next turn", &kith, || {
        is_asked_again.load(Ordering::SeqCst)
    })
    .await;
    kith.kill();
    is_back.store(true, Ordering::SeqCst);
    kith.start();
    assert_last_answer(&kith, "so, two and three", json!([two["id"], three["id"]])).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_was_put_off_is_answered_once_though_the_process_is_killed_behind_the_answer() {
    let is_back = Arc::<AtomicBool>::default();
    let back = is_back.clone();
    let long = "two is two ".repeat(120);
    let url = moody_model(move |user| {
        let one = "<send_message reply_to=\"1\">one is one</send_message>";
        let both = "<send_message>so, two and three</send_message>";
        match (
            back.load(Ordering::SeqCst),
            user.contains("and three?"),
            user.contains("and what is two?"),
        ) {
            (true, ..) => Some("<turn><send_message>yes, here</send_message></turn>".into()),
            (_, true, _) => Some(format!(
                "<turn>{both}<send_message>{long}</send_message></turn>"
            )),
            (_, _, true) => Some(format!(
                "<turn>{one}<send_message reply_to=\"2\">{long}</send_message></turn>"
            )),
            // It thinks until both are there.
            _ => None,
        }
    })
    .await;
    let mut kith = KithProcess::open(&slow_typist(&url)).await;
    put_off(&kith).await;
    kith.says("@Juno and three?").await;
    let is_both = |line: &Value| text(line) == "so, two and three";
    kith.until_true("the answer to both", |history| history.iter().any(is_both))
        .await;
    kith.kill();
    is_back.store(true, Ordering::SeqCst);
    kith.start();
    assert_eq!(
        answered_next(&mut kith).await,
        json!(["@Juno are you there?"])
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_who_were_put_off_the_one_not_yet_answered_is_when_the_process_is_killed_in_between()
{
    let is_back = Arc::<AtomicBool>::default();
    let back = is_back.clone();
    let long = "three is three ".repeat(120);
    let url = moody_model(move |user| {
        let one = "<send_message reply_to=\"1\">one is one</send_message>";
        let two = "<send_message reply_to=\"2\">two is two</send_message>";
        let three = format!("<send_message reply_to=\"3\">{long}</send_message>");
        match (
            back.load(Ordering::SeqCst),
            user.contains("and four?"),
            user.contains("and what is three?"),
        ) {
            (true, ..) => {
                Some("<turn><send_message>three, as I said, and four</send_message></turn>".into())
            }
            (_, true, _) => Some(format!("<turn>{two}{three}</turn>")),
            (_, _, true) => Some(format!("<turn>{one}{three}</turn>")),
            // It thinks until all are there.
            _ => None,
        }
    })
    .await;
    let mut kith = KithProcess::open(&slow_typist(&url)).await;
    kith.says("@Juno what is one…").await;
    kith.says("@Juno what is two…").await;
    kith.says("@Juno and what is three?").await;
    kith.until_said("one is one").await;
    kith.says("@Juno and four?").await;
    kith.until_said("two is two").await;
    kith.kill();
    is_back.store(true, Ordering::SeqCst);
    kith.start();
    let is_rest = |line: &&Value| own(line) && text(line) == "three, as I said, and four";
    let turn = |history: &[Value]| {
        history.iter().find(is_rest)?["turn"]
            .as_str()
            .map(str::to_owned)
    };
    let turn = kith.until("the rest", turn).await;
    assert_eq!(
        addressed(&mut kith, turn).await,
        json!(["@Juno and what is three?", "@Juno and four?"])
    );
}

/// Asks whether it is there, and gives the lines that the answering turn was woken by.
async fn answered_next(kith: &mut KithProcess) -> Value {
    kith.says("@Juno are you there?").await;
    let is_here = |line: &&Value| own(line) && text(line) == "yes, here";
    let turn = |history: &[Value]| {
        history.iter().find(is_here)?["turn"]
            .as_str()
            .map(str::to_owned)
    };
    let turn = kith.until("an answer", turn).await;
    addressed(kith, turn).await
}

/// The texts that a turn was woken by.
async fn addressed(kith: &mut KithProcess, turn: String) -> Value {
    let turn = kith.ask(json!({"ask": "turn", "id": turn})).await;
    let history = kith.history().await;
    let line = |id: &Value| {
        history
            .iter()
            .find(|line| line["id"] == *id)
            .map_or(Value::Null, |line| json!(text(line)))
    };
    turn["report"]["wake"]["addressed"]
        .as_array()
        .into_iter()
        .flatten()
        .map(line)
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_who_are_answered_in_one_turn_the_second_is_answered_though_the_process_is_killed_in_between()
 {
    let is_back = Arc::<AtomicBool>::default();
    let back = is_back.clone();
    let long = "two is two ".repeat(120);
    let url = moody_model(move |user| {
        let one = "<send_message reply_to=\"1\">one is one</send_message>";
        match (
            user.contains("and what is two?"),
            back.load(Ordering::SeqCst),
        ) {
            (true, true) => Some("<turn><send_message>two, as I said</send_message></turn>".into()),
            (true, false) => Some(format!(
                "<turn>{one}<send_message reply_to=\"2\">{long}</send_message></turn>"
            )),
            // It thinks until both are there.
            (false, _) => None,
        }
    })
    .await;
    let mut kith = KithProcess::open(&slow_typist(&url)).await;
    let two = put_off(&kith).await;
    kith.kill();
    is_back.store(true, Ordering::SeqCst);
    kith.start();
    assert_last_answer(&kith, "two, as I said", json!([two["id"]])).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn told_to_end_in_the_middle_of_an_answer_it_has_not_failed_however_often() {
    let asked = Arc::<AtomicUsize>::default();
    let counts = asked.clone();
    let url = moody_model(move |_| {
        let lives = counts.fetch_add(1, Ordering::SeqCst) + 1;
        (lives > 3).then(|| "<turn><send_message>here at last</send_message></turn>".into())
    })
    .await;
    let mut kith = KithProcess::open(&settings(&url, "")).await;
    kith.says("@Juno are you there?").await;
    for life in 1..=3 {
        until("it thinks", &kith, || asked.load(Ordering::SeqCst) == life).await;
        assert_eq!(kith.ends_on("TERM"), Some(0), "{}", kith.log());
        kith.start();
    }
    kith.until_answers(1).await;
    let history = kith.history().await;
    assert_eq!(history[0]["reactions"], json!([]), "{history:#?}");
    assert_lacks(kith.log(), ["given up"]);
}
