//! Threads, posts and channels that are made while nobody listens: all that is said in them was missed, and is read.

use std::time::Duration;

use crate::discord::fake_discord::{ANNA, BEN, BOT, GENERAL, GUILD, Id, LinkFault, MO, World};
use crate::discord::town::{Prompts, Town, on, remembering};

/// A guild that is on, in which something was heard.
async fn heard_of(world: World) -> (Town, Prompts) {
    let (prompts, answer) = remembering();
    let tables = format!("[guild.{GUILD}]\nmode = \"on\"\n");
    let town = Town::of(world, "", &tables, answer).await;
    town.fake.says(GENERAL, ANNA, "good night");
    town.is_stored("good night").await;
    (town, prompts)
}

/// A post that asks something.
fn asks_in_a_new_thread(town: &Town, parent: Id) -> Id {
    let thread = town.fake.opens_thread(parent, ANNA, "how do I");
    town.fake.says(thread, ANNA, "I have tried turning it off");
    town.fake
        .says(thread, ANNA, &format!("<@{BOT}> what else?"));
    thread
}

/// It is answered once, by who has read all of it.
async fn is_answered(town: &Town, thread: Id, prompts: &Prompts) {
    assert_eq!(town.post(thread, 0).await, "answer 1", "{}", town.log());
    assert_eq!(town.posts_in_peace(thread).await, 1);
    let prompts = prompts.lock().unwrap();
    let places = ["turning it off", "what else?"].map(|text| prompts[0].find(text));
    assert!(places.is_sorted() && places[0].is_some(), "{}", prompts[0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_that_was_opened_in_a_forum_while_it_was_stopped_is_read_and_answered() {
    let mut world = World::small();
    let forum = world.add_channel(GUILD, "help");
    world.channel_mut(forum).kind = 15;
    let (mut town, prompts) = heard_of(world).await;
    town.house.stop();
    let post = asks_in_a_new_thread(&town, forum);
    town.starts().await;
    is_answered(&town, post, &prompts).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_that_was_opened_while_a_session_was_lost_is_read_and_answered() {
    let (town, prompts) = heard_of(World::small()).await;
    town.fake
        .break_links(LinkFault::Invalidate { resumable: false });
    let thread = asks_in_a_new_thread(&town, GENERAL);
    is_answered(&town, thread, &prompts).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_at_an_old_message_is_read_from_its_beginning() {
    let (mut town, prompts) = heard_of(World::small()).await;
    let old = town.fake.says(GENERAL, BEN, "it does not start");
    town.is_stored("it does not start").await;
    town.house.stop();
    let thread = town.fake.opens_thread_at(GENERAL, old, ANNA, "how do I");
    town.fake.says(thread, ANNA, "I have tried turning it off");
    town.fake
        .says(thread, ANNA, &format!("<@{BOT}> what else?"));
    town.starts().await;
    is_answered(&town, thread, &prompts).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_before_it_was_switched_on_stays_unread_also_where_the_channel_is_new() {
    let (_, answer) = remembering();
    let mut town = Town::of(World::small(), "", &on(GENERAL), answer).await;
    town.fake.says(GENERAL, ANNA, "good night");
    town.is_stored("good night").await;
    town.house.stop();
    let new = town.fake.opens_channel_now(GUILD, "new");
    town.fake.says(new, ANNA, "the aardvark sleeps");
    town.starts().await;
    town.fake.says(GENERAL, ANNA, "good morning");
    town.is_stored("good morning").await;
    town.hears(new, MO, "kith on").await;
    town.fake.says(new, ANNA, "from now on");
    town.is_stored("from now on").await;
    town.house.stop();
    town.starts().await;
    town.posts_in_peace(new).await;
    assert!(town.house.files_with("aardvark").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_after_a_new_session_began_and_before_its_guild_is_told_is_read() {
    let (town, prompts) = heard_of(World::small()).await;
    town.fake
        .world(|world| world.guild_mut(GUILD).unavailable = true);
    town.fake
        .break_links(LinkFault::Invalidate { resumable: false });
    town.fake
        .until("a new session", |world| {
            (world.log.identifies.len() > 1).then_some(())
        })
        .await;
    town.is_there().await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    town.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> are you there?"));
    town.fake.guild_comes_back(GUILD);
    assert_eq!(town.post(GENERAL, 0).await, "answer 1");
    assert!(prompts.lock().unwrap()[0].contains("good night"));
}
