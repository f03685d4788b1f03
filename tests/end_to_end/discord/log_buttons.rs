//! The log channel and its buttons: what is shown to whom, and who may press what.

use crate::discord::discord_test::{DiscordTest, on, say};
use crate::discord::fake_discord::{ANNA, BEN, BOT, GENERAL, GUILD, HOST, LOG, MO, World};
use crate::discord::people::{button, said};

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
    test.fake.says(
        GENERAL,
        ANNA,
        &format!("<@{BOT}> my cat is called aardvark"),
    );
    test.post(GENERAL, 0).await;
    let entry = test.logged(LOG, "Spoke in The Lounge #general").await;
    assert!(
        said(&entry).contains("she sounds tired") && said(&entry).contains("hi there"),
        "{}",
        said(&entry)
    );
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
    assert!(!why.contains("she sounds tired"), "{why}");
    assert!(said(&press(MO, "why").await).contains("she sounds tired"));
    for what in ["raw", "pause", "back"] {
        let refused = press(ANNA, what).await;
        assert!(
            refused.text.contains("Manage Server"),
            "{what}: {refused:?}"
        );
    }
    let raw = press(MO, "raw").await;
    let file = raw
        .attachments
        .first()
        .map(|file| file["filename"].as_str().unwrap().to_owned());
    let file = file.unwrap_or_else(|| "kith-turn-1.txt".into());
    let text = raw.file_text(&file).unwrap_or_default();
    assert!(
        text.contains("my cat is called aardvark") && text.contains("she sounds tired"),
        "{raw:?}"
    );
    assert!(said(&press(MO, "pause").await).contains("30 min"));
    test.fake.says(GENERAL, BEN, &format!("<@{BOT}> hello?"));
    assert_eq!(test.posts_in_peace(GENERAL).await, 1);
    assert!(said(&press(MO, "back").await).contains("taken back"));
    test.fake
        .until("it is gone", |world| {
            world.posts(GENERAL).is_empty().then_some(())
        })
        .await;
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
    for text in ["aardvark", "she trusts me", "not tell", "Anna", "anna"] {
        assert!(!said(&entry).contains(text), "{}", said(&entry));
    }
    let raw = test
        .presses(hosts_log, HOST, entry.id, &button(&entry, "raw"))
        .await;
    assert!(raw.text.contains("stays there"), "{raw:?}");
    let why = said(
        &test
            .presses(hosts_log, HOST, entry.id, &button(&entry, "why"))
            .await,
    );
    assert!(
        !why.contains("she trusts me") && !why.contains("not tell"),
        "{why}"
    );
    test.fake.says(GENERAL, BEN, &format!("<@{BOT}> hello"));
    test.post(GENERAL, 0).await;
    test.logged(LOG, "Spoke in #general").await;
    test.logged(hosts_log, "Spoke in").await;
    let all = test.fake.posts(LOG).iter().map(said).collect::<String>();
    assert!(
        !all.contains("direct message") && !all.contains("The host's own"),
        "{all}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_written_in_a_log_channel_is_never_heard() {
    let tables = WATCHED.to_owned() + &format!("[guild.{GUILD}]\nmode = \"on\"\n") + &on(LOG);
    let (test, shown) = DiscordTest::watched(World::small(), "", &tables, |_| say("hi")).await;
    test.fake.says(
        LOG,
        MO,
        &format!("<@{BOT}> what do you think of aardvarks?"),
    );
    let answer = test.hears(LOG, MO, "kith on").await;
    assert!(answer.contains("off"), "{answer}");
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> hello, aardvarks?"));
    test.post(GENERAL, 0).await;
    assert!(!shown.any_with("what do you think"), "{}", shown.last());
    test.posts_in_peace(LOG).await;
    assert!(
        test.fake
            .posts(LOG)
            .iter()
            .all(|post| !post.embeds.is_empty()),
        "nobody is answered there"
    );
    assert!(test.kith.files_with("what do you think of").is_empty());
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
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> look it up"));
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
    assert!(press(ANNA).await.contains("Manage Server"));
    assert_eq!(shown.count(), 1, "it goes on");
    assert!(press(MO).await.contains("`slow` is stopped"));
    assert_eq!(test.post(GENERAL, 0).await, "then not");
    assert!(press(MO).await.contains("over already"));
}
