//! Manners: whom it does not answer, when it keeps quiet, what small reactions are for, and what log channels show.

use serde_json::json;

use crate::discord::discord_test::{DiscordTest, on, say, settings};
use crate::discord::fake_discord::{
    ANNA, BEN, BOT, BOT_ROLE, FakeDiscord, For, GENERAL, GUILD, HOST, Id, LOG, MO, Message, RANDOM,
    ROBO, World, permissions,
};
use crate::discord::people::said;

/// Where people mostly mumble, this is what it wants to answer unasked.
const TEMPTING: &str = "do you like vinyl, bikes, cats and horror movies?";

fn at_juno(text: &str) -> String {
    format!("<@{BOT}> {text}")
}

/// Some minutes ago Anna talked with the companion in two channels that it knows well; there it is chatty now.
async fn talked(tables: &str) -> DiscordTest {
    let fake = FakeDiscord::start(World::small());
    let now = fake.now();
    fake.set_now(now - 8 * 60_000);
    let test = DiscordTest::on(fake, "", tables, |_| say("hi")).await;
    test.has_commands().await;
    for channel in [GENERAL, RANDOM] {
        for mumbled in 0..30 {
            test.fake
                .says(channel, [ANNA, BEN, MO, HOST][mumbled % 4], "mhm");
        }
        test.fake.says(channel, ANNA, &at_juno("hello"));
        test.post(channel, 0).await;
    }
    test.knows_it_did(2).await;
    test.fake.set_now(now);
    for channel in [GENERAL, RANDOM] {
        test.asks(channel, MO, "kith talkativeness", json!({"level": 1.0}))
            .await;
    }
    test
}

/// Anna goes on talking in two channels: it answers in one of them and not in the other.
async fn speaks_only(test: &DiscordTest, speaks: Id, keeps_quiet: Id) {
    test.fake.says(speaks, ANNA, TEMPTING);
    test.fake.says(keeps_quiet, ANNA, TEMPTING);
    test.post(speaks, 1).await;
    assert_eq!(
        test.posts_in_peace(keeps_quiet).await,
        1,
        "as tempting as where it spoke"
    );
    test.fake.says(keeps_quiet, BEN, &at_juno("still there?"));
    test.post(keeps_quiet, 1).await;
}

/// What the companion put on a message.
fn marks(test: &DiscordTest, channel: Id, message: Id) -> Vec<String> {
    test.fake.world(|world| {
        let reactions = world
            .message(channel, message)
            .map(|message| message.reactions.clone())
            .unwrap_or_default();
        reactions
            .into_iter()
            .filter(|mark| mark.users.contains(&BOT))
            .map(|mark| mark.emoji)
            .collect()
    })
}

