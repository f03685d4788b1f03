//! What people point at: messages they reply to, open threads at and link to are shown, whenever they were written, and go
//! where they are erased.

use std::time::Duration;

use crate::discord::discord_test::{DiscordTest, on, say};
use crate::discord::fake_discord::{ANNA, BEN, BOT, GENERAL, GUILD, MO, Message, World};

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
    assert!(shown.last().contains("flowerpot"), "{}", shown.last());
    assert!(!shown.last().contains("aardvark"));
    test.fake.deletes(GENERAL, &[key]);
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> and now?"));
    assert_eq!(test.post(GENERAL, 2).await, "hi");
    assert!(!shown.last().contains("flowerpot"), "{}", shown.last());
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
    test.fake
        .says(thread, ANNA, &format!("<@{BOT}> would you fix that?"));
    assert_eq!(test.post(thread, 0).await, "hi");
    assert!(shown.last().contains("in the canal"), "{}", shown.last());
    test.restarts().await;
    test.fake
        .says(thread, ANNA, &format!("<@{BOT}> or sell it?"));
    assert_eq!(test.post(thread, 1).await, "hi");
    assert!(shown.last().contains("in the canal"), "{}", shown.last());
    test.fake.deletes(GENERAL, &[found]);
    test.fake.says(thread, ANNA, &format!("<@{BOT}> well?"));
    assert_eq!(test.post(thread, 2).await, "hi");
    assert!(!shown.last().contains("in the canal"), "{}", shown.last());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_to_a_message_of_the_channel_names_its_line() {
    let (test, shown) = DiscordTest::watched(World::small(), "", &on(GENERAL), |_| say("hi")).await;
    let sold = test.fake.says(GENERAL, BEN, "the red bike is sold");
    test.is_stored("the red bike is sold").await;
    let link = format!("https://discord.com/channels/{GUILD}/{GENERAL}/{sold}");
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> did you see {link}?"));
    assert_eq!(test.post(GENERAL, 0).await, "hi");
    let prompt = shown.last();
    assert!(prompt.contains("did you see (line 1)?"), "{prompt}");
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
    assert!(
        prompt.contains("Mo: hey Juno") && !prompt.contains("m:hey"),
        "{prompt}"
    );
    assert_eq!(test.posts_in_peace(GENERAL).await, 1);
}
