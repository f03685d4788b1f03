//! What people ask it in direct messages about themselves: it is answered whether direct messages are read or not, for
//! nobody has to ask in public.

use std::time::Duration;

use serde_json::{Value, json};

use crate::discord::discord_test::{DiscordTest, on, say};
use crate::discord::fake_discord::{ANNA, BOT, GENERAL, Id, World};
use crate::discord::people::said;

impl DiscordTest {
    /// Everything that is kept about somebody, as they are told where they ask.
    async fn export(&self, channel: Id, user: Id) -> String {
        let answer = self.asks(channel, user, "kith export me", json!({})).await;
        answer
            .file_text("kith-export.json")
            .unwrap_or_else(|| panic!("no file: {answer:?}"))
    }

    /// Waits until no file holds a text any more.
    async fn forgets(&self, text: &str) {
        let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
        while !self.kith.files_with(text).is_empty() {
            assert!(
                kith_system::clock::monotonic() < end,
                "never forgotten: {text}\n{}",
                self.log()
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
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
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> the aardvark sleeps"));
    test.post(GENERAL, 0).await;
    assert!(test.export(direct, ANNA).await.contains("aardvark"));
    test.restarts().await;
    let answer = test
        .asks(direct, ANNA, "kith optout", json!({"how": "dont_remember"}))
        .await;
    assert!(said(&answer).contains("24 hours"), "{answer:?}");
    assert!(
        said(&test.asks(direct, ANNA, "kith status", json!({})).await)
            .contains("this direct message")
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
    assert!(!test.export(direct, ANNA).await.contains("aardvark"));
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
    assert!(
        answer
            .text
            .contains("Forgotten in this direct message: 2 messages"),
        "{answer:?}"
    );
    assert!(test.kith.files_with("aardvark").is_empty());
}
