//! What people ask it in direct messages about themselves: it is answered whether direct messages are read or not, for
//! nobody has to ask in public.

use kith_testkit::{assert_has, assert_lacks};
use serde_json::{Value, json};

use crate::discord::prelude::*;

impl DiscordTest {
    /// Everything that is kept about somebody, as they are told where they ask.
    async fn export(&self, channel: Id, user: Id) -> String {
        let answer = self.asks(channel, user, "kith export me", json!({})).await;
        answer
            .file_text("kith-export.json")
            .unwrap_or_else(|| panic!("no file: {answer:?}"))
    }

    async fn forgets(&self, text: &str) {
        kith_testkit::until(
            || self.kith.files_with(text).is_empty(),
            || format!("never forgotten: {text}\n{}", self.log()),
        )
        .await;
    }
}

/// The id of the first button below a message.
fn first_button(components: &[Value]) -> String {
    components[0]["components"][0]["custom_id"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybody_can_ask_about_themselves_in_a_direct_message_that_is_never_read() {
    let mut world = World::small();
    let direct = world.dm(ANNA);
    let (mut test, _) = DiscordTest::watched(world, "", &on(GENERAL), |_| say("hi")).await;
    test.talk(GENERAL, ANNA, "the aardvark sleeps").await;
    assert_has(test.export(direct, ANNA).await, ["aardvark"]);
    test.restarts().await;
    let answer = test
        .asks(direct, ANNA, "kith optout", json!({"how": "dont_remember"}))
        .await;
    assert_has(said(&answer), ["24 hours"]);
    assert_has(
        said(&test.asks(direct, ANNA, "kith status", json!({})).await),
        ["this direct message"],
    );
    let question = test
        .asks(direct, ANNA, "kith forget me", json!({"where": "all"}))
        .await;
    test.fake.presses(
        direct,
        ANNA,
        question.id,
        &first_button(&question.components),
    );
    test.forgets("aardvark").await;
    assert_lacks(test.export(direct, ANNA).await, ["aardvark"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_direct_message_that_was_read_is_known_again_after_a_restart_by_who_asks_in_it() {
    let mut world = World::small();
    let direct = world.dm(ANNA);
    let (mut test, _) =
        DiscordTest::watched(world, "", "direct_messages = \"on\"\n", |_| say("hi")).await;
    test.fake.says(direct, ANNA, "the aardvark sleeps");
    test.post(direct, 0).await;
    test.restarts().await;
    let answer = test
        .asks(direct, ANNA, "kith forget me", json!({"where": "here"}))
        .await;
    assert_has(
        &answer.text,
        ["Forgotten in this direct message: 2 messages"],
    );
    assert!(test.kith.files_with("aardvark").is_empty());
}
