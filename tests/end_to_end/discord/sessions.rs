//! Sessions on Discord: threads with settings of their own, opened once whatever breaks, listed and closed by moderators,
//! and with nothing in them that not everybody there may read.

use std::time::Duration;

use serde_json::json;

use crate::discord::fake_discord::permissions as may;
use crate::discord::fake_discord::{ANNA, BEN, BOT, Fault, GENERAL, GUILD, Id, LOG, MO, World};
use crate::discord::people::{Shown, said};
use crate::discord::town::{Town, say};

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

async fn town(world: World, context: &str) -> (Town, Shown) {
    Town::watched(world, MORE, &tables(context), opens).await
}

fn juno(text: &str) -> String {
    format!("<@{BOT}> {text}")
}

/// The companion's own threads.
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
async fn opened(town: &Town, count: usize) -> Id {
    let newest = |world: &World| {
        Some(threads(world))
            .filter(|all| all.len() >= count)?
            .into_iter()
            .max()
    };
    town.fake.until("a thread", newest).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_of_a_profile_without_skills_has_its_words_and_no_skill_and_moderators_close_it() {
    let (town, shown) = town(World::small(), "none").await;
    town.fake.says(GENERAL, ANNA, &juno("open a thread"));
    let thread = opened(&town, 1).await;
    assert_eq!(town.post(thread, 0).await, "where first?");
    assert_eq!(
        town.fake.world(|world| (
            world.channel(thread).name.clone(),
            world.channel(thread).parent
        )),
        ("trip".into(), Some(GENERAL))
    );
    town.logged(LOG, "Session 1 opened in #general").await;
    town.fake.says(thread, ANNA, &juno("the castle"));
    assert_eq!(town.post(thread, 1).await, "here");
    let prompt = shown.last();
    assert!(
        prompt.contains("# What this thread is for\nYou are a guide.\n"),
        "{prompt}"
    );
    assert!(!prompt.contains("activate_skill"), "{prompt}");
    assert!(
        shown.all()[0].contains("activate_skill"),
        "its channel has a skill\n{}",
        shown.all()[0]
    );
    assert!(
        !prompt.contains("before this thread"),
        "it begins with nothing\n{prompt}"
    );

    let refused = town.hears(GENERAL, ANNA, "kith sessions").await;
    assert!(refused.contains("Manage Server"), "{refused}");
    let list = town.hears(GENERAL, MO, "kith sessions").await;
    assert!(
        list.starts_with(&format!("`1` <#{thread}> · guide")),
        "{list}"
    );
    let wrong = said(
        &town
            .asks(GENERAL, MO, "kith sessions", json!({"close": "7"}))
            .await,
    );
    assert!(wrong.starts_with("There is no session 7 here"), "{wrong}");
    let closed = said(
        &town
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
    town.fake
        .until("an archived thread", |world| {
            is_archived(world).then_some(())
        })
        .await;
    assert_eq!(
        town.hears(GENERAL, MO, "kith sessions").await,
        "No session is open here."
    );
    town.fake.says(thread, ANNA, &juno("still there?"));
    assert_eq!(town.post(thread, 2).await, "here");
    assert!(
        !shown.last().contains("You are a guide."),
        "{}",
        shown.last()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_begins_with_its_source_as_it_is_now_and_only_while_it_may_be_read() {
    let mut world = World::small();
    let plans = world.add_thread(GENERAL, "plans", BEN);
    let (town, shown) = town(world, "inherit").await;
    let pin = town.fake.says(plans, BEN, "the pin is rhododendron");
    let road = town.fake.says(plans, BEN, "we go by road");
    town.fake.says(plans, ANNA, &juno("open a thread"));
    let thread = opened(&town, 1).await;
    assert_eq!(
        town.fake.world(|world| world.channel(thread).parent),
        Some(GENERAL),
        "a thread has no threads"
    );
    town.fake.says(thread, ANNA, &juno("one"));
    town.post(thread, 1).await;
    assert!(
        shown.last().contains("Ben: the pin is rhododendron"),
        "{}",
        shown.last()
    );
    town.fake.deletes(plans, &[pin]);
    town.fake.edits(plans, road, "we go by sea");
    tokio::time::sleep(Duration::from_millis(300)).await;
    town.fake.says(thread, ANNA, &juno("two"));
    town.post(thread, 2).await;
    let prompt = shown.last();
    assert!(
        prompt.contains("Ben: we go by sea")
            && !prompt.contains("rhododendron")
            && !prompt.contains("by road"),
        "{prompt}"
    );
    // Who is added to it sees the source no more: it is as good as hidden.
    let off = town.asks(plans, MO, "kith off", json!({})).await;
    assert!(said(&off).contains("is off"), "{}", said(&off));
    town.fake.says(thread, ANNA, &juno("three"));
    town.post(thread, 3).await;
    assert!(!shown.last().contains("by sea"), "{}", shown.last());
    town.fake.says(thread, ANNA, &juno("open one more"));
    let told = town
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
    let (town, shown) = Town::watched(world, MORE, &tables, opens).await;
    town.fake
        .says(secret, ANNA, &juno("open a thread about the rhododendron"));
    assert_eq!(town.post(secret, 0).await, "that did not work");
    assert!(
        shown
            .last()
            .contains("not everybody who would see the new thread can see this one"),
        "{}",
        shown.last()
    );
    assert_eq!(town.fake.world(|world| threads(world)), Vec::<Id>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_permission_the_model_is_told_and_nothing_is_left_on_record() {
    let mut world = World::small();
    world
        .guild_mut(GUILD)
        .roles
        .values_mut()
        .for_each(|role| role.permissions &= !may::CREATE_PUBLIC_THREADS);
    let (town, shown) = town(world, "none").await;
    town.fake.says(GENERAL, ANNA, &juno("open a thread"));
    assert_eq!(town.post(GENERAL, 0).await, "that did not work");
    assert!(
        shown.last().contains("Missing Permissions"),
        "{}",
        shown.last()
    );
    assert_eq!(
        town.hears(GENERAL, MO, "kith sessions").await,
        "No session is open here."
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_the_thread_and_its_row_it_opens_none_twice() {
    let (mut town, shown) = town(World::small(), "none").await;
    let threads_of_general = format!("POST /channels/{GENERAL}/threads");
    town.fake.fault(&threads_of_general, Fault::DoneButHang);
    town.fake.says(GENERAL, ANNA, &juno("open a thread"));
    let thread = opened(&town, 1).await;
    town.house.kill();
    town.starts().await;
    assert_eq!(town.post(thread, 0).await, "where first?");
    town.fake.says(thread, ANNA, &juno("hello"));
    assert_eq!(town.post(thread, 1).await, "here");
    assert!(
        shown.last().contains("You are a guide."),
        "{}",
        shown.last()
    );
    assert_eq!(town.posts_in_peace(thread).await, 2);
    assert_eq!(town.fake.world(|world| threads(world)), [thread]);
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
    let (mut town, _) = town(world, "none").await;
    town.fake.says(post, ANNA, &juno("open a thread"));
    let thread = opened(&town, 1).await;
    assert_eq!(town.post(thread, 0).await, "where first?");
    let (parent, first, tags) = town.fake.world(|world| {
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
    town.fake.says(thread, ANNA, &juno("the castle"));
    assert_eq!(town.post(thread, 1).await, "here");
    assert_eq!(
        town.posts_in_peace(thread).await,
        2,
        "its first words are said once"
    );
    town.house.stop();
    assert_eq!(
        town.stored(thread).await,
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
    let (town, shown) = town(world, "none").await;
    town.fake.says(news, ANNA, &juno("open a thread"));
    let thread = opened(&town, 1).await;
    assert_eq!(town.post(thread, 0).await, "where first?");
    assert_eq!(town.fake.world(|world| world.channel(thread).kind), 10);
    town.fake.says(voices, ANNA, &juno("open a thread"));
    assert_eq!(town.post(voices, 0).await, "that did not work");
    assert!(
        shown.last().contains("this kind of channel has no threads"),
        "{}",
        shown.last()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_between_the_post_and_its_row_its_first_words_stand_there_once() {
    let mut world = World::small();
    let (forum, post) = post_of_a_forum(&mut world, &[], false);
    let (mut town, _) = town(world, "none").await;
    town.fake.fault(
        &format!("POST /channels/{forum}/threads"),
        Fault::DoneButHang,
    );
    town.fake.says(post, ANNA, &juno("open a thread"));
    let thread = opened(&town, 1).await;
    town.house.kill();
    town.starts().await;
    town.fake.says(thread, ANNA, &juno("hello"));
    assert_eq!(town.post(thread, 1).await, "here");
    assert_eq!(town.posts_in_peace(thread).await, 2);
    assert_eq!(town.fake.world(|world| threads(world)), [thread]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_thread_ends_its_session() {
    let (town, _) = town(World::small(), "none").await;
    town.fake.says(GENERAL, ANNA, &juno("open a thread"));
    let thread = opened(&town, 1).await;
    assert_eq!(town.post(thread, 0).await, "where first?");
    town.fake.removes_channel(thread);
    town.until_told("No session is open here.", async || {
        town.hears(GENERAL, MO, "kith sessions").await
    })
    .await;
}
