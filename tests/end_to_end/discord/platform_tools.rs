//! What it can do on Discord besides talking, where a channel's tools name it: look at members, mend its own lines, open
//! threads, polls, stickers, a status, reminders. The model asks for it, the fake Discord sees it.

use std::sync::atomic::{AtomicUsize, Ordering};

use kith_testkit::assert_has;

use crate::discord::fake_discord::permissions as may;
use crate::discord::prelude::*;

fn with(tools: &str) -> String {
    format!("[channel.{GENERAL}]\nmode = \"on\"\ntools = [\"default\", {tools}]\n")
}

/// The number of the newest line of a prompt that says this.
fn line(prompt: &str, text: &str) -> String {
    let found = prompt
        .lines()
        .rfind(|line| line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(text));
    found
        .unwrap_or_default()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect()
}

fn turn(calls: &str) -> String {
    format!("<turn>{calls}</turn>")
}

/// A model that is shown a prompt as long as it answers with `calls`, and keeps what it was shown.
fn keeping(
    calls: impl Fn(&str) -> String + Send + Sync + 'static,
) -> (Prompts, impl Fn(&str) -> String + Send + Sync + 'static) {
    let prompts = Prompts::default();
    let kept = prompts.clone();
    let answer = move |user: &str| {
        kept.lock().unwrap().push(user.to_owned());
        calls(user)
    };
    (prompts, answer)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_tells_what_everybody_can_see_of_a_member_and_nothing_of_who_is_not_here() {
    let mut world = World::small();
    world.guild_mut(GUILD).members.get_mut(&MO).unwrap().nick = Some("Momo".into());
    let (prompts, model) = keeping(|user| match () {
        () if user.contains("you called member_info") => say("I see"),
        () if user.contains("who wrote that") => turn(&format!(
            "<member_info line=\"{}\"/>",
            line(user, "hello there")
        )),
        () => turn("<member_info>Momo</member_info>"),
    });
    let test = DiscordTest::of(world, "", &with("\"member_info\""), model).await;
    test.fake.says(GENERAL, MO, "hello there");
    test.talk(GENERAL, ANNA, "who wrote that?").await;
    let told = prompts.lock().unwrap().last().unwrap().clone();
    assert_has(
        &told,
        ["Momo; account Mo; roles: Mods; joined 2023-11-14; account made"],
    );
    test.fake
        .world(|world| world.overwrite(GENERAL, For::Role(MODS), 0, may::VIEW_CHANNEL));
    test.fake.changes_channel(GENERAL, |_| {});
    test.talk(GENERAL, ANNA, "and Momo?").await;
    let told = prompts.lock().unwrap().last().unwrap().clone();
    assert_has(&told, ["Momo cannot read along in this channel"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_mends_and_takes_back_its_own_lines_only() {
    let (prompts, model) = keeping(|user| match () {
        () if user.contains("not yours") => say("fair enough"),
        () if user.contains("take it back") => turn("<delete_own_message/>"),
        () if user.contains("that is wrong") => turn(&format!(
            "<edit_message line=\"{}\">it opens at ten</edit_message>",
            line(user, "opens at nine")
        )),
        () if user.contains("edit mine") => turn(&format!(
            "<edit_message line=\"{}\">haha</edit_message>",
            line(user, "edit mine")
        )),
        () => say("it opens at nine"),
    });
    let test = DiscordTest::of(
        World::small(),
        "",
        &with("\"edit_message\", \"delete_own_message\""),
        model,
    )
    .await;
    assert_eq!(
        test.talk(GENERAL, ANNA, "when does it open?").await,
        "it opens at nine"
    );
    assert_eq!(test.talk(GENERAL, ANNA, "edit mine").await, "fair enough");
    test.calls(GENERAL, ANNA, "that is wrong");
    test.fake
        .until_true("an edit", |world| {
            world.posts(GENERAL)[0].text == "it opens at ten"
        })
        .await;
    test.calls(GENERAL, ANNA, "take it back");
    test.fake
        .until_true("one is gone", |world| world.posts(GENERAL).len() == 1)
        .await;
    let seen = prompts.lock().unwrap().last().unwrap().clone();
    assert!(
        seen.contains("Juno: it opens at ten"),
        "it knows what it says now: {seen}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_opens_with_its_first_words_and_it_goes_on_there() {
    let calls = AtomicUsize::new(0);
    let (_, model) = keeping(move |user| match () {
        () if user.contains("thread #film night") => say("I am here, too"),
        () if calls.fetch_add(1, Ordering::Relaxed) == 0 => {
            turn("<create_thread text=\"so, which film?\">film night</create_thread>")
        }
        () => say("no"),
    });
    let test = DiscordTest::of(World::small(), "", &with("\"create_thread\""), model).await;
    test.calls(GENERAL, ANNA, "let us plan the film night");
    let thread = |world: &World| {
        world
            .channels
            .values()
            .find(|channel| channel.name == "film night")
            .map(|found| found.id)
    };
    let thread = test.fake.until("a thread", thread).await;
    assert_eq!(test.post(thread, 0).await, "so, which film?");
    assert!(test.fake.posts(GENERAL).is_empty());
    assert_eq!(test.talk(thread, ANNA, "are you?").await, "I am here, too");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_permission_the_model_is_told_and_discord_is_not_asked() {
    let mut world = World::small();
    world.overwrite(
        GENERAL,
        For::Role(BOT_ROLE),
        0,
        may::CREATE_PUBLIC_THREADS | may::ATTACH_FILES,
    );
    let (prompts, model) = keeping(|user| match () {
        () if user.contains("you lack the permission Create Polls") => say("neither"),
        () if user.contains("you lack the permission Create Public Threads") => {
            turn("<create_poll question=\"well?\"><answers>[\"a\", \"b\"]</answers></create_poll>")
        }
        () => turn("<create_thread>plans</create_thread>"),
    });
    let test = DiscordTest::of(
        world,
        "",
        &with("\"create_thread\", \"create_poll\""),
        model,
    )
    .await;
    assert_eq!(
        test.talk(GENERAL, ANNA, "a thread or a poll, please").await,
        "neither",
        "{:#?}",
        prompts.lock().unwrap()
    );
    assert!(test.fake.requests("POST /channels/*/threads").is_empty());
    assert_eq!(test.fake.requests("POST /channels/*/messages").len(), 1);
}

fn polling() -> World {
    let mut world = World::small();
    world.bot_may(GUILD, may::SEND_POLLS);
    world
}

const POLL: &str = "<create_poll question=\"which film?\" hours=\"2\"><answers>[\"Heat\", \"Ran\"]</answers></create_poll>";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_poll_is_posted_and_stands_in_the_history_as_one_of_its_lines() {
    let (prompts, model) = keeping(|user| {
        if user.contains("and now?") {
            say("vote!")
        } else {
            turn(POLL)
        }
    });
    let test = DiscordTest::of(polling(), "", &with("\"create_poll\""), model).await;
    test.calls(GENERAL, ANNA, "let us vote");
    let poll = |world: &World| {
        world
            .posts(GENERAL)
            .first()
            .and_then(|post| post.poll.clone())
    };
    let poll = test.fake.until("a poll", poll).await;
    assert_eq!(poll["answers"][1]["poll_media"]["text"], "Ran");
    test.knows_it_did(1).await;
    assert_eq!(test.talk(GENERAL, ANNA, "and now?").await, "vote!");
    let seen = prompts.lock().unwrap().last().unwrap().clone();
    assert_has(&seen, ["Juno: (poll: which film? — Heat / Ran)"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_between_the_journal_and_the_answer_posts_neither_poll_nor_sticker_twice() {
    for (calls, fault) in [
        (POLL, Fault::DoneButHang),
        (POLL, Fault::Hang),
        ("<send_sticker>wave</send_sticker>", Fault::DoneButHang),
        ("<send_sticker>wave</send_sticker>", Fault::Hang),
    ] {
        let mut test = DiscordTest::of(
            polling(),
            "",
            &with("\"create_poll\", \"send_sticker\""),
            move |_| turn(calls),
        )
        .await;
        test.fake.fault("POST /channels/*/messages", fault.clone());
        test.calls(GENERAL, ANNA, "go on");
        test.fake
            .until("a try", |world| {
                world.requests("POST /channels/*/messages").pop().map(drop)
            })
            .await;
        test.kith.kill();
        test.starts().await;
        test.fake
            .until("a post", |world| world.posts(GENERAL).pop().map(drop))
            .await;
        test.knows_it_did(1).await;
        assert_eq!(
            test.posts_in_peace(GENERAL).await,
            1,
            "{calls} {fault:?}\n{}",
            test.log()
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_status_is_shown_where_all_may_know_and_is_gone_after_a_restart() {
    let hidden = format!("[channel.{LOG}]\nmode = \"on\"\ntools = [\"default\", \"set_status\"]\n");
    let tables = with("\"set_status\"") + &hidden;
    let (_, model) = keeping(|user| match () {
        () if user.contains("not everybody can read along here") => say("not here"),
        () if user.contains("you called set_status") || user.contains("wait ") => say("later"),
        () => turn("<set_status>baking bread</set_status><send_message>done</send_message>"),
    });
    let mut test = DiscordTest::of(World::small(), "", &tables, model).await;
    assert_eq!(test.talk(LOG, MO, "what are you up to?").await, "not here");
    assert_eq!(
        test.fake.world(|world| world.log.presence.clone()),
        serde_json::Value::Null
    );
    test.calls(GENERAL, ANNA, "what are you up to?");
    let shown = |world: &World| {
        world.log.presence["activities"][0]["state"]
            .as_str()
            .map(str::to_owned)
    };
    assert_eq!(test.fake.until("a status", shown).await, "baking bread");
    assert_eq!(
        test.fake
            .world(|world| world.log.presence["activities"][0]["type"].clone()),
        4
    );
    test.fake.break_links(LinkFault::Close(Some(4000)));
    test.kith.stop();
    test.starts().await;
    assert_eq!(
        test.fake.world(|world| world.log.presence.clone()),
        serde_json::Value::Null
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reminder_that_was_asked_for_comes_in_quiet_hours_after_a_restart_and_once() {
    let (prompts, model) = keeping(|user| match () {
        () if user.contains("It is time for the reminder for Ben: \"the cake\"") => {
            say("@Ben the cake!")
        }
        () => turn(&format!(
            "<remind when=\"30\" line=\"{}\">the cake</remind><send_message>will do</send_message>",
            line(user, "Ben: i bake")
        )),
    });
    let quiet = with("\"remind\"") + "quiet_hours = \"00:00-23:59 UTC\"\n";
    let mut test = DiscordTest::of(World::small(), "", &quiet, model).await;
    test.fake.says(GENERAL, BEN, "i bake");
    assert_eq!(
        test.talk(GENERAL, ANNA, "remind Ben of the cake in half an hour")
            .await,
        "will do",
        "{:#?}",
        prompts.lock().unwrap()
    );
    test.knows_it_did(1).await;
    test.kith.stop();
    let database = test.kith.database();
    let kept = database.first("SELECT reminder FROM intents").unwrap();
    assert_has(&kept, [&ANNA.to_string()]);
    assert_has(&kept, [&BEN.to_string()]);
    let moved = "UPDATE intents SET time = made + 1500";
    assert_eq!(database.change(moved), 1);
    test.starts().await;
    assert_eq!(test.post(GENERAL, 1).await, format!("<@{BEN}> the cake!"));
    assert_eq!(test.posts_in_peace(GENERAL).await, 2);
    assert_eq!(database.number("SELECT count(*) FROM intents"), 0);
}
