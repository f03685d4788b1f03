//! Asking the companion about itself and setting it up: commands, message menus, and who may use them.

use std::time::Duration;

use serde_json::json;

use crate::discord::discord_test::{DiscordTest, on, say};
use crate::discord::fake_discord::{ANNA, BEN, BOT, GENERAL, GUILD, HOST, Id, MO, RANDOM, World};
use crate::discord::people::said;

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
async fn status_tells_how_it_is_here_and_how_often_it_would_have_spoken() {
    let (test, _) = DiscordTest::watched(world(), "", &both(), |_| say("hi")).await;
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    test.post(GENERAL, 0).await;
    test.fake.says(RANDOM, ANNA, &format!("<@{BOT}> aardvark?"));
    // The turn ends a moment after its message stands there.
    let english = test
        .until_told("spoke 1 time", async || {
            test.hears(GENERAL, ANNA, "kith status").await
        })
        .await;
    for part in [
        "Juno in #general",
        "on, by the host's settings",
        "spoke 1 time",
        "127.0.0.1",
        "Manage Server",
    ] {
        assert!(english.contains(part), "{part}: {english}");
    }
    assert!(
        !english.contains("500,000"),
        "tokens are the host's business: {english}"
    );
    assert!(
        test.hears(GENERAL, HOST, "kith status")
            .await
            .contains("500,000 tokens")
    );
    // It is decided on the message a moment after it was read.
    let status = async || test.hears(RANDOM, BEN, "kith status").await;
    test.until_told("读了 1 条消息，本来会说话 1 次", status)
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn why_explains_silence_speech_and_what_it_never_read() {
    let answer =
        "<turn><thoughts>she sounds tired</thoughts><send_message>hi there</send_message></turn>";
    let (test, _) =
        DiscordTest::watched(world(), "talkativeness = 0.0\n", &both(), |_| answer.into()).await;
    assert!(
        test.hears(GENERAL, ANNA, "kith why")
            .await
            .contains("Nothing was thought about")
    );
    let plain = test
        .fake
        .says(GENERAL, ANNA, "pass me the salt please, Ben");
    let why = async || test.chooses(GENERAL, ANNA, "Why?", plain).await;
    let silence = test.until_told("not enough to speak", why).await;
    for part in [
        "Why it kept silent",
        "against a threshold of",
        "not enough to speak",
        "Budget today",
    ] {
        assert!(silence.contains(part), "{part}: {silence}");
    }
    let mention = test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    test.post(GENERAL, 0).await;
    let own = test.fake.posts(GENERAL)[0].id;
    test.is_stored("she sounds tired").await;
    for message in [mention, own] {
        let to_member = test.chooses(GENERAL, ANNA, "Why?", message).await;
        assert!(
            to_member.contains("poke") && to_member.contains("mention"),
            "{to_member}"
        );
        assert!(
            !to_member.contains("she sounds tired"),
            "its thoughts are for moderators: {to_member}"
        );
        assert!(
            test.chooses(GENERAL, MO, "Why?", message)
                .await
                .contains("she sounds tired")
        );
    }
    assert!(
        test.chooses(GENERAL, BEN, "Why?", plain)
            .await
            .contains("它为什么没有说话")
    );
    assert!(
        test.hears(GENERAL, ANNA, "kith why")
            .await
            .contains("Why it spoke"),
        "the newest"
    );
    test.hears(GENERAL, MO, "kith off").await;
    let unread = test.fake.says(GENERAL, ANNA, "something else");
    assert!(
        test.chooses(GENERAL, ANNA, "Why?", unread)
            .await
            .contains("is off: nothing is read")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moderators_take_back_what_it_said_and_nothing_else() {
    let (test, shown) =
        DiscordTest::watched(world(), "", &both(), |_| say("an unfortunate remark")).await;
    let mention = test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    test.post(GENERAL, 0).await;
    let own = test.fake.posts(GENERAL)[0].id;
    assert!(
        test.chooses(GENERAL, ANNA, "Take it back", own)
            .await
            .contains("Manage Server")
    );
    assert!(
        test.chooses(GENERAL, MO, "Take it back", mention)
            .await
            .contains("did not say that")
    );
    assert!(
        test.chooses(GENERAL, MO, "Take it back", own)
            .await
            .contains("taken back")
    );
    test.fake
        .until("it is gone", |world| {
            world.message(GENERAL, own).is_none().then_some(())
        })
        .await;
    assert!(
        test.fake
            .world(|world| world.message(GENERAL, mention).is_some())
    );
    test.is_gone("an unfortunate remark").await;
    test.fake.says(GENERAL, BEN, &format!("<@{BOT}> and now?"));
    test.post(GENERAL, 0).await;
    assert!(!shown.last().contains("unfortunate"), "{}", shown.last());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_have_their_own_messages_forgotten_and_moderators_anybodys() {
    let (mut test, shown) = DiscordTest::watched(world(), "", &both(), |_| say("noted")).await;
    let annas = test.fake.says(GENERAL, ANNA, "the password is swordfish");
    let bens = test.fake.says(GENERAL, BEN, "mine is xylophone");
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    test.post(GENERAL, 0).await;
    assert!(shown.last().contains("swordfish") && shown.last().contains("xylophone"));
    assert!(
        test.chooses(GENERAL, ANNA, "Forget this", bens)
            .await
            .contains("Manage Server")
    );
    assert!(
        test.chooses(GENERAL, ANNA, "Forget this", annas)
            .await
            .contains("forgotten")
    );
    assert!(
        test.chooses(GENERAL, MO, "Forget this", bens)
            .await
            .contains("forgotten")
    );
    assert!(
        test.fake
            .world(|world| world.message(GENERAL, annas).is_some()),
        "it stays its author's"
    );
    test.restarts().await;
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> do you remember?"));
    test.post(GENERAL, 1).await;
    for word in ["swordfish", "xylophone"] {
        assert!(!shown.last().contains(word), "{}", shown.last());
        test.is_gone(word).await;
    }
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
    assert!(
        choose(&test, ANNA, "moss", "here")
            .await
            .contains("Manage Server")
    );
    assert!(
        choose(&test, MO, "moss", "here")
            .await
            .contains("moss in #general")
    );
    assert!(
        choose(&test, MO, "fern", "all")
            .await
            .contains("fern in this whole server")
    );
    assert!(
        choose(&test, MO, "nettle", "here")
            .await
            .contains("the host offers: fern, moss")
    );
    let level = test
        .asks(GENERAL, BEN, "kith talkativeness", json!({"level": 0.7}))
        .await;
    assert!(level.text.contains("管理服务器"), "{level:?}");
    test.asks(GENERAL, MO, "kith talkativeness", json!({"level": 0.7}))
        .await;
    test.restarts().await;
    for (channel, who) in [(GENERAL, "a quiet gardener"), (RANDOM, "a loud baker")] {
        test.fake
            .says(channel, ANNA, &format!("<@{BOT}> who are you?"));
        test.post(channel, 0).await;
        assert!(shown.last().contains(who), "{}", shown.last());
    }
    assert!(
        test.hears(GENERAL, ANNA, "kith status")
            .await
            .contains("talkativeness 0.7 of at most 1")
    );
    let question = test
        .asks(GENERAL, MO, "kith reset", json!({"where": "all"}))
        .await;
    assert!(question.text.contains("whole server?"), "{question:?}");
    assert!(
        test.confirms(GENERAL, MO, &question, "reset")
            .await
            .contains("taken back")
    );
    test.fake.says(RANDOM, ANNA, &format!("<@{BOT}> and now?"));
    test.post(RANDOM, 1).await;
    assert!(!shown.last().contains("baker"), "{}", shown.last());
    assert!(
        !test
            .hears(GENERAL, ANNA, "kith status")
            .await
            .contains("0.7")
    );
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
    assert!(pause(&test, ANNA, "30m").await.contains("Manage Server"));
    assert!(
        pause(&test, MO, "soon")
            .await
            .contains("Write a time like 30m")
    );
    assert!(pause(&test, MO, "400d").await.contains("365 days"));
    assert!(pause(&test, MO, "30m").await.contains("30 min"));
    test.restarts().await;
    let asked = test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
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
    assert!(
        test.hears(GENERAL, BEN, "kith status")
            .await
            .contains("暂停中")
    );
    assert!(pause(&test, MO, "0").await.contains("back in #general"));
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> and now?"));
    assert_eq!(test.post(GENERAL, 0).await, "back again");
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
    assert!(
        test.hears(GENERAL, ANNA, "kith fresh")
            .await
            .contains("Manage Server")
    );
    assert!(
        test.hears(GENERAL, MO, "kith fresh")
            .await
            .contains("starts afresh")
    );
    test.fake
        .says(GENERAL, BEN, &format!("<@{BOT}> good morning"));
    test.post(GENERAL, 0).await;
    assert!(!shown.last().contains("aardvarks"), "{}", shown.last());
    assert!(!test.kith.files_with("aardvarks").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_are_answered_in_time_even_while_the_store_is_held_up() {
    let (test, _) = DiscordTest::watched(world(), "", &both(), |_| say("hi")).await;
    let lock = test.kith.database().lock();
    let asked = test
        .fake
        .slash(GENERAL, MO, "kith pause", json!({"time": "30m"}));
    test.fake
        .until("a first answer", |world| {
            world.interactions[&asked].callback
        })
        .await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(
        !test.fake.interaction(asked).is_shown(),
        "it cannot be known yet"
    );
    drop(lock);
    assert!(said(&test.answered(asked).await).contains("30 min"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guild_hears_of_no_other_place_by_its_commands() {
    let mut world = world();
    let direct = world.dm(ANNA);
    let owner = world.add_user("Ora");
    let second = world.add_guild("Second", owner);
    let parlour = world.add_channel(second, "parlour");
    world.join(second, ANNA);
    let tables = format!(
        "direct_messages = \"on\"\n[guild.{GUILD}]\nmode = \"on\"\n[guild.{second}]\nmode = \"on\"\n"
    );
    let (test, _) = DiscordTest::watched(world, "", &tables, |_| say("hi")).await;
    test.fake.says(direct, ANNA, "a secret between us");
    test.post(direct, 0).await;
    for place in [parlour, GENERAL] {
        let status = test.hears(place, ANNA, "kith status").await;
        assert!(
            !status.contains("direct") && !status.contains("Anna"),
            "{status}"
        );
    }
    let elsewhere = test
        .asks(
            parlour,
            owner,
            "kith off",
            json!({"channel": GENERAL.to_string()}),
        )
        .await;
    assert!(elsewhere.text.contains("another place"), "{elsewhere:?}");
    let status = test.hears(direct, ANNA, "kith status").await;
    assert!(status.contains("this direct message"), "{status}");
    assert!(
        test.hears(direct, ANNA, "kith off")
            .await
            .contains("host's choice")
    );
}
