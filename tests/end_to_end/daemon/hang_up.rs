//! A model that goes on writing behind its answer is hung up on: its tokens are nobody's to pay.

use std::time::Duration;

use serde_json::Value;

use crate::daemon::fake_model::{FakeModel, Reply};
use crate::daemon::kith_process::{KithProcess, settings};
use crate::daemon::{own, text};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_writes_behind_its_answer_is_hung_up_on_and_what_it_took_is_estimated() {
    let answer = "<turn><send_message>hey Anna</send_message></turn>";
    let mark = "<|im_end|>\n<|im_start|>user\n";
    let goes_on = "15 Ben: lol\n<turn><send_message>haha right</send_message></turn>";
    let reply = Reply::events()
        .delta(answer)
        .delta(mark)
        .delta(goes_on)
        .hang();
    let server = FakeModel::openai([reply]).await;
    let kith = KithProcess::open(&settings(&server.openai_url(), "")).await;
    kith.says("@Juno are you there?").await;
    tokio::time::timeout(Duration::from_secs(60), server.client_hung_up())
        .await
        .expect("it hangs up");
    let ended = |history: &[Value]| {
        history
            .iter()
            .find(|line| own(line) && line["turn"].is_string())
            .cloned()
    };
    let said = kith.until("the turn's report", ended).await;
    assert_eq!(text(&said), "hey Anna");
    let turn = kith.ended_turn(1).await;
    let usage = &turn["report"]["rounds"][0]["usage"];
    assert_eq!(usage["estimated"], true, "{usage}");
    assert!(
        usage["completion"]
            .as_u64()
            .is_some_and(|tokens| (5..200).contains(&tokens)),
        "{usage}"
    );
    assert!(
        !kith
            .history()
            .await
            .iter()
            .any(|line| text(line).contains("haha")),
        "the second answer is none"
    );
}
