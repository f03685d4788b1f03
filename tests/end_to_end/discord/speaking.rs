//! What it says and how: long answers in parts, replies, typing, whom it pings, emoji and stickers, what the server does
//! not let pass, and the names it goes by.

use kith_testkit::assert_has;

use crate::discord::prelude::*;

fn tables() -> String {
    format!(
        "[discord.log]\nchannel = {LOG}\nlevel = \"errors\"\n{}",
        on(GENERAL)
    )
}

/// How many entries of the log channel say this.
fn told(test: &DiscordTest, text: &str) -> usize {
    test.fake
        .posts(LOG)
        .iter()
        .filter(|entry| said(entry).contains(text))
        .count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_automod_stops_is_told_once_and_not_tried_again() {
    let mut world = World::small();
    world.guild_mut(GUILD).blocked_words.push("rhubarb".into());
    let answer = |user: &str| match user.contains("something else") {
        true => say("apples, then"),
        false => say("rhubarb pie"),
    };
    let test = DiscordTest::of(world, "", &tables(), answer).await;
    test.calls(GENERAL, ANNA, "what do you bake?");
    test.fake
        .until("a word about it", |world| world.posts(LOG).pop().map(drop))
        .await;
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
    let tried = test
        .fake
        .requests(&format!("POST /channels/{GENERAL}/messages"))
        .len();
    let said = test
        .log()
        .matches("AutoMod does not let this text pass")
        .count();
    assert_eq!(
        (tried, told(&test, "Failed in"), said),
        (1, 1, 1),
        "{}",
        test.log()
    );
    assert_eq!(told(&test, "AutoMod did not let it pass"), 1);
    assert_eq!(
        test.talk(GENERAL, ANNA, "something else, please").await,
        "apples, then",
        "the channel is not given up for it"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_it_may_not_speak_any_more_the_host_is_told_once() {
    let (test, shown) = DiscordTest::watched(World::small(), "", &tables(), |_| say("hello")).await;
    let refused = permissions::SEND_MESSAGES | permissions::ADD_REACTIONS;
    // Nobody tells the bot of it: Discord refuses all the same.
    test.fake
        .world(|world| world.overwrite(GENERAL, For::Role(BOT_ROLE), 0, refused));
    let mut paid = Vec::new();
    for text in ["one", "two", "three"] {
        test.calls(GENERAL, ANNA, text);
        assert_eq!(test.posts_in_peace(GENERAL).await, 0);
        paid.push(shown.count());
    }
    assert_eq!(paid[1..], [paid[0]; 2], "one turn is paid for");
    let tried = test
        .fake
        .requests(&format!("POST /channels/{GENERAL}/messages"))
        .len();
    assert_eq!((tried, told(&test, "Failed in")), (1, 1), "{}", test.log());
    assert_eq!(
        test.log().matches("does not let it post there").count(),
        1,
        "{}",
        test.log()
    );
    test.fake
        .changes_channel(GENERAL, |channel| channel.overwrites.clear());
    assert_eq!(test.post(GENERAL, 0).await, "hello");
    assert_has(shown.last(), ["three"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_answers_to_its_nick_in_the_server_and_to_the_next_one() {
    let mut world = World::small();
    world.guild_mut(GUILD).members.get_mut(&BOT).unwrap().nick = Some("Pip".into());
    let test = DiscordTest::of(world, "", &on(GENERAL), |_| say("yes?")).await;
    test.fake.says(GENERAL, ANNA, "Pip, are you there?");
    assert_eq!(test.post(GENERAL, 0).await, "yes?");
    test.fake
        .changes_member(GUILD, BOT, |member| member.nick = Some("Zed".into()));
    test.fake.says(GENERAL, ANNA, "Zed, and now?");
    assert_eq!(test.post(GENERAL, 1).await, "yes?");
}
