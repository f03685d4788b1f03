//! What was said in a place that is gone, or that is off by now, does not stay.

use crate::discord::prelude::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_that_is_deleted_takes_its_messages_turns_and_prompts_along() {
    let mut world = World::small();
    let thread = world.add_thread(GENERAL, "plans", ANNA);
    let (_, answer) = remembering();
    let test = DiscordTest::of(world, "", &on(GENERAL), answer).await;
    test.fake.says(GENERAL, ANNA, "the wombat stays");
    test.fake.says(thread, ANNA, "the aardvark sleeps");
    assert_eq!(test.talk(thread, ANNA, "who sleeps?").await, "answer 1");
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_left_a_server_is_erased_there_after_30_days() {
    let (_, answer) = remembering();
    let mut test = DiscordTest::of(World::small(), "", &on(GENERAL), answer).await;
    test.fake.says(GENERAL, ANNA, "the aardvark sleeps");
    test.fake.says(GENERAL, MO, "the wombat stays");
    test.is_stored("aardvark").await;
    test.is_stored("wombat").await;
    let database = test.kith.database();
    test.kith.stop();
    database.change("UPDATE messages SET at = at - 2 * 86400000");
    test.fake.leaves(GUILD, ANNA);
    test.starts().await;
    let left = "UPDATE departed_members SET absent_since = absent_since - 2678400000, checked = 0
                WHERE absent_since IS NOT NULL";
    kith_testkit::until(
        || database.change(left) != 0,
        || format!("nobody asks who left\n{}", test.log()),
    )
    .await;
    assert!(!test.kith.files_with("aardvark").is_empty(), "not yet");
    test.restarts().await;
    test.is_gone("aardvark").await;
    assert!(!test.kith.files_with("wombat").is_empty());
}
