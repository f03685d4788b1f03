//! The log channel and its buttons: what is shown to whom, and who may press what.

use crate::discord::prelude::*;
use kith_testkit::{assert_has, assert_lacks};

/// The host watches in a channel of the guild, with text.
const WATCHED: &str = "[discord.log]\nchannel = \"811000000000000103\"\ntext = true\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_buttons_of_a_turn_explain_pause_and_take_back_for_those_who_may() {
    let answer =
        "<turn><thoughts>she sounds tired</thoughts><send_message>hi there</send_message></turn>";
    let (test, _) = DiscordTest::watched(
        World::small(),
        "",
        &(WATCHED.to_owned() + &on(GENERAL)),
        |_| answer.into(),
    )
    .await;
    test.talk(GENERAL, ANNA, "my cat is called aardvark").await;
    let entry = test.logged(LOG, "Spoke in The Lounge #general").await;
    assert_has(said(&entry), ["she sounds tired", "hi there"]);
    let press = async |user, what| {
        test.presses(LOG, user, entry.id, &button(&entry, what))
            .await
    };
    // The turn is on record a moment after its entry stands there.
    let why = test
        .until_told("Spoke in #general", async || {
            said(&press(ANNA, "why").await)
        })
        .await;
    assert_lacks(&why, ["she sounds tired"]);
    assert_has(said(&press(MO, "why").await), ["she sounds tired"]);
    for what in ["raw", "pause", "back"] {
        let refused = press(ANNA, what).await;
        assert_has(&refused.text, ["Manage Server"]);
    }
    let raw = press(MO, "raw").await;
    let file = raw
        .attachments
        .first()
        .map(|file| file["filename"].as_str().unwrap().to_owned());
    let file = file.unwrap_or_else(|| "kith-turn-1.txt".into());
    let text = raw.file_text(&file).unwrap_or_default();
    assert_has(&text, ["my cat is called aardvark", "she sounds tired"]);
    assert_has(said(&press(MO, "pause").await), ["30 min"]);
    test.calls(GENERAL, BEN, "hello?");
    assert_eq!(test.posts_in_peace(GENERAL).await, 1);
    assert_has(said(&press(MO, "back").await), ["taken back"]);
    test.fake
        .until_true("it is gone", |world| world.posts(GENERAL).is_empty())
        .await;
    test.is_gone("hi there").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_direct_message_is_logged_to_the_host_alone_and_its_text_to_nobody() {
    let mut world = World::small();
    let direct = world.dm(ANNA);
    let owners = world.add_guild("The host's own", HOST);
    let hosts_log = world.add_channel(owners, "watch");
    let tables = format!(
        "direct_messages = \"on\"\n[discord.log]\nchannel = \"{hosts_log}\"\ntext = true\n\
         [guild.{GUILD}]\nlog_channel = \"{LOG}\"\nmode = \"on\"\n"
    );
    let answer = "<turn><thoughts>she trusts me</thoughts><send_message>I will not tell</send_message></turn>";
    let (test, _) = DiscordTest::watched(world, "", &tables, |_| answer.into()).await;
    test.fake.says(direct, ANNA, "my cat is called aardvark");
    test.post(direct, 0).await;
    let entry = test.logged(hosts_log, "direct message").await;
    assert_lacks(
        said(&entry),
        ["aardvark", "she trusts me", "not tell", "Anna", "anna"],
    );
    let raw = test
        .presses(hosts_log, HOST, entry.id, &button(&entry, "raw"))
        .await;
    assert_has(&raw.text, ["stays there"]);
    let why = said(
        &test
            .presses(hosts_log, HOST, entry.id, &button(&entry, "why"))
            .await,
    );
    assert_lacks(&why, ["she trusts me", "not tell"]);
    test.talk(GENERAL, BEN, "hello").await;
    test.logged(LOG, "Spoke in #general").await;
    test.logged(hosts_log, "Spoke in").await;
    let all = test.fake.posts(LOG).iter().map(said).collect::<String>();
    assert_lacks(&all, ["direct message", "The host's own"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_takes_long_is_told_of_and_stopped_by_those_who_may() {
    let tool = "[slow]\ndescription = \"takes for ever\"\ntime_out_seconds = 60\n\
                [slow.command]\nargv = [\"sleep\", \"600\"]\n";
    let (test, shown) = DiscordTest::furnished(
        World::small(),
        "tool_paths = [\"slow.toml\"]",
        &(WATCHED.to_owned() + "slow_tool_seconds = 1\n" + &on(GENERAL)),
        &[("slow.toml", tool)],
        |user| match user.contains("a person stopped slow half-way") {
            true => say("then not"),
            false => "<turn><slow/></turn>".into(),
        },
    )
    .await;
    test.calls(GENERAL, ANNA, "look it up");
    let entry = test
        .logged(LOG, "slow still runs after 1 s in The Lounge #general")
        .await;
    let press = async |user| {
        said(
            &test
                .presses(LOG, user, entry.id, &button(&entry, "stop"))
                .await,
        )
    };
    assert_has(press(ANNA).await, ["Manage Server"]);
    assert_eq!(shown.count(), 1, "it goes on");
    assert_has(press(MO).await, ["`slow` is stopped"]);
    assert_eq!(test.post(GENERAL, 0).await, "then not");
    assert_has(press(MO).await, ["over already"]);
}
