//! Sessions on Discord: threads with settings of their own, opened once whatever breaks, listed and closed by moderators,
//! and with nothing in them that not everybody there may read.

use kith_testkit::{assert_has, assert_lacks};
use serde_json::json;

use crate::discord::fake_discord::permissions as may;
use crate::discord::prelude::*;

const MORE: &str = "tools = [\"default\", \"create_session\"]\nskills = [\"catch-up\"]\n";
const OPEN: &str = "<create_session label=\"trip\" profile=\"guide\" prompt=\"where first?\"/>";

/// The guild is on, and there is a profile whose skills are none.
fn tables(context: &str) -> String {
    format!(
        "[guild.{GUILD}]\nmode = \"on\"\nlog_channel = \"{LOG}\"\n[profiles.guide]\nsystem_prompt = \"You are a guide.\"\n\
         context = \"{context}\"\nskills = []\n"
    )
}

/// Opens a session where the newest line asks for it, and tells what became of one that could not be opened.
fn opens(user: &str) -> String {
    let asked = user
        .lines()
        .rfind(|line| line.contains("Anna: "))
        .unwrap_or_default();
    match () {
        () if user.contains("it failed:") => say("that did not work"),
        () if asked.contains("open") => format!("<turn>{OPEN}</turn>"),
        () => say("here"),
    }
}

async fn test(world: World, context: &str) -> (DiscordTest, PromptLog) {
    DiscordTest::watched(world, MORE, &tables(context), opens).await
}

fn threads(world: &World) -> Vec<Id> {
    let own = world.channels.values().filter(|channel| {
        channel
            .thread
            .as_ref()
            .is_some_and(|known| known.owner == BOT)
    });
    own.map(|channel| channel.id).collect()
}

