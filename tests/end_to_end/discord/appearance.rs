//! What it looks like: nick and avatar follow the settings and the persona, few changes are made, and what cannot be
//! changed is told once.

use crate::discord::prelude::*;
use kith_testkit::assert_has;

const EVERYWHERE: &str = "PATCH /users/@me";
const IN_GUILD: &str = "PATCH /guilds/*/members/@me";
const MIA: &str = "name = \"Mia\"\nidentity = \"You are Mia, a gardener.\"\navatar = \"mia.gif\"\n";
const GUILD_IS_MIA: &str = "persona = \"mia.toml\"";

/// `kith` with a face, and with Mia's persona at hand.
async fn with_face(fake: FakeDiscord, tables: &str) -> DiscordTest {
    let url = model(|_| say("hi")).await;
    let log = format!("[discord.log]\nchannel = {LOG}\nlevel = \"errors\"\n");
    let tables = format!(
        "avatar = \"face.gif\"\n{tables}\n{log}[guild.{GUILD}]\nmode = \"off\"\n{}",
        on(GENERAL)
    );
    let settings = settings(&fake, &url, "", &tables);
    DiscordTest::with(
        fake,
        &settings,
        &[
            ("face.gif", "GIF89a one"),
            ("mia.toml", MIA),
            ("mia.gif", "GIF89a mia"),
        ],
    )
    .await
}

fn changes(test: &DiscordTest, text: &str, to: &str) {
    let path = test.kith.dir.path().join("kith.toml");
    let old = std::fs::read_to_string(&path).unwrap();
    assert_has(&old, [text]);
    std::fs::write(&path, old.replace(text, to)).unwrap();
}

/// Waits until that many avatars were asked for, and for the last of these requests.
async fn avatars(test: &DiscordTest, pattern: &str, count: usize) -> Request {
    let asked = |world: &World| {
        let asked = world
            .requests(pattern)
            .into_iter()
            .filter(|asked| asked.body.get("avatar").is_some());
        let done: Vec<Request> = asked
            .filter(|asked| asked.status.is_some())
            .cloned()
            .collect();
        (done.len() >= count)
            .then(|| done.into_iter().next_back())
            .flatten()
    };
    let last = test.fake.until("an avatar", asked).await;
    test.posts_in_peace(GENERAL).await;
    let asked = test.fake.requests(pattern);
    assert_eq!(
        asked
            .iter()
            .filter(|asked| asked.body.get("avatar").is_some())
            .count(),
        count,
        "{asked:?}"
    );
    last
}

fn told(test: &DiscordTest, text: &str) -> usize {
    test.fake
        .posts(LOG)
        .iter()
        .filter(|entry| said(entry).contains(text))
        .count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_picture_of_the_settings_is_put_on_once_and_again_only_when_it_changed() {
    let mut test = with_face(FakeDiscord::start(World::small()), "").await;
    let first = avatars(&test, EVERYWHERE, 1).await;
    // "GIF89a one"
    assert_eq!(
        first.body["avatar"],
        "data:image/gif;base64,R0lGODlhIG9uZQ=="
    );
    test.restarts().await;
    changes(&test, "mode = \"off\"", "mode = \"observe\"");
    avatars(&test, EVERYWHERE, 1).await;
    std::fs::write(test.kith.dir.path().join("face.gif"), "GIF89a two").unwrap();
    let second = avatars(&test, EVERYWHERE, 2).await;
    assert_ne!(second.body["avatar"], first.body["avatar"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_avatar_that_discord_refuses_is_told_once_and_not_tried_again() {
    let fake = FakeDiscord::start(World::small());
    fake.faults(EVERYWHERE, Fault::Status(500), 3);
    let test = with_face(fake, "").await;
    avatars(&test, EVERYWHERE, 1).await;
    test.fake
        .until("a word about it", |world| world.posts(LOG).pop().map(drop))
        .await;
    test.fake.guild_outage(GUILD);
    test.fake.guild_comes_back(GUILD);
    avatars(&test, EVERYWHERE, 1).await;
    assert_eq!(
        told(&test, "My avatar could not be changed"),
        1,
        "{}",
        test.log()
    );
    changes(&test, "face.gif", "mia.gif");
    avatars(&test, EVERYWHERE, 2).await;
    let told_again = |world: &World| (world.posts(LOG).len() == 2).then_some(());
    test.fake
        .until("a word about the new one", told_again)
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_the_persona_is_another_it_wears_that_ones_name_and_picture() {
    let test = with_face(
        FakeDiscord::start(World::small()),
        "nick_follows_persona = true",
    )
    .await;
    avatars(&test, EVERYWHERE, 1).await;
    changes(&test, "mode = \"off\"", GUILD_IS_MIA);
    let worn = avatars(&test, IN_GUILD, 1).await;
    assert_eq!(
        (worn.path, worn.status),
        (format!("/guilds/{GUILD}/members/@me"), Some(200))
    );
    let nick = |world: &World| world.guilds[&GUILD].members[&BOT].nick.clone();
    test.fake
        .until("her name", |world| nick(world).filter(|nick| nick == "Mia"))
        .await;
    test.fake.says(GENERAL, ANNA, "Mia, hello");
    assert_eq!(test.post(GENERAL, 0).await, "hi");
    changes(&test, GUILD_IS_MIA, "mode = \"off\"");
    let off = avatars(&test, IN_GUILD, 2).await;
    assert!(off.body["avatar"].is_null(), "{}", off.body);
    test.fake
        .until("its own name", |world| {
            nick(world).filter(|nick| nick == "Juno")
        })
        .await;
    avatars(&test, EVERYWHERE, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_it_may_not_choose_its_nick_the_host_is_told_once_and_nothing_is_asked() {
    let mut world = World::small();
    let everyone = world.guild_mut(GUILD).roles.get_mut(&GUILD).unwrap();
    everyone.permissions &= !permissions::CHANGE_NICKNAME;
    let test = with_face(FakeDiscord::start(world), "nick_follows_persona = true").await;
    test.fake
        .until("a word about it", |world| world.posts(LOG).pop().map(drop))
        .await;
    for name in ["Friends", "Best friends"] {
        test.fake
            .changes_role(GUILD, MODS, |role| role.name = name.into());
    }
    test.posts_in_peace(GENERAL).await;
    assert_eq!(
        (
            told(&test, "Change Nickname"),
            test.fake.requests(IN_GUILD).len()
        ),
        (1, 0),
        "{}",
        test.log()
    );
    test.fake.changes_role(GUILD, GUILD, |role| {
        role.permissions |= permissions::CHANGE_NICKNAME
    });
    let is_juno =
        |world: &World| world.guilds[&GUILD].members[&BOT].nick.as_deref() == Some("Juno");
    test.fake
        .until_true("its name", |world| is_juno(world))
        .await;
}
