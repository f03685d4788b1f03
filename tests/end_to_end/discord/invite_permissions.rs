//! What it is allowed: everything it does works with the permissions of its invite link alone, and what the settings
//! name that is not there is told while it runs.

use kith_discord::{DiscordSettings, list_wanted_permissions};
use kith_testkit::assert_has;

use crate::discord::prelude::*;

/// The Lounge, where nobody may do anything but what the bot's own role allows.
fn strict() -> World {
    let mut world = World::small();
    let allowed = list_wanted_permissions(&DiscordSettings::default())
        .iter()
        .fold(0, |all, wanted| all | wanted.permission.0);
    let guild = world.guilds.get_mut(&GUILD).unwrap();
    guild.roles.get_mut(&GUILD).unwrap().permissions = 0;
    world.bot_may(GUILD, allowed);
    world
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_permissions_of_the_invite_link_are_enough_for_everything_it_does() {
    let tables = format!("[discord.log]\nchannel = \"{LOG}\"\n{}", on(GENERAL));
    let answer = |user: &str| match user.contains("with a wink") {
        true => "<turn><react to=\"1\" emoji=\"👀\"/></turn>".into(),
        false => say("at your service"),
    };
    let test = DiscordTest::of(strict(), "", &tables, answer).await;
    test.fake.says(GENERAL, ANNA, "@Juno hello");
    assert_eq!(test.post(GENERAL, 0).await, "at your service");
    let thread = test.fake.opens_thread(GENERAL, ANNA, "plans");
    test.fake.says(thread, ANNA, "@Juno here, too");
    assert_eq!(test.post(thread, 0).await, "at your service");
    test.fake.says(GENERAL, ANNA, "@Juno answer with a wink");
    let reacted = |world: &World| {
        world
            .requests("PUT /channels/*/messages/*/reactions/*/@me")
            .pop()
            .map(drop)
    };
    test.fake.until("a reaction", reacted).await;
    test.fake
        .until_true("an entry in the log channel", |world| {
            world.posts(LOG).iter().any(|post| !post.embeds.is_empty())
        })
        .await;
    test.has_commands().await;
    let export = test.hears(GENERAL, ANNA, "kith export me").await;
    assert_has(&export, ["Everything that is kept about you"]);
    assert_eq!(test.posts_in_peace(RANDOM).await, 0);
    let refused = test.fake.world(|world| {
        world
            .log
            .requests
            .iter()
            .filter(|asked| asked.status == Some(403))
            .count()
    });
    assert_eq!(refused, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guild_of_the_settings_it_is_not_in_is_told_with_the_cure() {
    let tables = format!(
        "[discord.log]\nchannel = \"{LOG}\"\n[guild.12345]\nmode = \"on\"\n[guild.{GUILD}]\nmode = \"on\"\n"
    );
    let test = DiscordTest::of(World::small(), "", &tables, |_| say("hi")).await;
    let told = |world: &World| {
        world
            .posts(LOG)
            .first()
            .map(|post| crate::discord::people::said(post))
    };
    let told = test.fake.until("a word in the log channel", told).await;
    assert!(
        told.contains(
            "I am not in the server 12345 that the settings name: invite me with https://"
        ),
        "{told}"
    );
    assert!(!told.contains(&GUILD.to_string()), "{told}");
    test.kith.until_logged("not in the server 12345").await;
}
