//! Where it may not write: it reacts all the same where Discord lets it, and in a locked thread it does neither.

use kith_testkit::assert_has;
use serde_json::json;

use crate::discord::fake_discord::permissions as may;
use crate::discord::prelude::*;

const REACTIONS: &str = "PUT /channels/*/messages/*/reactions/*/@me";

/// The emoji that the companion put on a message.
fn marks(world: &World, channel: Id, message: Id) -> Vec<String> {
    let reactions = world
        .message(channel, message)
        .map(|message| message.reactions.clone())
        .unwrap_or_default();
    reactions
        .into_iter()
        .filter(|reaction| reaction.users.contains(&BOT))
        .map(|reaction| reaction.emoji)
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_speaks_to_it_where_it_may_not_write_sees_one_reaction_and_is_answered_once_it_may() {
    let mut world = World::small();
    world.overwrite(GENERAL, For::Role(GUILD), 0, may::SEND_MESSAGES);
    let (test, shown) = DiscordTest::watched(world, "", &on(GENERAL), |_| say("now I can")).await;
    let first = test.calls(GENERAL, ANNA, "hello?");
    let told = test
        .fake
        .until("a reaction", |world| marks(world, GENERAL, first).pop())
        .await;
    assert_eq!(told, "⚠️");
    let second = test.calls(GENERAL, ANNA, "anybody?");
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
    assert_eq!(
        test.fake.world(|world| marks(world, GENERAL, second)),
        Vec::<String>::new(),
        "one a person"
    );
    assert_eq!(
        shown.count(),
        0,
        "no model is asked for what cannot be said"
    );
    let tried = test.fake.requests("POST /channels/*/messages");
    assert!(tried.is_empty(), "{tried:?}");
    let why = test.hears(GENERAL, MO, "kith why").await;
    assert_has(&why, ["may not write here"]);
    test.fake
        .changes_channel(GENERAL, |channel| channel.overwrites.clear());
    assert_eq!(test.post(GENERAL, 0).await, "now I can");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_permission_it_adds_to_an_emoji_that_is_there_and_does_not_ask_for_a_new_one() {
    let mut world = World::small();
    world.overwrite(GENERAL, For::Role(GUILD), 0, may::ADD_REACTIONS);
    let test = DiscordTest::of(world, "", &on(GENERAL), |user| {
        let line = user.lines().find(|line| line.contains("look at this")).unwrap_or("1");
        let number: String = line.chars().take_while(char::is_ascii_digit).collect();
        format!("<turn><react to=\"{number}\" emoji=\"👍\"/><react to=\"{number}\" emoji=\"👀\"/></turn>")
    })
    .await;
    let shown_one = test.fake.says(GENERAL, BEN, "look at this");
    test.fake.reacts(BEN, GENERAL, shown_one, "👍");
    test.calls(GENERAL, ANNA, "nice, no?");
    test.fake
        .until_true("a reaction", |world| {
            marks(world, GENERAL, shown_one) == ["👍"]
        })
        .await;
    test.kith
        .until_logged("the permission \"Add Reactions\" is missing")
        .await;
    assert_eq!(
        test.fake.requests(REACTIONS).len(),
        1,
        "what would be refused is not asked for"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_locked_thread_it_neither_writes_nor_reacts_until_it_is_unlocked() {
    let mut world = World::small();
    let thread = world.add_thread(GENERAL, "plans", ANNA);
    world.channel_mut(thread).thread.as_mut().unwrap().locked = true;
    let tables = format!("[guild.{GUILD}]\nmode = \"on\"\n");
    let (test, _) = DiscordTest::watched(world, "", &tables, |_| say("here I am")).await;
    test.calls(thread, ANNA, "are you there?");
    assert_eq!(test.posts_in_peace(thread).await, 0);
    let why = said(&test.asks(thread, MO, "kith status", json!({})).await);
    assert_has(&why, ["it may not write here"]);
    let asked = test
        .fake
        .requests(&format!("POST /channels/{thread}/messages"))
        .len();
    assert_eq!(
        (asked, test.fake.requests(REACTIONS).len()),
        (0, 0),
        "what would be refused is not asked for"
    );
    test.fake.changes_channel(thread, |thread| {
        thread.thread.as_mut().unwrap().locked = false
    });
    assert_eq!(test.post(thread, 0).await, "here I am");
}
