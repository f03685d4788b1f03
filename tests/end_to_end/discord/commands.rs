//! Asking the companion about itself and setting it up: commands, message menus, and who may use them.

use kith_testkit::{assert_has, assert_lacks};
use serde_json::json;

use crate::discord::prelude::*;

/// A world in which Ben reads Chinese.
fn world() -> World {
    let mut world = World::small();
    world.users.get_mut(&BEN).expect("a person").locale = "zh-CN".into();
    world
}

/// On in one channel, observing in the other.
fn both() -> String {
    on(GENERAL) + &format!("[channel.{RANDOM}]\nmode = \"observe\"\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn why_explains_silence_speech_and_what_it_never_read() {
    let answer =
        "<turn><thoughts>she sounds tired</thoughts><send_message>hi there</send_message></turn>";
    let (test, _) =
        DiscordTest::watched(world(), "talkativeness = 0.0\n", &both(), |_| answer.into()).await;
    assert_has(
        test.hears(GENERAL, ANNA, "kith why").await,
        ["Nothing was thought about"],
    );
    let plain = test
        .fake
        .says(GENERAL, ANNA, "pass me the salt please, Ben");
    let why = async || test.chooses(GENERAL, ANNA, "Why?", plain).await;
    let silence = test.until_told("not enough to speak", why).await;
    assert_has(
        &silence,
        [
            "Why it kept silent",
            "against a threshold of",
            "not enough to speak",
            "Budget today",
        ],
    );
    let mention = test.calls(GENERAL, ANNA, "hello");
    test.post(GENERAL, 0).await;
    let own = test.fake.posts(GENERAL)[0].id;
    test.is_stored("she sounds tired").await;
    for message in [mention, own] {
        let to_member = test.chooses(GENERAL, ANNA, "Why?", message).await;
        assert_has(&to_member, ["poke", "mention"]);
        assert!(
            !to_member.contains("she sounds tired"),
            "its thoughts are for moderators: {to_member}"
        );
        assert_has(
            test.chooses(GENERAL, MO, "Why?", message).await,
            ["she sounds tired"],
        );
    }
    assert_has(
        test.chooses(GENERAL, BEN, "Why?", plain).await,
        ["它为什么没有说话"],
    );
    assert!(
        test.hears(GENERAL, ANNA, "kith why")
            .await
            .contains("Why it spoke"),
        "the newest"
    );
    test.hears(GENERAL, MO, "kith off").await;
    let unread = test.fake.says(GENERAL, ANNA, "something else");
    assert_has(
        test.chooses(GENERAL, ANNA, "Why?", unread).await,
        ["is off: nothing is read"],
    );
}

async fn choose(test: &DiscordTest, user: Id, name: &str, place: &str) -> String {
    let params = json!({"name": name, "where": place});
    said(&test.asks(GENERAL, user, "kith persona", params).await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moderators_choose_persona_and_talkativeness_and_take_it_all_back() {
    let files = [
        (
            "moss.toml",
            "name = \"Moss\"\nidentity = \"You are Moss, a quiet gardener.\"\n",
        ),
        (
            "fern.toml",
            "name = \"Fern\"\nidentity = \"You are Fern, a loud baker.\"\n",
        ),
    ];
    let more = "[personas]\nmoss = \"moss.toml\"\nfern = \"fern.toml\"\n";
    let (mut test, shown) =
        DiscordTest::furnished(world(), more, &(on(GENERAL) + &on(RANDOM)), &files, |_| {
            say("hi")
        })
        .await;
    assert_has(choose(&test, ANNA, "moss", "here").await, ["Manage Server"]);
    assert_has(
        choose(&test, MO, "moss", "here").await,
        ["moss in #general"],
    );
    assert_has(
        choose(&test, MO, "fern", "all").await,
        ["fern in this whole server"],
    );
    assert_has(
        choose(&test, MO, "nettle", "here").await,
        ["the host offers: fern, moss"],
    );
    let level = test
        .asks(GENERAL, BEN, "kith talkativeness", json!({"level": 0.7}))
        .await;
    assert_has(&level.text, ["管理服务器"]);
    test.asks(GENERAL, MO, "kith talkativeness", json!({"level": 0.7}))
        .await;
    test.restarts().await;
    for (channel, who) in [(GENERAL, "a quiet gardener"), (RANDOM, "a loud baker")] {
        test.talk(channel, ANNA, "who are you?").await;
        assert_has(shown.last(), [who]);
    }
    assert_has(
        test.hears(GENERAL, ANNA, "kith status").await,
        ["talkativeness 0.7 of at most 1"],
    );
    let question = test
        .asks(GENERAL, MO, "kith reset", json!({"where": "all"}))
        .await;
    assert_has(&question.text, ["whole server?"]);
    assert_has(
        test.confirms(GENERAL, MO, &question, "reset").await,
        ["taken back"],
    );
    test.talk(RANDOM, ANNA, "and now?").await;
    assert_lacks(shown.last(), ["baker"]);
    assert_lacks(test.hears(GENERAL, ANNA, "kith status").await, ["0.7"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_holds_even_against_mentions_until_it_is_ended() {
    let (mut test, shown) = DiscordTest::watched(world(), "", &both(), |_| say("back again")).await;
    let pause = async |test: &DiscordTest, user, time: &str| {
        said(
            &test
                .asks(GENERAL, user, "kith pause", json!({"time": time}))
                .await,
        )
    };
    assert_has(pause(&test, ANNA, "30m").await, ["Manage Server"]);
    assert_has(pause(&test, MO, "soon").await, ["Write a time like 30m"]);
    assert_has(pause(&test, MO, "400d").await, ["365 days"]);
    assert_has(pause(&test, MO, "30m").await, ["30 min"]);
    test.restarts().await;
    let asked = test.calls(GENERAL, ANNA, "hello");
    test.fake
        .until("a small reaction", |world| {
            let marks = &world.message(GENERAL, asked)?.reactions;
            marks
                .iter()
                .any(|mark| mark.emoji == "⏸️" && mark.users.contains(&BOT))
                .then_some(())
        })
        .await;
    assert_eq!((test.posts_in_peace(GENERAL).await, shown.count()), (0, 0));
    assert_has(test.hears(GENERAL, BEN, "kith status").await, ["暂停中"]);
    assert_has(pause(&test, MO, "0").await, ["back in #general"]);
    assert_eq!(test.talk(GENERAL, ANNA, "and now?").await, "back again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fresh_start_shows_nothing_from_before_and_deletes_nothing() {
    let (test, shown) = DiscordTest::watched(world(), "", &both(), |_| say("hm")).await;
    test.fake.says(
        GENERAL,
        ANNA,
        "the zanzibar expedition takes aardvarks along",
    );
    test.is_stored("aardvarks").await;
    assert_has(
        test.hears(GENERAL, ANNA, "kith fresh").await,
        ["Manage Server"],
    );
    assert_has(
        test.hears(GENERAL, MO, "kith fresh").await,
        ["starts afresh"],
    );
    test.talk(GENERAL, BEN, "good morning").await;
    assert_lacks(shown.last(), ["aardvarks"]);
    assert!(!test.kith.files_with("aardvarks").is_empty());
}