/// Waits until it has put something on a message.
async fn mark(test: &DiscordTest, channel: Id, message: Id) -> String {
    let found = |world: &World| {
        let reactions = &world.message(channel, message)?.reactions;
        reactions
            .iter()
            .find(|mark| mark.users.contains(&BOT))
            .map(|mark| mark.emoji.clone())
    };
    test.fake.until("a reaction", found).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_answers_neither_itself_nor_webhooks_nor_other_bots() {
    let (test, shown) = DiscordTest::watched(World::small(), "", &on(GENERAL), |_| say("hi")).await;
    test.fake
        .says(GENERAL, BOT, &at_juno("do I answer myself?"));
    test.fake.post(
        GENERAL,
        Message::by_webhook(812_000_000_000_000_001, "Feed", at_juno("news!")),
    );
    test.fake.says(GENERAL, ROBO, &at_juno("hello fellow bot"));
    test.is_stored("fellow bot").await;
    assert_eq!(
        test.posts_in_peace(GENERAL).await,
        1,
        "only what was said in its name"
    );
    assert_eq!(shown.count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_that_may_be_answered_are_answered_so_often_and_no_more() {
    let (test, _) = DiscordTest::watched(
        World::small(),
        "",
        &format!("bots = \"limited\"\n{}", on(GENERAL)),
        |_| say("hi"),
    )
    .await;
    for known in 0..3 {
        test.fake.says(GENERAL, ROBO, &at_juno("and then?"));
        test.post(GENERAL, known).await;
    }
    test.fake.says(GENERAL, ROBO, &at_juno("and then?"));
    assert_eq!(
        test.posts_in_peace(GENERAL).await,
        3,
        "one bot, while nobody else speaks"
    );
    test.fake.says(GENERAL, ANNA, "look, they are talking");
    for known in 3..6 {
        test.fake.says(GENERAL, ROBO, &at_juno("and then?"));
        test.post(GENERAL, known).await;
    }
    test.fake.says(GENERAL, ANNA, "still at it");
    test.fake.says(GENERAL, ROBO, &at_juno("and then?"));
    assert_eq!(
        test.posts_in_peace(GENERAL).await,
        6,
        "one channel, whoever speaks"
    );
    test.fake.says(GENERAL, ANNA, &at_juno("and me?"));
    test.post(GENERAL, 6).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asked_for_quiet_it_says_so_with_a_reaction_and_speaks_only_when_spoken_to() {
    let test = talked(&(on(GENERAL) + &on(RANDOM))).await;
    let request = test.fake.says(GENERAL, BEN, "Juno, be quiet please");
    assert_eq!(mark(&test, GENERAL, request).await, "🤐");
    assert_eq!(
        test.posts_in_peace(GENERAL).await,
        1,
        "the reaction is the whole answer"
    );
    speaks_only(&test, RANDOM, GENERAL).await;
    assert_eq!(marks(&test, GENERAL, request).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hushed_by_a_reaction_on_its_line_it_is_quiet_too() {
    let test = talked(&(on(GENERAL) + &on(RANDOM))).await;
    let line = test.fake.posts(GENERAL)[0].id;
    test.fake.reacts(BEN, GENERAL, line, "🤫");
    assert_eq!(mark(&test, GENERAL, line).await, "🤐");
    speaks_only(&test, RANDOM, GENERAL).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_quiet_hours_it_speaks_only_when_spoken_to() {
    // Some hours around now, wide enough for the time zone of the persona.
    let now = chrono::DateTime::from_timestamp_millis(kith_system::clock::now()).unwrap();
    let hour = |by: i64| (now + chrono::TimeDelta::hours(by)).format("%H:%M");
    let quiet = format!("{}-{}", hour(-6), hour(6));
    let tables = format!(
        "[channel.{GENERAL}]\nmode = \"on\"\nquiet_hours = \"{quiet}\"\n{}",
        on(RANDOM)
    );
    let test = talked(&tables).await;
    speaks_only(&test, RANDOM, GENERAL).await;
}

/// Anna calls twice and Ben once: each gets one `emoji` and nobody an answer.
async fn is_marked(test: &DiscordTest, emoji: &str) {
    let first = test.fake.says(GENERAL, ANNA, &at_juno("hello?"));
    assert_eq!(mark(test, GENERAL, first).await, emoji);
    let second = test.fake.says(GENERAL, ANNA, &at_juno("hello??"));
    let other = test.fake.says(GENERAL, BEN, &at_juno("hello!"));
    assert_eq!(mark(test, GENERAL, other).await, emoji);
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
    assert!(marks(test, GENERAL, second).is_empty(), "one a person");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_the_budget_is_spent_who_calls_gets_one_sleepy_reaction() {
    let tables = on(GENERAL) + "[budget]\ndaily_tokens = 1000\n";
    let test = DiscordTest::of(World::small(), "", &tables, |_| say("hi")).await;
    is_marked(&test, "💤").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_it_sleeps_who_calls_gets_one_sleepy_reaction() {
    let fake = FakeDiscord::start(World::small());
    let settings = settings(
        &fake,
        "http://127.0.0.1:9/v1",
        "persona = \"sleepy.toml\"",
        &on(GENERAL),
    );
    let part = |from: &str, to: &str| {
        format!("{{ from = \"{from}\", to = \"{to}\", doing = \"asleep\", asleep = true }}")
    };
    let day = [part("00:00", "12:00"), part("12:00", "00:00")].join(", ");
    let persona = format!(
        "name = \"Juno\"\nidentity = \"You are Juno.\"\n[schedule]\ntimezone = \"UTC\"\nday = [{day}]\n"
    );
    let test = DiscordTest::with(fake, &settings, &[("sleepy.toml", &persona)]).await;
    is_marked(&test, "💤").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_the_model_fails_who_called_gets_one_warning_sign() {
    let fake = FakeDiscord::start(World::small());
    let settings = settings(&fake, "http://127.0.0.1:9/v1", "", &on(GENERAL));
    let test = DiscordTest::with(fake, &settings, &[]).await;
    is_marked(&test, "⚠️").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_of_its_own_role_is_a_mention() {
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), |_| say("here")).await;
    test.fake
        .says(GENERAL, ANNA, &format!("<@&{BOT_ROLE}> anyone home?"));
    assert_eq!(test.post(GENERAL, 0).await, "here");
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
        test.fake.says(log, ANNA, &at_juno("the rhubarb is ripe"));
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

/// Waits for the first entry of a log channel.
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
    let asked = test
        .fake
        .says(GENERAL, ANNA, &at_juno("what about breakfast?"));
    test.post(GENERAL, 0).await;
    let entry = entry(&test, LOG).await;
    let text = said(&entry);
    assert!(
        text.contains("Spoke in The Lounge #general") && text.contains("by a mention"),
        "{text}"
    );
    assert!(
        text.contains(&format!(
            "https://discord.com/channels/{GUILD}/{GENERAL}/{asked}"
        )),
        "{text}"
    );
    for private in ["breakfast", "porridge", "marmalade", "Anna"] {
        assert!(!text.contains(private), "{private}: {text}");
    }
    let buttons = serde_json::to_string(&entry.components).unwrap();
    for label in ["Why?", "Prompt and answer", "Pause 30 min", "Take it back"] {
        assert!(buttons.contains(label), "{label}: {buttons}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_text_switched_on_the_log_channel_quotes_what_it_thought() {
    let tables = format!(
        "[discord.log]\nchannel = \"{LOG}\"\ntext = true\n{}",
        on(GENERAL)
    );
    let answer = "<turn><thoughts>she likes marmalade</thoughts><send_message>porridge it is</send_message></turn>";
    let test = DiscordTest::of(World::small(), "", &tables, move |_| answer.into()).await;
    test.fake
        .says(GENERAL, ANNA, &at_juno("what about breakfast?"));
    let text = said(&entry(&test, LOG).await);
    assert!(
        text.contains("she likes marmalade") && text.contains("porridge it is"),
        "{text}"
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
    test.fake.says(parlour, BEN, &at_juno("hello"));
    test.fake.says(GENERAL, ANNA, &at_juno("hello"));
    let (first, other) = (
        said(&entry(&test, LOG).await),
        said(&entry(&test, watch).await),
    );
    assert!(
        first.contains("#general") && other.contains("#parlour"),
        "{first}\n{other}"
    );
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
async fn where_it_may_not_write_it_reads_along_and_answers_when_it_may() {
    let mut world = World::small();
    world.overwrite(GENERAL, For::Role(BOT_ROLE), 0, permissions::SEND_MESSAGES);
    let (test, shown) = DiscordTest::watched(world, "", &on(GENERAL), |_| say("at last")).await;
    test.fake.says(GENERAL, ANNA, &at_juno("can you hear me?"));
    test.is_stored("can you hear me").await;
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
    assert_eq!(
        shown.count(),
        0,
        "no model is asked for what cannot be said"
    );
    assert_eq!(test.fake.requests("POST /channels/*/messages").len(), 0);
    let why = test
        .hears(GENERAL, crate::discord::fake_discord::MO, "kith why")
        .await;
    assert!(why.contains("may not write here"), "{why}");
    test.fake
        .changes_channel(GENERAL, |channel| channel.overwrites.clear());
    assert_eq!(test.post(GENERAL, 0).await, "at last");
}
