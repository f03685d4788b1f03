//! What it may do changes under its feet: time-outs, permissions, closed direct messages. Once it may again, it speaks
//! again; until then no turn is paid for.

use std::time::Duration;

use crate::discord::prelude::*;

/// Nobody tells the bot of it: Discord refuses all the same.
fn silently_forbids(test: &DiscordTest, channel: u64) {
    test.fake.world(|world| {
        world.overwrite(channel, For::Role(BOT_ROLE), 0, permissions::SEND_MESSAGES)
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_a_time_out_ends_it_answers_who_spoke_to_it_though_nobody_tells_of_the_end() {
    let (test, shown) =
        DiscordTest::watched(World::small(), "", &on(GENERAL), |_| say("back")).await;
    test.fake.times_out(GUILD, BOT, test.fake.now() + 2_500);
    test.calls(GENERAL, ANNA, "are you there?");
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
    assert_eq!(shown.count(), 0, "no turn is paid for");
    assert_eq!(test.post(GENERAL, 0).await, "back");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_direct_message_that_was_closed_is_tried_again_when_its_person_writes() {
    let tables = "direct_messages = \"on\"\n";
    let (test, _) = DiscordTest::watched(World::small(), "", tables, |_| say("hello")).await;
    let direct = test.fake.world(|world| world.dm(ANNA));
    let closed = |closed| {
        test.fake
            .world(|world| world.users.get_mut(&ANNA).unwrap().closed = closed)
    };
    closed(true);
    test.fake.says(direct, ANNA, "one");
    test.fake
        .until("a refusal", |world| refused(world, direct))
        .await;
    assert_eq!(test.posts_in_peace(direct).await, 0);
    closed(false);
    test.fake.says(direct, ANNA, "two");
    assert_eq!(test.post(direct, 0).await, "hello");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_its_parent_becomes_holds_in_a_thread_at_once() {
    let tables = format!("[guild.{GUILD}]\nmode = \"on\"\n");
    let (test, shown) = DiscordTest::watched(World::small(), "", &tables, |_| say("hi")).await;
    let thread = test.fake.opens_thread(GENERAL, ANNA, "picnic");
    assert_eq!(test.talk(thread, ANNA, "hello").await, "hi");
    let hidden = [
        (For::Role(GUILD), 0, permissions::VIEW_CHANNEL),
        (For::Role(BOT_ROLE), permissions::VIEW_CHANNEL, 0),
    ];
    test.fake.changes_channel(GENERAL, |channel| {
        channel.overwrites = hidden
            .map(|(whom, allow, deny)| Overwrite { whom, allow, deny })
            .into();
    });
    test.calls(thread, MO, "the aardvark");
    assert_eq!(
        test.posts_in_peace(thread).await,
        1,
        "a guild's mode does not reach hidden channels"
    );
    test.fake.changes_channel(GENERAL, |channel| {
        channel.overwrites.clear();
        channel.nsfw = true;
    });
    test.calls(thread, ANNA, "the buffalo");
    assert_eq!(
        test.posts_in_peace(thread).await,
        1,
        "nor age-restricted ones"
    );
    for word in ["aardvark", "buffalo"] {
        assert!(
            !shown.any_with(word) && test.kith.files_with(word).is_empty(),
            "{word}"
        );
    }
    test.fake
        .changes_channel(GENERAL, |channel| channel.nsfw = false);
    assert_eq!(test.talk(thread, ANNA, "again").await, "hi");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_channel_whose_permissions_are_mended_is_told_what_waited() {
    let tables = format!(
        "{}[discord.log]\nchannel = {LOG}\nlevel = \"turns\"\n",
        on(GENERAL)
    );
    let (test, _) = DiscordTest::watched(World::small(), "", &tables, |_| say("hello")).await;
    silently_forbids(&test, LOG);
    test.calls(GENERAL, ANNA, "one");
    test.fake
        .until("a refusal", |world| refused(world, LOG))
        .await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(test.fake.posts(LOG).len(), 0);
    test.fake.changes_channel(LOG, |channel| {
        channel
            .overwrites
            .retain(|one| one.whom != For::Role(BOT_ROLE));
        channel.overwrites.push(Overwrite {
            whom: For::Role(BOT_ROLE),
            allow: permissions::VIEW_CHANNEL,
            deny: 0,
        });
    });
    test.fake
        .until_true("an entry", |world| !world.posts(LOG).is_empty())
        .await;
}

fn refused(world: &World, channel: u64) -> Option<()> {
    let requests = world.requests(&format!("POST /channels/{channel}/messages"));
    requests
        .iter()
        .any(|request| request.status == Some(403))
        .then_some(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changes_in_the_settings_shows_in_commands_and_nicks_without_a_restart() {
    let tables = "max_talkativeness = 0.9\nnick_follows_persona = true\n";
    let (test, _) = DiscordTest::watched(World::small(), "", tables, |_| say("hi")).await;
    let path = test.kith.dir.path().join("kith.toml");
    std::fs::write(
        test.kith.dir.path().join("mia.toml"),
        "name = \"Mia\"\nidentity = \"You are Mia, a gardener.\"\n",
    )
    .unwrap();
    let changed = std::fs::read_to_string(&path)
        .unwrap()
        .replace("max_talkativeness = 0.9", "max_talkativeness = 0.4");
    std::fs::write(
        &path,
        changed + &format!("[guild.{GUILD}]\npersona = \"mia.toml\"\n"),
    )
    .unwrap();
    let offers = |world: &World| {
        format!("{:?}", world.commands)
            .contains("Number(0.4")
            .then_some(())
    };
    test.fake
        .until("the new limit in the commands", offers)
        .await;
    let is_mia = |world: &World| world.guilds[&GUILD].members[&BOT].nick.as_deref() == Some("Mia");
    test.fake
        .until_true("the nick of the persona", |world| is_mia(world))
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_that_it_cannot_see_is_not_switched_on() {
    let mut world = World::small();
    world.overwrite(RANDOM, For::Member(BOT), 0, permissions::VIEW_CHANNEL);
    let (test, _) = DiscordTest::watched(world, "", "", |_| say("hi")).await;
    let told = test.hears(RANDOM, MO, "kith on").await;
    assert_eq!(told, "I can't see that channel.");
}
