//! What it says and how: long answers in parts, replies, typing, whom it pings, emoji and stickers, what the server does
//! not let pass, and the names it goes by.

use std::time::Duration;

use crate::discord::discord_test::{DiscordTest, on, say, settings};
use crate::discord::fake_discord::{
    ANNA, BEN, BOT, BOT_ROLE, FakeDiscord, Fault, For, GENERAL, GUILD, LOG, MODS, Message,
    SMILE_CAT, WAVE, World, permissions,
};
use crate::discord::kith_process::model;
use crate::discord::people::said;

const REACTIONS: &str = "PUT /channels/*/messages/*/reactions/*/@me";

/// `kith` that types as these lines of `[pacing]` say.
async fn typist(
    pacing: &str,
    answer: impl Fn(&str) -> String + Send + Sync + 'static,
) -> DiscordTest {
    let fake = FakeDiscord::start(World::small());
    let url = model(answer).await;
    let settings =
        settings(&fake, &url, "", &on(GENERAL)).replace("characters_per_second = 400.0", pacing);
    DiscordTest::with(fake, &settings, &[]).await
}

/// `kith` with a log channel.
async fn logged(
    world: World,
    answer: impl Fn(&str) -> String + Send + Sync + 'static,
) -> DiscordTest {
    let tables = format!(
        "[discord.log]\nchannel = {LOG}\nlevel = \"errors\"\n{}",
        on(GENERAL)
    );
    DiscordTest::of(world, "", &tables, answer).await
}

fn at_juno(text: &str) -> String {
    format!("<@{BOT}> {text}")
}

/// The number of the line of a prompt that says this.
fn line(prompt: &str, text: &str) -> String {
    let found = prompt
        .lines()
        .find(|line| line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(text));
    let found = found.unwrap_or_else(|| panic!("no line with {text} in {prompt}"));
    found.chars().take_while(char::is_ascii_digit).collect()
}

/// Waits for this many posts in the channel.
async fn posts(test: &DiscordTest, count: usize) -> Vec<Message> {
    let found = |world: &World| {
        let posts = world.posts(GENERAL);
        (posts.len() >= count).then(|| posts.into_iter().cloned().collect())
    };
    test.fake.until("all posts", found).await
}

