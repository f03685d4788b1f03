//! What was said in a place that is gone, or that is off by now, does not stay.

use crate::discord::fake_discord::{ANNA, BOT, GENERAL, GUILD, MO, RANDOM, World};
use crate::discord::town::{Town, on, remembering};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_that_is_deleted_takes_its_messages_turns_and_prompts_along() {
    let mut world = World::small();
    let thread = world.add_thread(GENERAL, "plans", ANNA);
    let (_, answer) = remembering();
    let town = Town::of(world, "", &on(GENERAL), answer).await;
    town.fake.says(GENERAL, ANNA, "the wombat stays");
    town.fake.says(thread, ANNA, "the aardvark sleeps");
    town.fake
        .says(thread, ANNA, &format!("<@{BOT}> who sleeps?"));
    assert_eq!(town.post(thread, 0).await, "answer 1");
    town.is_stored("aardvark").await;
    town.knows_it_did(1).await;
    town.fake.removes_channel(thread);
    town.is_gone("aardvark").await;
    town.is_gone("who sleeps?").await;
    assert!(
        !town.house.files_with("wombat").is_empty(),
        "its parent is still there"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_does_a_channel_that_was_deleted_while_it_was_stopped() {
    let (_, answer) = remembering();
    let mut town = Town::of(World::small(), "", &(on(GENERAL) + &on(RANDOM)), answer).await;
    town.fake.says(RANDOM, ANNA, "the aardvark sleeps");
    town.fake.says(GENERAL, ANNA, "the wombat stays");
    town.is_stored("aardvark").await;
    town.is_stored("wombat").await;
    town.house.stop();
    town.fake.removes_channel(RANDOM);
    town.starts().await;
    town.is_gone("aardvark").await;
    assert!(!town.house.files_with("wombat").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn and_so_does_a_guild_that_throws_it_out() {
    let (_, answer) = remembering();
    let town = Town::of(World::small(), "", &on(GENERAL), answer).await;
    town.fake.says(GENERAL, ANNA, "the aardvark sleeps");
    town.is_stored("aardvark").await;
    town.fake.removes_bot(GUILD);
    town.is_gone("aardvark").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_edited_where_it_is_off_by_now_is_gone_and_not_read_anew() {
    let (_, answer) = remembering();
    let town = Town::of(World::small(), "", "", answer).await;
    town.hears(GENERAL, MO, "kith on").await;
    let said = town.fake.says(GENERAL, ANNA, "the aardvark sleeps");
    town.is_stored("aardvark").await;
    town.hears(GENERAL, MO, "kith off").await;
    town.fake.edits(GENERAL, said, "the wombat sleeps");
    town.is_gone("aardvark").await;
    assert!(town.house.files_with("wombat").is_empty());
}
