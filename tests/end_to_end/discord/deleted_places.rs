//! What was said in a place that is gone, or that is off by now, does not stay.

use crate::discord::discord_test::{DiscordTest, on, remembering};
use crate::discord::fake_discord::{ANNA, BOT, GENERAL, GUILD, MO, RANDOM, World};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_that_is_deleted_takes_its_messages_turns_and_prompts_along() {
    let mut world = World::small();
    let thread = world.add_thread(GENERAL, "plans", ANNA);
    let (_, answer) = remembering();
    let test = DiscordTest::of(world, "", &on(GENERAL), answer).await;
    test.fake.says(GENERAL, ANNA, "the wombat stays");
    test.fake.says(thread, ANNA, "the aardvark sleeps");
    test.fake
        .says(thread, ANNA, &format!("<@{BOT}> who sleeps?"));
    assert_eq!(test.post(thread, 0).await, "answer 1");
    test.is_stored("aardvark").await;
    test.knows_it_did(1).await;
    test.fake.removes_channel(thread);
    test.is_gone("aardvark").await;
    test.is_gone("who sleeps?").await;
    assert!(
        !test.kith.files_with("wombat").is_empty(),
        "its parent is still there"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_does_a_channel_that_was_deleted_while_it_was_stopped() {
    let (_, answer) = remembering();
    let mut test = DiscordTest::of(World::small(), "", &(on(GENERAL) + &on(RANDOM)), answer).await;
    test.fake.says(RANDOM, ANNA, "the aardvark sleeps");
    test.fake.says(GENERAL, ANNA, "the wombat stays");
    test.is_stored("aardvark").await;
    test.is_stored("wombat").await;
    test.kith.stop();
    test.fake.removes_channel(RANDOM);
    test.starts().await;
    test.is_gone("aardvark").await;
    assert!(!test.kith.files_with("wombat").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn and_so_does_a_guild_that_throws_it_out() {
    let (_, answer) = remembering();
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), answer).await;
    test.fake.says(GENERAL, ANNA, "the aardvark sleeps");
    test.is_stored("aardvark").await;
    test.fake.removes_bot(GUILD);
    test.is_gone("aardvark").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_edited_where_it_is_off_by_now_is_gone_and_not_read_anew() {
    let (_, answer) = remembering();
    let test = DiscordTest::of(World::small(), "", "", answer).await;
    test.hears(GENERAL, MO, "kith on").await;
    let said = test.fake.says(GENERAL, ANNA, "the aardvark sleeps");
    test.is_stored("aardvark").await;
    test.hears(GENERAL, MO, "kith off").await;
    test.fake.edits(GENERAL, said, "the wombat sleeps");
    test.is_gone("aardvark").await;
    assert!(test.kith.files_with("wombat").is_empty());
}