/// Waits until it has opened so many threads, and answers with the newest.
async fn opened(test: &DiscordTest, count: usize) -> Id {
    let newest = |world: &World| {
        Some(threads(world))
            .filter(|all| all.len() >= count)?
            .into_iter()
            .max()
    };
    test.fake.until("a thread", newest).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_of_a_profile_without_skills_has_its_words_and_no_skill_and_moderators_close_it() {
    let (test, shown) = test(World::small(), "none").await;
    test.calls(GENERAL, ANNA, "open a thread");
    let thread = opened(&test, 1).await;
    assert_eq!(test.post(thread, 0).await, "where first?");
    assert_eq!(
        test.fake.world(|world| (
            world.channel(thread).name.clone(),
            world.channel(thread).parent
        )),
        ("trip".into(), Some(GENERAL))
    );
    test.logged(LOG, "Session 1 opened in #general").await;
    assert_eq!(test.talk(thread, ANNA, "the castle").await, "here");
    let prompt = shown.last();
    assert_has(&prompt, ["# What this thread is for\nYou are a guide.\n"]);
    assert_lacks(&prompt, ["activate_skill"]);
    assert!(
        shown.all()[0].contains("activate_skill"),
        "its channel has a skill\n{}",
        shown.all()[0]
    );
    assert!(
        !prompt.contains("before this thread"),
        "it begins with nothing\n{prompt}"
    );

    let refused = test.hears(GENERAL, ANNA, "kith sessions").await;
    assert_has(&refused, ["Manage Server"]);
    let list = test.hears(GENERAL, MO, "kith sessions").await;
    assert!(
        list.starts_with(&format!("`1` <#{thread}> · guide")),
        "{list}"
    );
    let wrong = said(
        &test
            .asks(GENERAL, MO, "kith sessions", json!({"close": "7"}))
            .await,
    );
    assert!(wrong.starts_with("There is no session 7 here"), "{wrong}");
    let closed = said(
        &test
            .asks(GENERAL, MO, "kith sessions", json!({"close": "1"}))
            .await,
    );
    assert!(closed.starts_with("Session 1 is closed"), "{closed}");
    let is_archived = |world: &World| {
        world
            .channel(thread)
            .thread
            .as_ref()
            .is_some_and(|thread| thread.archived)
    };
    test.fake
        .until_true("an archived thread", |world| is_archived(world))
        .await;
    assert_eq!(
        test.hears(GENERAL, MO, "kith sessions").await,
        "No session is open here."
    );
    assert_eq!(test.talk(thread, ANNA, "still there?").await, "here");
    assert_lacks(shown.last(), ["You are a guide."]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_begins_with_its_source_as_it_is_now_and_only_while_it_may_be_read() {
    let mut world = World::small();
    let plans = world.add_thread(GENERAL, "plans", BEN);
    let (test, shown) = test(world, "inherit").await;
    let pin = test.fake.says(plans, BEN, "the pin is rhododendron");
    let road = test.fake.says(plans, BEN, "we go by road");
    test.calls(plans, ANNA, "open a thread");
    let thread = opened(&test, 1).await;
    assert_eq!(
        test.fake.world(|world| world.channel(thread).parent),
        Some(GENERAL),
        "a thread has no threads"
    );
    test.post(thread, 0).await;
    test.talk(thread, ANNA, "one").await;
    assert_has(shown.last(), ["Ben: the pin is rhododendron"]);
    test.fake.deletes(plans, &[pin]);
    test.fake.edits(plans, road, "we go by sea");
    test.is_stored("we go by sea").await;
    test.talk(thread, ANNA, "two").await;
    let prompt = shown.last();
    assert_has(&prompt, ["Ben: we go by sea"]);
    assert_lacks(&prompt, ["rhododendron", "by road"]);
    // Who is added to it sees the source no more: it is as good as hidden.
    let off = test.asks(plans, MO, "kith off", json!({})).await;
    assert_has(said(&off), ["is off"]);
    test.talk(thread, ANNA, "three").await;
    assert_lacks(shown.last(), ["by sea"]);
    test.calls(thread, ANNA, "open one more");
    let told = test
        .fake
        .until("a word", |world| {
            world.posts(thread).get(4).map(|post| post.text.clone())
        })
        .await;
    assert_eq!(
        told, "that did not work",
        "a session of the same name is open"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_in_a_private_thread_leads_to_no_public_one() {
    let mut world = World::small();
    let secret = world.add_thread(GENERAL, "secret", ANNA);
    world.channel_mut(secret).kind = 12;
    world
        .channel_mut(secret)
        .thread
        .as_mut()
        .unwrap()
        .members
        .push(BOT);
    let tables = format!("{}[channel.{secret}]\nmode = \"on\"\n", tables("inherit"));
    let (test, shown) = DiscordTest::watched(world, MORE, &tables, opens).await;
    assert_eq!(
        test.talk(secret, ANNA, "open a thread about the rhododendron")
            .await,
        "that did not work"
    );
    assert_has(
        shown.last(),
        ["not everybody who would see the new thread can see this one"],
    );
    assert_eq!(test.fake.world(|world| threads(world)), Vec::<Id>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_permission_the_model_is_told_and_nothing_is_left_on_record() {
    let mut world = World::small();
    world
        .guild_mut(GUILD)
        .roles
        .values_mut()
        .for_each(|role| role.permissions &= !may::CREATE_PUBLIC_THREADS);
    let (test, shown) = test(world, "none").await;
    assert_eq!(
        test.talk(GENERAL, ANNA, "open a thread").await,
        "that did not work"
    );
    assert_has(shown.last(), ["Missing Permissions"]);
    assert_eq!(
        test.hears(GENERAL, MO, "kith sessions").await,
        "No session is open here."
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_the_thread_and_its_row_it_opens_none_twice() {
    let (mut test, shown) = test(World::small(), "none").await;
    let threads_of_general = format!("POST /channels/{GENERAL}/threads");
    test.fake.fault(&threads_of_general, Fault::DoneButHang);
    test.calls(GENERAL, ANNA, "open a thread");
    let thread = opened(&test, 1).await;
    test.kith.kill();
    test.starts().await;
    assert_eq!(test.post(thread, 0).await, "where first?");
    assert_eq!(test.talk(thread, ANNA, "hello").await, "here");
    assert_has(shown.last(), ["You are a guide."]);
    assert_eq!(test.posts_in_peace(thread).await, 2);
    assert_eq!(test.fake.world(|world| threads(world)), [thread]);
}

/// A post of a forum in which everybody reads along, and the companion, too.
fn post_of_a_forum(world: &mut World, tags: &[(&str, bool)], requires_tag: bool) -> (Id, Id) {
    let forum = world.add_forum(GUILD, "help", tags);
    world.channel_mut(forum).requires_tag = requires_tag;
    (forum, world.add_thread(forum, "where to go?", ANNA))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn below_a_forum_it_is_a_post_with_the_first_words_and_the_tag_the_forum_demands() {
    let mut world = World::small();
    let (forum, post) = post_of_a_forum(
        &mut world,
        &[("Official", true), ("Question", false), ("Trip", false)],
        true,
    );
    let (mut test, _) = test(world, "none").await;
    test.calls(post, ANNA, "open a thread");
    let thread = opened(&test, 1).await;
    assert_eq!(test.post(thread, 0).await, "where first?");
    let (parent, first, tags) = test.fake.world(|world| {
        let tags = &world.channel(thread).thread.as_ref().unwrap().tags;
        let named = world
            .channel(forum)
            .tags
            .iter()
            .filter(|tag| tags.contains(&tag.id))
            .map(|tag| tag.name.clone());
        (
            world.channel(thread).parent,
            world.posts(thread)[0].id,
            named.collect::<Vec<_>>(),
        )
    });
    assert_eq!(
        (parent, first, tags),
        (Some(forum), thread, vec!["Trip".to_owned()])
    );
    assert_eq!(test.talk(thread, ANNA, "the castle").await, "here");
    assert_eq!(
        test.posts_in_peace(thread).await,
        2,
        "its first words are said once"
    );
    test.kith.stop();
    assert_eq!(
        test.stored(thread).await,
        ["where first?", "@juno the castle", "here"]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_an_announcement_channel_the_thread_is_of_its_kind_and_in_a_voice_channel_there_is_none()
{
    let mut world = World::small();
    let (news, voices) = (
        world.add_channel(GUILD, "news"),
        world.add_channel(GUILD, "voices"),
    );
    world.channel_mut(news).kind = 5;
    world.channel_mut(voices).kind = 2;
    world
        .guild_mut(GUILD)
        .roles
        .get_mut(&GUILD)
        .unwrap()
        .permissions |= 1 << 20;
    let (test, shown) = test(world, "none").await;
    test.calls(news, ANNA, "open a thread");
    let thread = opened(&test, 1).await;
    assert_eq!(test.post(thread, 0).await, "where first?");
    assert_eq!(test.fake.world(|world| world.channel(thread).kind), 10);
    assert_eq!(
        test.talk(voices, ANNA, "open a thread").await,
        "that did not work"
    );
    assert_has(shown.last(), ["this kind of channel has no threads"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_the_post_and_its_row_its_first_words_stand_there_once() {
    let mut world = World::small();
    let (forum, post) = post_of_a_forum(&mut world, &[], false);
    let (mut test, _) = test(world, "none").await;
    test.fake.fault(
        &format!("POST /channels/{forum}/threads"),
        Fault::DoneButHang,
    );
    test.calls(post, ANNA, "open a thread");
    let thread = opened(&test, 1).await;
    test.kith.kill();
    test.starts().await;
    assert_eq!(test.talk(thread, ANNA, "hello").await, "here");
    assert_eq!(test.posts_in_peace(thread).await, 2);
    assert_eq!(test.fake.world(|world| threads(world)), [thread]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_thread_ends_its_session() {
    let (test, _) = test(World::small(), "none").await;
    test.calls(GENERAL, ANNA, "open a thread");
    let thread = opened(&test, 1).await;
    assert_eq!(test.post(thread, 0).await, "where first?");
    test.fake.removes_channel(thread);
    test.until_told("No session is open here.", async || {
        test.hears(GENERAL, MO, "kith sessions").await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moderators_open_rename_and_prompt_a_session_and_tell_what_came_of_it() {
    let (test, shown) = test(World::small(), "none").await;
    let asks = async |user, command: &str, options| {
        said(
            &test
                .asks(GENERAL, user, &format!("kith session {command}"), options)
                .await,
        )
    };
    let open = json!({"name": "trip", "about": "be brief"});
    assert_has(asks(ANNA, "open", open.clone()).await, ["Manage Server"]);
    let opened_as = asks(MO, "open", open.clone()).await;
    let thread = opened(&test, 1).await;
    assert_eq!(opened_as, format!("Session 1 is open: <#{thread}>."));
    let twice = asks(MO, "open", open).await;
    assert!(
        twice.starts_with("It is not opened: there is a session"),
        "{twice}"
    );
    assert_eq!(test.talk(thread, ANNA, "the castle").await, "here");
    assert_has(shown.last(), ["| be brief\n"]);

    let missing = asks(MO, "rename", json!({"number": 7, "name": "x"})).await;
    assert!(
        missing.starts_with("There is no session 7 here"),
        "{missing}"
    );
    let renamed = asks(MO, "rename", json!({"number": 1, "name": "castles"})).await;
    assert_has(&renamed, ["castles"]);
    test.fake
        .until_true("the name", |world| world.channel(thread).name == "castles")
        .await;
    let prompted = asks(MO, "prompt", json!({"number": 1, "about": "in rhymes"})).await;
    assert!(
        prompted.starts_with("Session 1 keeps that in mind"),
        "{prompted}"
    );
    assert_eq!(test.talk(thread, ANNA, "the other castle").await, "here");
    assert_has(shown.last(), ["| in rhymes\n"]);
    assert_lacks(shown.last(), ["be brief"]);

    let outcome = json!({"number": 1, "outcome": "we go in May, @everyone"});
    assert!(
        asks(MO, "close", outcome)
            .await
            .starts_with("Session 1 is closed")
    );
    let told = test.post(GENERAL, 0).await;
    assert!(
        told.starts_with("\u{201c}castles\u{201d} is over. What came of it: we go in May"),
        "{told}"
    );
}
