//! Where it may read and speak: off, observe and on; who chooses, what everybody is told, and what never crosses from
//! one channel to another.

use serde_json::json;

use crate::discord::discord_test::{DiscordTest, on, say};
use crate::discord::fake_discord::{
    ANNA, BEN, BOT, BOT_ROLE, FakeDiscord, For, GENERAL, GUILD, LOG, MO, MODS, Overwrite, RANDOM,
    World, permissions,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_new_guild_nothing_is_kept_and_no_model_is_asked() {
    let (test, shown) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    let first = test.fake.says(GENERAL, ANNA, "the rhubarb is ripe, Juno");
    test.fake
        .says(RANDOM, BEN, &format!("<@{BOT}> do you like rhubarb?"));
    test.fake.edits(GENERAL, first, "the rhubarb pie is ready");
    test.fake.reacts(BEN, GENERAL, first, "🥧");
    let thread = test.fake.opens_thread(GENERAL, ANNA, "rhubarb recipes");
    test.fake.says(thread, ANNA, "rhubarb first");
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
    assert_eq!(
        test.kith.files_with("rhubarb"),
        Vec::<std::path::PathBuf>::new()
    );
    assert_eq!(shown.count(), 0);
    assert!(!test.log().contains("rhubarb"), "{}", test.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_mention_in_a_new_guild_is_told_once_who_can_wake_it() {
    let (mut test, _) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    test.fake.says(GENERAL, ANNA, "Juno?");
    test.fake
        .says(GENERAL, ANNA, &format!("hello <@&{BOT_ROLE}>"));
    let told = test.post(GENERAL, 0).await;
    assert!(
        told.contains("Manage Server") && told.contains("`/kith on`"),
        "{told}"
    );
    assert!(!told.contains('\n'), "one line: {told}");
    test.fake.says(RANDOM, BEN, &format!("<@{BOT}> and here?"));
    test.fake.says(GENERAL, BEN, &format!("<@{BOT}> hello?"));
    assert_eq!(test.posts_in_peace(RANDOM).await, 0);
    test.restarts().await;
    test.fake
        .says(GENERAL, BEN, &format!("<@{BOT}> still there?"));
    assert_eq!(
        (
            test.posts_in_peace(GENERAL).await,
            test.fake.posts(RANDOM).len()
        ),
        (1, 0)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn switched_on_it_tells_the_channel_once_what_that_means_and_answers_there_alone() {
    let (test, shown) = DiscordTest::watched(World::small(), "", "", |_| say("good morning")).await;
    test.fake.says(GENERAL, ANNA, "before: aardvark");
    let answer = test.hears(GENERAL, MO, "kith on").await;
    assert!(answer.contains("#general is on"), "{answer}");
    let told = test.post(GENERAL, 0).await;
    for part in [
        "reads along",
        "90 days",
        "127.0.0.1",
        "/kith optout",
        "/kith off",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    test.hears(GENERAL, MO, "kith on").await;
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> good morning"));
    assert_eq!(
        test.post(GENERAL, 1).await,
        "good morning",
        "told only once"
    );
    test.fake.says(RANDOM, BEN, &format!("<@{BOT}> buffalo"));
    assert_eq!(
        test.posts_in_peace(RANDOM).await,
        0,
        "it is not asleep on this server"
    );
    assert!(!shown.any_with("aardvark") && !shown.any_with("buffalo"));
    assert_eq!(
        test.kith.files_with("aardvark").len() + test.kith.files_with("buffalo").len(),
        0
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_while_a_channel_is_off_is_never_read_not_even_by_looking_back() {
    let (mut test, shown) = DiscordTest::watched(World::small(), "", "", |_| say("yes")).await;
    test.hears(GENERAL, MO, "kith observe").await;
    assert!(test.post(GENERAL, 0).await.contains("only observes"));
    test.fake.says(GENERAL, ANNA, "the aardvark sleeps");
    test.is_stored("aardvark").await;
    test.hears(GENERAL, MO, "kith off").await;
    test.fake.says(GENERAL, ANNA, "the buffalo sings");
    // Events of Discord may overtake each other by a few milliseconds.
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    test.hears(GENERAL, MO, "kith on").await;
    let told = test.post(GENERAL, 1).await;
    assert!(
        told.contains("model at"),
        "who was told that no model sees it is told again: {told}"
    );
    test.restarts().await;
    test.fake.says(GENERAL, BEN, "the cassowary runs");
    test.is_stored("cassowary").await;
    test.kith.kill();
    test.fake.says(GENERAL, BEN, "the dingo barks");
    test.starts().await;
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> what did I miss?"));
    assert_eq!(test.post(GENERAL, 2).await, "yes");
    assert!(
        shown.any_with("dingo"),
        "what is said while it is away is read: {}",
        shown.last()
    );
    assert!(!shown.any_with("buffalo"));
    assert!(test.kith.files_with("buffalo").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nor_where_the_clock_of_the_machine_is_ten_minutes_behind() {
    let fake = FakeDiscord::start(World::small());
    fake.set_now(fake.now() + 10 * 60_000);
    let mut test = DiscordTest::on(fake, "", "", |_| say("yes")).await;
    test.hears(GENERAL, MO, "kith observe").await;
    test.fake.says(GENERAL, ANNA, "the aardvark sleeps");
    test.is_stored("aardvark").await;
    test.hears(GENERAL, MO, "kith off").await;
    test.fake.says(GENERAL, ANNA, "the buffalo sings");
    // Events of Discord may overtake each other by a few milliseconds.
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    test.hears(GENERAL, MO, "kith on").await;
    test.restarts().await;
    test.fake.says(GENERAL, BEN, "the cassowary runs");
    test.is_stored("cassowary").await;
    assert!(test.kith.files_with("buffalo").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_without_manage_server_can_switch_nothing() {
    let tables = format!("[channel.{RANDOM}]\nmode = \"on\"\n");
    let (test, _) = DiscordTest::watched(World::small(), "", &tables, |_| say("hi")).await;
    for command in [
        "kith on",
        "kith observe",
        "kith off",
        "kith fresh",
        "kith reset",
    ] {
        let answer = test.hears(RANDOM, ANNA, command).await;
        assert!(answer.contains("Manage Server"), "{command}: {answer}");
    }
    let elsewhere = json!({"channel": GENERAL.to_string()});
    let answer = test.asks(RANDOM, ANNA, "kith on", elsewhere).await;
    assert!(answer.text.contains("Manage Server"), "{answer:?}");
    test.fake.says(RANDOM, ANNA, &format!("<@{BOT}> hello"));
    assert_eq!(test.post(RANDOM, 0).await, "hi");
    assert_eq!(test.fake.posts(GENERAL).len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hidden_and_age_restricted_channels_have_to_be_named() {
    let mut world = World::small();
    let adults = world.add_channel(GUILD, "adults");
    world.channel_mut(adults).nsfw = true;
    let tables = format!("[guild.{GUILD}]\nmode = \"on\"\n");
    let (test, _) = DiscordTest::watched(world, "", &tables, |_| say("hi")).await;
    for (channel, name) in [(LOG, "#log"), (adults, "#adults")] {
        test.fake.says(channel, MO, &format!("<@{BOT}> hello"));
        let answer = test.hears(channel, MO, "kith on").await;
        assert!(
            answer.contains(&format!("`/kith on channel:{name}`")),
            "{answer}"
        );
        assert_eq!(
            test.posts_in_peace(channel).await,
            0,
            "a whole guild's mode does not reach it"
        );
        let answer = test
            .asks(
                GENERAL,
                MO,
                "kith on",
                json!({"channel": channel.to_string()}),
            )
            .await;
        assert!(answer.text.contains("is on"), "{answer:?}");
        assert!(test.post(channel, 0).await.contains("/kith optout"));
        test.fake
            .says(channel, MO, &format!("<@{BOT}> hello again"));
        assert_eq!(test.post(channel, 1).await, "hi");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn threads_follow_their_parent() {
    let (test, shown) =
        DiscordTest::watched(World::small(), "", "", |_| say("in the thread")).await;
    let early = test.fake.opens_thread(GENERAL, ANNA, "early");
    test.hears(GENERAL, MO, "kith on").await;
    let late = test.fake.opens_thread(GENERAL, ANNA, "late");
    for thread in [early, late] {
        test.fake.says(thread, ANNA, &format!("<@{BOT}> hi"));
        assert_eq!(test.post(thread, 0).await, "in the thread");
    }
    test.hears(GENERAL, MO, "kith off").await;
    for thread in [early, late] {
        test.fake
            .says(thread, ANNA, &format!("<@{BOT}> the aardvark"));
    }
    assert_eq!(test.posts_in_peace(late).await, 1);
    assert_eq!(test.fake.posts(early).len(), 1);
    assert!(!shown.any_with("aardvark") && test.kith.files_with("aardvark").is_empty());
    let only = test
        .asks(GENERAL, MO, "kith on", json!({"channel": late.to_string()}))
        .await;
    assert!(only.text.contains("#late is on"), "{only:?}");
    test.fake.says(late, ANNA, &format!("<@{BOT}> hi"));
    assert!(test.post(late, 1).await.contains("From now on"));
    assert_eq!(test.post(late, 2).await, "in the thread");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_moderators_chose_survives_a_crash_until_it_is_reset() {
    let (mut test, _) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    test.hears(GENERAL, MO, "kith on").await;
    test.post(GENERAL, 0).await;
    test.kith.kill();
    test.starts().await;
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    assert_eq!(test.post(GENERAL, 1).await, "hi");
    let status = test.hears(GENERAL, ANNA, "kith status").await;
    assert!(status.contains("Mo"), "who chose it: {status}");
    let answer = test.hears(GENERAL, MO, "kith reset").await;
    assert!(answer.contains("taken back"), "{answer}");
    test.restarts().await;
    test.fake.says(GENERAL, ANNA, "the aardvark");
    assert_eq!(test.posts_in_peace(GENERAL).await, 2);
    assert!(test.kith.files_with("aardvark").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moderators_choose_within_what_the_host_allows() {
    let tables = format!(
        "max_talkativeness = 0.4\n[guild.{GUILD}]\nmode = \"observe\"\nlocked = true\n[channel.{RANDOM}]\nmode = \"on\"\n"
    );
    let (test, shown) = DiscordTest::watched(World::small(), "", &tables, |_| say("hi")).await;
    let answer = test.hears(GENERAL, MO, "kith on").await;
    assert!(answer.contains("host"), "{answer}");
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    assert_eq!(
        test.posts_in_peace(GENERAL).await,
        0,
        "and nobody is told that it speaks there"
    );
    assert_eq!(shown.count(), 0);
    let answer = test
        .asks(RANDOM, MO, "kith talkativeness", json!({"level": 0.9}))
        .await;
    assert!(answer.text.contains("0.4"), "{answer:?}");
    let answer = test
        .asks(RANDOM, MO, "kith talkativeness", json!({"level": 0.4}))
        .await;
    assert!(answer.text.contains("is 0.4"), "{answer:?}");
    test.hears(RANDOM, MO, "kith off").await;
    test.fake.says(RANDOM, ANNA, &format!("<@{BOT}> aardvark"));
    assert_eq!(
        test.posts_in_peace(RANDOM).await,
        0,
        "less is always allowed"
    );
    assert!(test.kith.files_with("aardvark").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_guilds_do_not_touch_each_other() {
    let mut world = World::small();
    let owner = world.add_user("Ora");
    let second = world.add_guild("Second", owner);
    let parlour = world.add_channel(second, "parlour");
    for user in [ANNA, MO] {
        world.join(second, user);
    }
    let (test, shown) = DiscordTest::watched(world, "", "", |_| say("hi")).await;
    test.hears(GENERAL, MO, "kith on").await;
    test.post(GENERAL, 0).await;
    let answer = test
        .asks(
            GENERAL,
            MO,
            "kith on",
            json!({"channel": parlour.to_string()}),
        )
        .await;
    assert!(answer.text.contains("another place"), "{answer:?}");
    let answer = test.hears(parlour, MO, "kith on").await;
    assert!(
        answer.contains("Manage Server"),
        "a moderator of one guild is none in another: {answer}"
    );
    test.fake.says(
        GENERAL,
        ANNA,
        "the zanzibar expedition starts with aardvarks",
    );
    test.is_stored("aardvarks").await;
    test.fake
        .says(parlour, ANNA, &format!("<@{BOT}> the zanzibar expedition?"));
    assert!(
        test.post(parlour, 0).await.contains("asleep"),
        "its own first mention"
    );
    test.hears(parlour, owner, "kith on").await;
    test.post(parlour, 1).await;
    test.fake.says(
        parlour,
        ANNA,
        &format!("<@{BOT}> the zanzibar expedition starts when?"),
    );
    assert_eq!(test.post(parlour, 2).await, "hi");
    assert!(!shown.any_with("aardvarks"), "{}", shown.last());
    let status = test.hears(parlour, owner, "kith status").await;
    assert!(
        !status.contains("general") && !status.contains("Lounge"),
        "{status}"
    );
    test.hears(parlour, owner, "kith off").await;
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hi"));
    assert_eq!(test.post(GENERAL, 1).await, "hi");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guild_that_threw_it_out_and_invites_it_again_is_a_new_one() {
    let (mut test, shown) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    test.hears(GENERAL, MO, "kith on").await;
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    assert_eq!(test.post(GENERAL, 1).await, "hi");
    test.fake.removes_bot(GUILD);
    test.fake.says(GENERAL, ANNA, "the aardvark is back");
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    test.fake.invites_bot(GUILD);
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> the buffalo, too"));
    assert!(
        test.post(GENERAL, 2).await.contains("asleep"),
        "told again who can wake it"
    );
    test.hears(GENERAL, MO, "kith on").await;
    assert!(test.post(GENERAL, 3).await.contains("reads along"));
    test.restarts().await;
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    assert_eq!(test.post(GENERAL, 4).await, "hi");
    assert!(!shown.any_with("aardvark") && !shown.any_with("buffalo"));
    assert_eq!(
        test.kith.files_with("aardvark").len() + test.kith.files_with("buffalo").len(),
        0
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_of_a_guild_is_no_reason_to_be_off_afterwards() {
    let (test, _) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    test.hears(GENERAL, MO, "kith on").await;
    test.post(GENERAL, 0).await;
    test.fake.guild_outage(GUILD);
    test.fake.guild_comes_back(GUILD);
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    assert_eq!(test.post(GENERAL, 1).await, "hi");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_that_is_switched_off_while_it_types_ends_the_turn() {
    let long = "a very long story ".repeat(90);
    let answer =
        format!("<turn><send_message>one</send_message><send_message>{long}</send_message></turn>");
    let (test, _) =
        DiscordTest::watched(World::small(), "", &on(GENERAL), move |_| answer.clone()).await;
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> tell me a story"));
    assert_eq!(test.post(GENERAL, 0).await, "one");
    test.hears(GENERAL, MO, "kith off").await;
    let typed = test.fake.world(|world| world.channel(GENERAL).typing.len());
    tokio::time::sleep(std::time::Duration::from_millis(4_500)).await;
    assert_eq!(test.fake.posts(GENERAL).len(), 1);
    assert_eq!(
        test.fake.world(|world| world.channel(GENERAL).typing.len()),
        typed,
        "it types no more"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recall_brings_only_what_everybody_here_could_read_there() {
    let mut world = World::small();
    let (annas, bens) = (world.dm(ANNA), world.dm(BEN));
    let tables = "direct_messages = \"on\"\n".to_owned() + &on(GENERAL) + &on(RANDOM) + &on(LOG);
    let (test, shown) = DiscordTest::watched(world, "", &tables, |_| say("hm")).await;
    let question = format!(
        "<@{BOT}> what of the zanzibar expedition and captain marlowe? i was thinking about them all morning"
    );
    for (channel, user, secret) in [
        (RANDOM, BEN, "captain marlowe with aardvarks"),
        (LOG, MO, "buffaloes"),
        (annas, ANNA, "cassowaries"),
    ] {
        test.fake.says(
            channel,
            user,
            &format!("the zanzibar expedition takes {secret} along, four tents, a piano, two cooks, an old compass and biscuits"),
        );
        test.is_stored(secret).await;
    }
    test.post(annas, 0).await;
    let prompt = async |channel, user| {
        let (before, posts) = (shown.count(), test.fake.posts(channel).len());
        test.fake.says(channel, user, &question);
        test.post(channel, posts).await;
        shown.all()[before..].concat()
    };
    let open = prompt(GENERAL, ANNA).await;
    assert!(
        open.contains("aardvarks"),
        "what everybody can read comes to mind: {open}"
    );
    assert!(
        !open.contains("buffaloes") && !open.contains("cassowaries"),
        "{open}"
    );
    let hidden = prompt(LOG, MO).await;
    assert!(!hidden.contains("cassowaries"), "{hidden}");
    let other = prompt(bens, BEN).await;
    assert!(
        !other.contains("buffaloes") && !other.contains("cassowaries"),
        "{other}"
    );
    let own = prompt(annas, ANNA).await;
    assert!(
        own.contains("cassowaries") && !own.contains("buffaloes"),
        "{own}"
    );
    for (mode, user) in [("observe", BEN), ("off", ANNA)] {
        test.hears(RANDOM, MO, &format!("kith {mode}")).await;
        let after = prompt(GENERAL, user).await;
        assert!(
            !after.contains("aardvarks"),
            "what no model sees is not recalled: {mode}: {after}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_that_becomes_hidden_is_not_recalled_any_more() {
    let tables = on(GENERAL) + &on(RANDOM);
    let (test, shown) = DiscordTest::watched(World::small(), "", &tables, |_| say("hm")).await;
    test.fake
        .says(RANDOM, BEN, "the zanzibar expedition takes aardvarks along");
    test.is_stored("aardvarks").await;
    test.fake.says(
        GENERAL,
        ANNA,
        &format!("<@{BOT}> what of the zanzibar expedition?"),
    );
    test.post(GENERAL, 0).await;
    assert!(shown.last().contains("aardvarks"), "{}", shown.last());
    test.fake.changes_channel(RANDOM, |channel| {
        let deny = |role, allow, deny| Overwrite {
            whom: For::Role(role),
            allow,
            deny,
        };
        channel
            .overwrites
            .push(deny(GUILD, 0, permissions::VIEW_CHANNEL));
        channel
            .overwrites
            .push(deny(MODS, permissions::VIEW_CHANNEL, 0));
        channel
            .overwrites
            .push(deny(BOT_ROLE, permissions::VIEW_CHANNEL, 0));
    });
    test.fake.says(
        GENERAL,
        BEN,
        &format!("<@{BOT}> the zanzibar expedition, I mean"),
    );
    test.post(GENERAL, 1).await;
    assert!(!shown.last().contains("aardvarks"), "{}", shown.last());
}