/// How many entries of the log channel say this.
fn told(test: &DiscordTest, text: &str) -> usize {
    test.fake
        .posts(LOG)
        .iter()
        .filter(|entry| said(entry).contains(text))
        .count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_answer_comes_in_parts_that_end_with_a_sentence_each_typed_by_itself() {
    let text = "A sentence of some length. ".repeat(150);
    let answer = text.clone();
    let test = typist("characters_per_second = 1000.0", move |user| {
        format!(
            "<turn><send_message reply_to=\"{}\">{answer}</send_message></turn>",
            line(user, "tell me everything")
        )
    })
    .await;
    let asked = test
        .fake
        .says(GENERAL, ANNA, &at_juno("tell me everything"));
    let posts = posts(&test, 3).await;
    let parts: Vec<&str> = posts.iter().map(|post| post.text.as_str()).collect();
    assert!(
        parts.iter().all(|part| part.ends_with("length.")),
        "{parts:?}"
    );
    assert_eq!(parts.join(" "), text.trim());
    let replies: Vec<_> = posts.iter().map(Message::replies_to).collect();
    assert_eq!(replies, [Some(asked), None, None]);
    // The second part takes two seconds to type.
    assert!(
        posts[1].at.unwrap() - posts[0].at.unwrap() > 1_500,
        "{posts:?}"
    );
    assert_eq!(test.posts_in_peace(GENERAL).await, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_block_of_code_that_is_cut_is_closed_and_opened_again() {
    let code = (0..200)
        .map(|line| format!("let x{line} = 1;\n"))
        .collect::<String>();
    let answer = say(&format!("look:\n```rust\n{code}```\nthat is all"));
    let test = typist("characters_per_second = 0.0", move |_| answer.clone()).await;
    test.fake.says(GENERAL, ANNA, &at_juno("show me"));
    let parts: Vec<String> = posts(&test, 2)
        .await
        .into_iter()
        .map(|post| post.text)
        .collect();
    assert!(
        parts[0].starts_with("look:\n```rust\nlet x0") && parts[0].ends_with(";\n```"),
        "{parts:?}"
    );
    assert!(
        parts[1].starts_with("```rust\nlet x") && parts[1].ends_with("x199 = 1;\n```\nthat is all"),
        "{parts:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_is_posted_though_its_original_was_deleted_meanwhile() {
    let text = "well ".repeat(200);
    let (answer, (said, answered)) = (text.clone(), std::sync::mpsc::channel());
    let test = typist("characters_per_second = 400.0", move |user| {
        let _ = said.send(());
        format!(
            "<turn><send_message reply_to=\"{}\">{answer}</send_message></turn>",
            line(user, "loud, that")
        )
    })
    .await;
    let original = test.fake.says(GENERAL, BEN, "loud, that");
    test.fake.says(GENERAL, ANNA, &at_juno("what was that?"));
    tokio::task::spawn_blocking(move || answered.recv())
        .await
        .unwrap()
        .unwrap();
    // It has the answer now and types it for more than two seconds.
    tokio::time::sleep(Duration::from_millis(1_000)).await;
    test.fake.deletes(GENERAL, &[original]);
    assert_eq!(test.post(GENERAL, 0).await, text.trim());
    let body = &test.fake.requests("POST /channels/*/messages")[0].body;
    assert_eq!(
        body["message_reference"]["fail_if_not_exists"], false,
        "{body}"
    );
    assert_eq!(test.posts_in_peace(GENERAL).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn typing_is_shown_again_while_it_lasts_and_not_after_the_message() {
    let pacing = "characters_per_second = 10.0\nlongest_pause_seconds = 10.0";
    let test = typist(pacing, |_| say(&"well ".repeat(20))).await;
    test.fake.says(GENERAL, ANNA, &at_juno("and?"));
    let post = posts(&test, 1).await.remove(0);
    assert_eq!(test.posts_in_peace(GENERAL).await, 1);
    let typed = test
        .fake
        .world(|world| world.channel(GENERAL).typing.clone());
    assert!(
        typed.len() >= 2 && typed.iter().all(|at| Some(*at) <= post.at),
        "{typed:?} {:?}",
        post.at
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_named_is_pinged_and_nobody_else() {
    let words = "@Ben and not Anna, @everyone, @here, @Mods";
    let written = format!("{words}, &lt;@&amp;{MODS}&gt;");
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), move |_| say(&written)).await;
    test.fake.says(GENERAL, BEN, "i am here");
    test.fake.says(GENERAL, ANNA, &at_juno("who comes?"));
    let post = posts(&test, 1).await.remove(0);
    assert_eq!(
        post.text,
        format!("<@{BEN}> and not Anna, @everyone, @here, @Mods, <@&{MODS}>")
    );
    assert_eq!(
        (
            post.mentions,
            post.mention_roles.len(),
            post.mention_everyone
        ),
        (vec![BEN], 0, false)
    );
    let body = &test.fake.requests("POST /channels/*/messages")[0].body;
    let users = serde_json::json!([BEN.to_string()]);
    assert_eq!(
        body["allowed_mentions"],
        serde_json::json!({"parse": [], "users": users, "replied_user": false})
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_uses_the_emoji_of_the_server_in_what_it_says_and_under_what_others_say() {
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), |user| {
        let to = line(user, "look at this");
        format!(
            "<turn><send_message>nice :smile_cat: :no_such_cat:</send_message><react to=\"{to}\" \
             emoji=\":smile_cat:\"/></turn>"
        )
    })
    .await;
    let shown = test.fake.says(GENERAL, ANNA, &at_juno("look at this"));
    assert_eq!(
        test.post(GENERAL, 0).await,
        format!("nice <:smile_cat:{SMILE_CAT}> :no_such_cat:")
    );
    let reactions = |world: &World| world.message(GENERAL, shown)?.reactions.first().cloned();
    let reaction = test.fake.until("a reaction", reactions).await;
    assert_eq!(
        (reaction.emoji, reaction.users),
        (format!("smile_cat:{SMILE_CAT}"), vec![BOT])
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sticker_is_read_as_text_and_sent_by_its_name() {
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), |user| {
        match user.contains("(sticker: wave)") {
            true => say("hello (sticker: wave)"),
            false => say("what sticker?"),
        }
    })
    .await;
    test.fake
        .post(GENERAL, Message::by(ANNA, at_juno("hi")).sticker(WAVE));
    let post = posts(&test, 1).await.remove(0);
    assert_eq!((post.text.as_str(), post.stickers), ("hello", vec![WAVE]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_slow_mode_it_waits_and_says_everything_once() {
    let mut world = World::small();
    world.channel_mut(GENERAL).slow_mode = 1;
    let answer = |_: &str| {
        "<turn><send_message>one</send_message><send_message>two</send_message></turn>".into()
    };
    let test = DiscordTest::of(world, "", &on(GENERAL), answer).await;
    test.fake.says(GENERAL, ANNA, &at_juno("count"));
    let posts = posts(&test, 2).await;
    assert!(
        posts[1].at.unwrap() - posts[0].at.unwrap() >= 1_000,
        "{posts:?}"
    );
    assert_eq!(test.posts_in_peace(GENERAL).await, 2);
    assert!(
        test.fake.requests("POST /channels/*/messages").len() <= 3,
        "it does not knock again and again"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn told_to_slow_down_it_waits_and_says_it_once() {
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), |_| say("here")).await;
    test.fake.fault(
        "POST /channels/*/messages",
        Fault::RouteLimit(std::time::Duration::from_millis(500)),
    );
    test.fake.says(GENERAL, ANNA, &at_juno("where are you?"));
    assert_eq!(test.post(GENERAL, 0).await, "here");
    assert_eq!(test.posts_in_peace(GENERAL).await, 1);
    let asked = test.fake.requests("POST /channels/*/messages");
    assert!(
        asked.len() == 2 && asked[1].at - asked[0].at >= 500,
        "{asked:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_automod_stops_is_told_once_and_not_tried_again() {
    let mut world = World::small();
    world.guild_mut(GUILD).blocked_words.push("rhubarb".into());
    let test = logged(world, |user| match user.contains("something else") {
        true => say("apples, then"),
        false => say("rhubarb pie"),
    })
    .await;
    test.fake.says(GENERAL, ANNA, &at_juno("what do you bake?"));
    test.fake
        .until("a word about it", |world| world.posts(LOG).pop().map(drop))
        .await;
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
    let tried = test
        .fake
        .requests(&format!("POST /channels/{GENERAL}/messages"))
        .len();
    let said = test
        .log()
        .matches("AutoMod does not let this text pass")
        .count();
    assert_eq!(
        (tried, told(&test, "Failed in"), said),
        (1, 1, 1),
        "{}",
        test.log()
    );
    assert_eq!(told(&test, "AutoMod did not let it pass"), 1);
    test.fake
        .says(GENERAL, ANNA, &at_juno("something else, please"));
    assert_eq!(
        test.post(GENERAL, 0).await,
        "apples, then",
        "the channel is not given up for it"
    );
}

/// Nobody tells the bot of it: Discord refuses all the same.
fn silently_forbids(test: &DiscordTest, what: u64) {
    test.fake
        .world(|world| world.overwrite(GENERAL, For::Role(BOT_ROLE), 0, what));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_it_may_not_speak_any_more_the_host_is_told_once() {
    let test = logged(World::small(), |_| say("hello")).await;
    silently_forbids(
        &test,
        permissions::SEND_MESSAGES | permissions::ADD_REACTIONS,
    );
    for text in ["one", "two", "three"] {
        test.fake.says(GENERAL, ANNA, &at_juno(text));
        assert_eq!(test.posts_in_peace(GENERAL).await, 0);
    }
    let tried = test
        .fake
        .requests(&format!("POST /channels/{GENERAL}/messages"))
        .len();
    assert_eq!((tried, told(&test, "Failed in")), (1, 1), "{}", test.log());
    assert_eq!(
        test.log().matches("does not let it post there").count(),
        1,
        "{}",
        test.log()
    );
    test.fake
        .changes_channel(GENERAL, |channel| channel.overwrites.clear());
    assert_eq!(test.post(GENERAL, 0).await, "hello");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_it_may_not_react_it_still_speaks_and_reacts_again_once_it_may() {
    let test = logged(World::small(), |user| {
        let number =
            line(user, "look").parse::<u32>().unwrap() + user.matches("look").count() as u32;
        format!(
            "<turn><react to=\"1\" emoji=\"👀\"/><send_message>seen {number}</send_message></turn>"
        )
    })
    .await;
    silently_forbids(&test, permissions::ADD_REACTIONS);
    for known in 0..3 {
        test.fake.says(GENERAL, ANNA, &at_juno("look"));
        test.post(GENERAL, known).await;
    }
    assert_eq!(test.fake.requests(REACTIONS).len(), 1, "{}", test.log());
    test.fake
        .changes_channel(GENERAL, |channel| channel.overwrites.clear());
    test.fake.says(GENERAL, ANNA, &at_juno("look"));
    let reacted = |world: &World| {
        world
            .requests(REACTIONS)
            .into_iter()
            .any(|asked| asked.status == Some(204))
    };
    test.fake
        .until("a reaction", |world| reacted(world).then_some(()))
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_answers_to_its_nick_in_the_server_and_to_the_next_one() {
    let mut world = World::small();
    world.guild_mut(GUILD).members.get_mut(&BOT).unwrap().nick = Some("Pip".into());
    let test = DiscordTest::of(world, "", &on(GENERAL), |_| say("yes?")).await;
    test.fake.says(GENERAL, ANNA, "Pip, are you there?");
    assert_eq!(test.post(GENERAL, 0).await, "yes?");
    test.fake
        .changes_member(GUILD, BOT, |member| member.nick = Some("Zed".into()));
    test.fake.says(GENERAL, ANNA, "Zed, and now?");
    assert_eq!(test.post(GENERAL, 1).await, "yes?");
}
