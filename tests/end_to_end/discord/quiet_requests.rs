//! Manners: whom it does not answer, when it keeps quiet, what small reactions are for, and what log channels show.

use kith_testkit::{assert_has, assert_lacks};

use crate::discord::prelude::*;

fn at_juno(text: &str) -> String {
    format!("<@{BOT}> {text}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_answers_neither_itself_nor_webhooks_nor_other_bots() {
    let (test, shown) = DiscordTest::watched(World::small(), "", &on(GENERAL), |_| say("hi")).await;
    test.calls(GENERAL, BOT, "do I answer myself?");
    test.fake.post(
        GENERAL,
        Message::by_webhook(812_000_000_000_000_001, "Feed", at_juno("news!")),
    );
    test.calls(GENERAL, ROBO, "hello fellow bot");
    test.is_stored("fellow bot").await;
    assert_eq!(
        test.posts_in_peace(GENERAL).await,
        1,
        "only what was said in its name"
    );
    assert_eq!(shown.count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_in_a_log_channel_is_never_heard() {
    let tables = format!(
        "[discord.log]\nchannel = \"{LOG}\"\n[guild.{GUILD}]\nmode = \"on\"\nlog_channel = \"{RANDOM}\"\n{}",
        on(LOG)
    );
    let (test, shown) = DiscordTest::watched(
        World::small(),
        "talkativeness = \"about 0 an hour\"\n",
        &tables,
        |_| say("hi"),
    )
    .await;
    for log in [LOG, RANDOM] {
        test.calls(log, ANNA, "the rhubarb is ripe");
        let answer = test.hears(log, MO, "kith on").await;
        assert_has(&answer, ["off"]);
    }
    test.fake.says(GENERAL, ANNA, "elsewhere");
    test.is_stored("elsewhere").await;
    assert_eq!(
        test.posts_in_peace(LOG).await,
        0,
        "{:#?}",
        test.fake.posts(LOG)
    );
    assert_eq!(
        (shown.count(), test.kith.files_with("rhubarb").len()),
        (0, 0)
    );
}

async fn entry(test: &DiscordTest, log: Id) -> Message {
    test.fake
        .until("a log entry", |world| {
            world.posts(log).first().map(|post| (*post).clone())
        })
        .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_is_told_in_the_log_channel_with_buttons_and_a_link_and_without_text() {
    let tables = format!("[discord.log]\nchannel = \"{LOG}\"\n{}", on(GENERAL));
    let answer = "<turn><thoughts>she likes marmalade</thoughts><send_message>porridge it is</send_message></turn>";
    let test = DiscordTest::of(World::small(), "", &tables, move |_| answer.into()).await;
    let asked = test.calls(GENERAL, ANNA, "what about breakfast?");
    test.post(GENERAL, 0).await;
    let entry = entry(&test, LOG).await;
    let text = said(&entry);
    assert_has(&text, ["Spoke in The Lounge #general", "by a mention"]);
    assert_has(
        &text,
        [format!(
            "https://discord.com/channels/{GUILD}/{GENERAL}/{asked}"
        )],
    );
    assert_lacks(&text, ["breakfast", "porridge", "marmalade", "Anna"]);
    let buttons = serde_json::to_string(&entry.components).unwrap();
    assert_has(
        &buttons,
        ["Why?", "Prompt and answer", "Pause 30 min", "Take it back"],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guilds_log_channel_shows_neither_other_guilds_nor_direct_messages() {
    let mut world = World::small();
    let owner = world.add_user("Ora");
    let second = world.add_guild("Second", owner);
    let (parlour, watch) = (
        world.add_channel(second, "parlour"),
        world.add_channel(second, "watch"),
    );
    world.join(second, BEN);
    let direct = world.dm(ANNA);
    let tables = format!(
        "direct_messages = \"on\"\n[guild.{GUILD}]\nmode = \"on\"\nlog_channel = \"{LOG}\"\n[guild.{second}]\nmode = \"on\"\n\
         log_channel = \"{watch}\"\n"
    );
    let test = DiscordTest::of(world, "", &tables, |_| say("hi")).await;
    test.fake.says(direct, ANNA, "psst");
    test.post(direct, 0).await;
    test.calls(parlour, BEN, "hello");
    test.calls(GENERAL, ANNA, "hello");
    let (first, other) = (
        said(&entry(&test, LOG).await),
        said(&entry(&test, watch).await),
    );
    assert_has(&first, ["#general"]);
    assert_has(&other, ["#parlour"]);
    test.posts_in_peace(LOG).await;
    for (log, place) in [(LOG, "#general"), (watch, "#parlour")] {
        let told: Vec<String> = test
            .fake
            .posts(log)
            .iter()
            .flat_map(|post| post.embeds.iter())
            .map(|embed| embed["title"].to_string())
            .collect();
        assert!(told.len() == 1 && told[0].contains(place), "{told:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asked_for_quiet_it_says_so_with_a_reaction_and_nothing_else() {
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), |_| say("hi")).await;
    let request = test.fake.says(GENERAL, BEN, "Juno, be quiet please");
    let mark = |world: &World| {
        let mut marks = world.message(GENERAL, request)?.reactions.iter();
        let own = marks.find(|mark| mark.users.contains(&BOT))?;
        Some(own.emoji.clone())
    };
    assert_eq!(test.fake.until("a reaction", mark).await, "🤐");
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
}
