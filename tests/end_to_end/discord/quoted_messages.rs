//! What people point at: messages they reply to, open threads at and link to are shown, whenever they were written, and go
//! where they are erased.

use std::time::Duration;

use kith_testkit::{assert_has, assert_lacks};

use crate::discord::prelude::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_reply_answers_is_shown_though_it_was_said_before_it_came_until_it_is_deleted() {
    let (test, shown) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    let key = test
        .fake
        .says(GENERAL, BEN, "the key lies under the flowerpot");
    test.fake.says(GENERAL, BEN, "and the aardvark sleeps");
    test.hears(GENERAL, MO, "kith on").await;
    // What was written a moment ago would come by itself.
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    let asks = |text: &str| Message::by(ANNA, format!("<@{BOT}> {text}")).reply_to(key);
    test.fake.post(GENERAL, asks("what does this mean?"));
    assert_eq!(test.post(GENERAL, 1).await, "hi");
    assert_has(shown.last(), ["flowerpot"]);
    assert_lacks(shown.last(), ["aardvark"]);
    test.fake.deletes(GENERAL, &[key]);
    assert_eq!(test.talk(GENERAL, ANNA, "and now?").await, "hi");
    assert_lacks(shown.last(), ["flowerpot"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_begins_with_the_message_it_was_opened_at_until_that_is_deleted() {
    let (mut test, shown) =
        DiscordTest::watched(World::small(), "", &on(GENERAL), |_| say("hi")).await;
    let found = test
        .fake
        .says(GENERAL, BEN, "i found a peugeot in the canal");
    test.is_stored("i found a peugeot in the canal").await;
    let thread = test.fake.opens_thread_at(GENERAL, found, BEN, "canal");
    assert_eq!(test.talk(thread, ANNA, "would you fix that?").await, "hi");
    assert_has(shown.last(), ["in the canal"]);
    test.restarts().await;
    assert_eq!(test.talk(thread, ANNA, "or sell it?").await, "hi");
    assert_has(shown.last(), ["in the canal"]);
    test.fake.deletes(GENERAL, &[found]);
    assert_eq!(test.talk(thread, ANNA, "well?").await, "hi");
    assert_lacks(shown.last(), ["in the canal"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whom_pluralkit_speaks_for_is_answered_where_the_settings_say_so() {
    const PLURALKIT: u64 = 466_378_653_216_014_359;
    let tables = format!("answer_webhooks = [\"pluralkit\"]\n{}", on(GENERAL));
    let (test, shown) = DiscordTest::watched(World::small(), "", &tables, |_| say("hi Mo")).await;
    // The webhook's own id may stand in the place of its application's.
    let proxied = Message::by_webhook(PLURALKIT, "Mo", "hey Juno, did you eat?");
    let original = test.fake.says(GENERAL, ANNA, "m:hey Juno, did you eat?");
    test.fake.post(GENERAL, proxied);
    test.fake.deletes(GENERAL, &[original]);
    assert_eq!(test.post(GENERAL, 0).await, "hi Mo");
    let prompt = shown.last();
    assert_has(&prompt, ["Mo: hey Juno"]);
    assert_lacks(&prompt, ["m:hey"]);
    assert_eq!(test.posts_in_peace(GENERAL).await, 1);
}
