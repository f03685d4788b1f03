//! Where it may read and speak: off, observe and on; who chooses, what everybody is told, and what never crosses from
//! one channel to another.

use kith_testkit::{assert_has, assert_lacks};
use serde_json::json;

use crate::discord::prelude::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_new_guild_nothing_is_kept_and_no_model_is_asked() {
    let (test, shown) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    let first = test.fake.says(GENERAL, ANNA, "the rhubarb is ripe, Juno");
    test.calls(RANDOM, BEN, "do you like rhubarb?");
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
    assert_lacks(test.log(), ["rhubarb"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_mention_in_a_new_guild_is_told_once_who_can_wake_it() {
    let (mut test, _) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    test.fake.says(GENERAL, ANNA, "Juno?");
    test.fake
        .says(GENERAL, ANNA, &format!("hello <@&{BOT_ROLE}>"));
    let told = test.post(GENERAL, 0).await;
    assert_has(&told, ["Manage Server", "`/kith on`"]);
    assert!(!told.contains('\n'), "one line: {told}");
    test.calls(RANDOM, BEN, "and here?");
    test.calls(GENERAL, BEN, "hello?");
    assert_eq!(test.posts_in_peace(RANDOM).await, 0);
    test.restarts().await;
    test.calls(GENERAL, BEN, "still there?");
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
    assert_has(&answer, ["#general is on"]);
    let told = test.post(GENERAL, 0).await;
    assert_has(
        &told,
        [
            "reads along",
            "90 days",
            "127.0.0.1",
            "/kith optout",
            "/kith off",
        ],
    );
    test.hears(GENERAL, MO, "kith on").await;
    assert_eq!(
        test.talk(GENERAL, ANNA, "good morning").await,
        "good morning",
        "told only once"
    );
    test.calls(RANDOM, BEN, "buffalo");
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
    assert_has(test.post(GENERAL, 0).await, ["only observes"]);
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
    assert_eq!(test.talk(GENERAL, ANNA, "what did I miss?").await, "yes");
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
async fn what_moderators_chose_survives_a_crash_until_it_is_reset() {
    let (mut test, _) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    test.hears(GENERAL, MO, "kith on").await;
    test.post(GENERAL, 0).await;
    test.kith.kill();
    test.starts().await;
    assert_eq!(test.talk(GENERAL, ANNA, "hello").await, "hi");
    let status = test.hears(GENERAL, ANNA, "kith status").await;
    assert!(status.contains("Mo"), "who chose it: {status}");
    let answer = test.hears(GENERAL, MO, "kith reset").await;
    assert_has(&answer, ["taken back"]);
    test.restarts().await;
    test.fake.says(GENERAL, ANNA, "the aardvark");
    assert_eq!(test.posts_in_peace(GENERAL).await, 2);
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
    assert_has(&answer.text, ["another place"]);
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
    test.calls(parlour, ANNA, "the zanzibar expedition?");
    assert!(
        test.post(parlour, 0).await.contains("asleep"),
        "its own first mention"
    );
    test.hears(parlour, owner, "kith on").await;
    test.post(parlour, 1).await;
    assert_eq!(
        test.talk(parlour, ANNA, "the zanzibar expedition starts when?")
            .await,
        "hi"
    );
    assert!(!shown.any_with("aardvarks"), "{}", shown.last());
    let status = test.hears(parlour, owner, "kith status").await;
    assert_lacks(&status, ["general", "Lounge"]);
    test.hears(parlour, owner, "kith off").await;
    assert_eq!(test.talk(GENERAL, ANNA, "hi").await, "hi");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guild_that_threw_it_out_and_invites_it_again_is_a_new_one() {
    let (mut test, shown) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    test.hears(GENERAL, MO, "kith on").await;
    test.post(GENERAL, 0).await;
    assert_eq!(test.talk(GENERAL, ANNA, "hello").await, "hi");
    test.fake.removes_bot(GUILD);
    test.fake.says(GENERAL, ANNA, "the aardvark is back");
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    test.fake.invites_bot(GUILD);
    test.calls(GENERAL, ANNA, "the buffalo, too");
    assert!(
        test.post(GENERAL, 2).await.contains("asleep"),
        "told again who can wake it"
    );
    test.hears(GENERAL, MO, "kith on").await;
    assert_has(test.post(GENERAL, 3).await, ["reads along"]);
    test.restarts().await;
    assert_eq!(test.talk(GENERAL, ANNA, "hello").await, "hi");
    assert!(!shown.any_with("aardvark") && !shown.any_with("buffalo"));
    assert_eq!(
        test.kith.files_with("aardvark").len() + test.kith.files_with("buffalo").len(),
        0
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
    assert_lacks(&open, ["buffaloes", "cassowaries"]);
    let hidden = prompt(LOG, MO).await;
    assert_lacks(&hidden, ["cassowaries"]);
    let other = prompt(bens, BEN).await;
    assert_lacks(&other, ["buffaloes", "cassowaries"]);
    let own = prompt(annas, ANNA).await;
    assert_has(&own, ["cassowaries"]);
    assert_lacks(&own, ["buffaloes"]);
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
    test.talk(GENERAL, ANNA, "what of the zanzibar expedition?")
        .await;
    assert_has(shown.last(), ["aardvarks"]);
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
    test.talk(GENERAL, BEN, "the zanzibar expedition, I mean")
        .await;
    assert_lacks(shown.last(), ["aardvarks"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reset_that_lets_it_read_again_tells_the_channel_once() {
    let (test, _) = DiscordTest::watched(World::small(), "", &on(GENERAL), |_| say("hi")).await;
    test.hears(GENERAL, MO, "kith off").await;
    test.fake.says(GENERAL, ANNA, "the aardvark sleeps");
    assert!(
        test.hears(GENERAL, MO, "kith reset")
            .await
            .contains("taken back")
    );
    let told = test.post(GENERAL, 0).await;
    for part in ["reads along", "model at", "/kith optout"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    test.hears(GENERAL, MO, "kith observe").await;
    assert!(
        test.hears(GENERAL, MO, "kith reset")
            .await
            .contains("taken back")
    );
    assert!(
        test.post(GENERAL, 1).await.contains("model at"),
        "who was told that no model sees it is told again"
    );
    test.hears(GENERAL, MO, "kith reset").await;
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    assert_eq!(test.post(GENERAL, 2).await, "hi");
    assert!(test.kith.files_with("aardvark").is_empty());
}
