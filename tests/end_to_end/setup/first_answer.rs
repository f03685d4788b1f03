//! The way of somebody with a token: setup, start, `/kith on`, a mention, an answer; nothing else is needed.

use std::time::Duration;

use kith_testkit::assert_has;
use serde_json::json;

use crate::setup::fake_discord::{ANNA, BOT, GENERAL, MO, TOKEN, World};
use crate::setup::fake_model::Reply;
use crate::setup::{KEY, SetupTest};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_a_token_to_a_first_answer_is_setup_one_command_and_one_mention() {
    let from = kith_system::clock::monotonic();
    let test = SetupTest::of(World::small()).await;
    std::fs::write(test.path().join("token"), TOKEN).unwrap();
    std::fs::write(test.path().join("key"), KEY).unwrap();
    let url = test.model.openai_url();
    let discord = ["--discord-token-file", "token"];
    let model = ["--model-url", &url, "--model", "small-one"];
    let rest = ["--model-key-file", "key", "--yes"];
    let ran = test.setup(&[&discord[..], &model, &rest].concat(), &[]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_has(&ran.out, ["oauth2/authorize"]);

    let answer = "<turn><send_message>good morning, Anna</send_message></turn>";
    test.model
        .on("POST /v1/chat/completions", Reply::openai(&[answer]));
    let mut kith = test.kith(&[]).spawn().unwrap();
    test.fake
        .until_true("its commands", |world| !world.commands.is_empty())
        .await;
    while test.fake.connected() == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let asked = test.fake.slash(GENERAL, MO, "kith on", json!({}));
    test.fake.answer(asked).await;
    test.fake
        .until("the notice of the channel", |world| {
            world.posts(GENERAL).first().map(|_| ())
        })
        .await;
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> morning!"));
    let said = test
        .fake
        .until("an answer", |world| {
            world.posts(GENERAL).get(1).map(|post| post.text.clone())
        })
        .await;
    assert_eq!(said, "good morning, Anna");
    println!("from a token to a first answer: {:?}", from.elapsed());
    kith.kill().unwrap();
    kith.wait().unwrap();
}
