//! Threads, posts and channels that are made while nobody listens: all that is said in them was missed, and is read.

use std::time::Duration;

use kith_testkit::assert_has;

use crate::discord::prelude::*;

async fn heard_of(world: World) -> (DiscordTest, Prompts) {
    let (prompts, answer) = remembering();
    let tables = format!("[guild.{GUILD}]\nmode = \"on\"\n");
    let test = DiscordTest::of(world, "", &tables, answer).await;
    test.fake.says(GENERAL, ANNA, "good night");
    test.is_stored("good night").await;
    (test, prompts)
}

fn asks_in_a_new_thread(test: &DiscordTest, parent: Id) -> Id {
    let thread = test.fake.opens_thread(parent, ANNA, "how do I");
    test.fake.says(thread, ANNA, "I have tried turning it off");
    test.calls(thread, ANNA, "what else?");
    thread
}

async fn is_answered(test: &DiscordTest, thread: Id, prompts: &Prompts) {
    assert_eq!(test.post(thread, 0).await, "answer 1", "{}", test.log());
    assert_eq!(test.posts_in_peace(thread).await, 1);
    let prompts = prompts.lock().unwrap();
    let places = ["turning it off", "what else?"].map(|text| prompts[0].find(text));
    assert!(places.is_sorted() && places[0].is_some(), "{}", prompts[0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_that_was_opened_in_a_forum_while_it_was_stopped_is_read_and_answered() {
    let mut world = World::small();
    let forum = world.add_channel(GUILD, "help");
    world.channel_mut(forum).kind = 15;
    let (mut test, prompts) = heard_of(world).await;
    test.kith.stop();
    let post = asks_in_a_new_thread(&test, forum);
    test.starts().await;
    is_answered(&test, post, &prompts).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_that_was_opened_while_a_session_was_lost_is_read_and_answered() {
    let (test, prompts) = heard_of(World::small()).await;
    test.fake
        .break_links(LinkFault::Invalidate { resumable: false });
    let thread = asks_in_a_new_thread(&test, GENERAL);
    is_answered(&test, thread, &prompts).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_at_an_old_message_is_read_from_its_beginning() {
    let (mut test, prompts) = heard_of(World::small()).await;
    let old = test.fake.says(GENERAL, BEN, "it does not start");
    test.is_stored("it does not start").await;
    test.kith.stop();
    let thread = test.fake.opens_thread_at(GENERAL, old, ANNA, "how do I");
    test.fake.says(thread, ANNA, "I have tried turning it off");
    test.calls(thread, ANNA, "what else?");
    test.starts().await;
    is_answered(&test, thread, &prompts).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missed_question_is_answered_though_its_thread_is_read_first() {
    let (mut test, _) = heard_of(World::small()).await;
    test.kith.stop();
    let asked = test.calls(GENERAL, BEN, "what is a tuple?");
    let thread = test.fake.opens_thread_at(GENERAL, asked, ANNA, "tuples");
    test.fake.says(thread, ANNA, "I would like to know, too");
    let page = format!("GET /channels/{GENERAL}/messages");
    test.fake.fault(&page, Fault::Slow(Duration::from_secs(2)));
    test.starts().await;
    assert_eq!(test.post(GENERAL, 0).await, "answer 1", "{}", test.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_before_it_was_switched_on_stays_unread_also_where_the_channel_is_new() {
    let (_, answer) = remembering();
    let mut test = DiscordTest::of(World::small(), "", &on(GENERAL), answer).await;
    test.fake.says(GENERAL, ANNA, "good night");
    test.is_stored("good night").await;
    test.kith.stop();
    let new = test.fake.opens_channel_now(GUILD, "new");
    test.fake.says(new, ANNA, "the aardvark sleeps");
    test.starts().await;
    test.fake.says(GENERAL, ANNA, "good morning");
    test.is_stored("good morning").await;
    test.hears(new, MO, "kith on").await;
    test.fake.says(new, ANNA, "from now on");
    test.is_stored("from now on").await;
    test.kith.stop();
    test.starts().await;
    test.posts_in_peace(new).await;
    assert!(test.kith.files_with("aardvark").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_after_a_new_session_began_and_before_its_guild_is_told_is_read() {
    let (test, prompts) = heard_of(World::small()).await;
    test.fake
        .world(|world| world.guild_mut(GUILD).unavailable = true);
    test.fake
        .break_links(LinkFault::Invalidate { resumable: false });
    test.fake
        .until_true("a new session", |world| world.log.identifies.len() > 1)
        .await;
    test.is_there().await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    test.calls(GENERAL, ANNA, "are you there?");
    test.fake.guild_comes_back(GUILD);
    assert_eq!(test.post(GENERAL, 0).await, "answer 1");
    assert_has(&prompts.lock().unwrap()[0], ["good night"]);
}
