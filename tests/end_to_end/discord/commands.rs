//! Asking the companion about itself and setting it up: commands, message menus, and who may use them.

use std::time::Duration;

use serde_json::json;

use crate::discord::fake_discord::{ANNA, BEN, BOT, GENERAL, GUILD, HOST, Id, MO, RANDOM, World};
use crate::discord::people::said;
use crate::discord::town::{Town, on, say};

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
    let (town, _) = Town::watched(world(), "", &both(), |_| say("hi")).await;
    town.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    town.post(GENERAL, 0).await;
    town.fake.says(RANDOM, ANNA, &format!("<@{BOT}> aardvark?"));
    // The turn ends a moment after its message stands there.
    let english = town
        .until_told("spoke 1 time", async || {
            town.hears(GENERAL, ANNA, "kith status").await
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
        town.hears(GENERAL, HOST, "kith status")
            .await
            .contains("500,000 tokens")
    );
    // The beat looks at the message a moment after it was read.
    let status = async || town.hears(RANDOM, BEN, "kith status").await;
    town.until_told("读了 1 条消息，本来会说话 1 次", status)
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn why_explains_silence_speech_and_what_it_never_read() {
    let answer =
        "<turn><thoughts>she sounds tired</thoughts><send_message>hi there</send_message></turn>";
    let (town, _) =
        Town::watched(world(), "talkativeness = 0.0\n", &both(), |_| answer.into()).await;
    assert!(
        town.hears(GENERAL, ANNA, "kith why")
            .await
            .contains("Nothing was thought about")
    );
    let plain = town
        .fake
        .says(GENERAL, ANNA, "pass me the salt please, Ben");
    let why = async || town.chooses(GENERAL, ANNA, "Why?", plain).await;
    let silence = town.until_told("not enough to speak", why).await;
    for part in [
        "Why it kept silent",
        "against a threshold of",
        "not enough to speak",
        "Budget today",
    ] {
        assert!(silence.contains(part), "{part}: {silence}");
    }
    let mention = town.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    town.post(GENERAL, 0).await;
    let own = town.fake.posts(GENERAL)[0].id;
    town.is_stored("she sounds tired").await;
    for message in [mention, own] {
        let to_member = town.chooses(GENERAL, ANNA, "Why?", message).await;
        assert!(
            to_member.contains("poke") && to_member.contains("mention"),
            "{to_member}"
        );
        assert!(
            !to_member.contains("she sounds tired"),
            "its thoughts are for moderators: {to_member}"
        );
        assert!(
            town.chooses(GENERAL, MO, "Why?", message)
                .await
                .contains("she sounds tired")
        );
    }
    assert!(
        town.chooses(GENERAL, BEN, "Why?", plain)
            .await
            .contains("它为什么没有说话")
    );
    assert!(
        town.hears(GENERAL, ANNA, "kith why")
            .await
            .contains("Why it spoke"),
        "the newest"
    );
    town.hears(GENERAL, MO, "kith off").await;
    let unread = town.fake.says(GENERAL, ANNA, "something else");
    assert!(
        town.chooses(GENERAL, ANNA, "Why?", unread)
            .await
            .contains("is off: nothing is read")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moderators_take_back_what_it_said_and_nothing_else() {
    let (town, shown) = Town::watched(world(), "", &both(), |_| say("an unfortunate remark")).await;
    let mention = town.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    town.post(GENERAL, 0).await;
    let own = town.fake.posts(GENERAL)[0].id;
    assert!(
        town.chooses(GENERAL, ANNA, "Take it back", own)
            .await
            .contains("Manage Server")
    );
    assert!(
        town.chooses(GENERAL, MO, "Take it back", mention)
            .await
            .contains("did not say that")
    );
    assert!(
        town.chooses(GENERAL, MO, "Take it back", own)
            .await
            .contains("taken back")
    );
    town.fake
        .until("it is gone", |world| {
            world.message(GENERAL, own).is_none().then_some(())
        })
        .await;
    assert!(
        town.fake
            .world(|world| world.message(GENERAL, mention).is_some())
    );
    town.is_gone("an unfortunate remark").await;
    town.fake.says(GENERAL, BEN, &format!("<@{BOT}> and now?"));
    town.post(GENERAL, 0).await;
    assert!(!shown.last().contains("unfortunate"), "{}", shown.last());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_have_their_own_messages_forgotten_and_moderators_anybodys() {
    let (mut town, shown) = Town::watched(world(), "", &both(), |_| say("noted")).await;
    let annas = town.fake.says(GENERAL, ANNA, "the password is swordfish");
    let bens = town.fake.says(GENERAL, BEN, "mine is xylophone");
    town.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    town.post(GENERAL, 0).await;
    assert!(shown.last().contains("swordfish") && shown.last().contains("xylophone"));
    assert!(
        town.chooses(GENERAL, ANNA, "Forget this", bens)
            .await
            .contains("Manage Server")
    );
    assert!(
        town.chooses(GENERAL, ANNA, "Forget this", annas)
            .await
            .contains("forgotten")
    );
    assert!(
        town.chooses(GENERAL, MO, "Forget this", bens)
            .await
            .contains("forgotten")
    );
    assert!(
        town.fake
            .world(|world| world.message(GENERAL, annas).is_some()),
        "it stays its author's"
    );
    town.restarts().await;
    town.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> do you remember?"));
    town.post(GENERAL, 1).await;
    for word in ["swordfish", "xylophone"] {
        assert!(!shown.last().contains(word), "{}", shown.last());
        town.is_gone(word).await;
    }
}

async fn choose(town: &Town, user: Id, name: &str, place: &str) -> String {
    let params = json!({"name": name, "where": place});
    said(&town.asks(GENERAL, user, "kith persona", params).await)
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
    let (mut town, shown) =
        Town::furnished(world(), more, &(on(GENERAL) + &on(RANDOM)), &files, |_| {
            say("hi")
        })
        .await;
    assert!(
        choose(&town, ANNA, "moss", "here")
            .await
            .contains("Manage Server")
    );
    assert!(
        choose(&town, MO, "moss", "here")
            .await
            .contains("moss in #general")
    );
    assert!(
        choose(&town, MO, "fern", "all")
            .await
            .contains("fern in this whole server")
    );
    assert!(
        choose(&town, MO, "nettle", "here")
            .await
            .contains("the host offers: fern, moss")
    );
    let level = town
        .asks(GENERAL, BEN, "kith talkativeness", json!({"level": 0.7}))
        .await;
    assert!(level.text.contains("管理服务器"), "{level:?}");
    town.asks(GENERAL, MO, "kith talkativeness", json!({"level": 0.7}))
        .await;
    town.restarts().await;
    for (channel, who) in [(GENERAL, "a quiet gardener"), (RANDOM, "a loud baker")] {
        town.fake
            .says(channel, ANNA, &format!("<@{BOT}> who are you?"));
        town.post(channel, 0).await;
        assert!(shown.last().contains(who), "{}", shown.last());
    }
    assert!(
        town.hears(GENERAL, ANNA, "kith status")
            .await
            .contains("talkativeness 0.7 of at most 1")
    );
    let question = town
        .asks(GENERAL, MO, "kith reset", json!({"where": "all"}))
        .await;
    assert!(question.text.contains("whole server?"), "{question:?}");
    assert!(
        town.confirms(GENERAL, MO, &question, "reset")
            .await
            .contains("taken back")
    );
    town.fake.says(RANDOM, ANNA, &format!("<@{BOT}> and now?"));
    town.post(RANDOM, 1).await;
    assert!(!shown.last().contains("baker"), "{}", shown.last());
    assert!(
        !town
            .hears(GENERAL, ANNA, "kith status")
            .await
            .contains("0.7")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_holds_even_against_mentions_until_it_is_ended() {
    let (mut town, shown) = Town::watched(world(), "", &both(), |_| say("back again")).await;
    let pause = async |town: &Town, user, time: &str| {
        said(
            &town
                .asks(GENERAL, user, "kith pause", json!({"time": time}))
                .await,
        )
    };
    assert!(pause(&town, ANNA, "30m").await.contains("Manage Server"));
    assert!(
        pause(&town, MO, "soon")
            .await
            .contains("Write a time like 30m")
    );
    assert!(pause(&town, MO, "400d").await.contains("365 days"));
    assert!(pause(&town, MO, "30m").await.contains("30 min"));
    town.restarts().await;
    let asked = town.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    town.fake
        .until("a small reaction", |world| {
            let marks = &world.message(GENERAL, asked)?.reactions;
            marks
                .iter()
                .any(|mark| mark.emoji == "⏸️" && mark.users.contains(&BOT))
                .then_some(())
        })
        .await;
    assert_eq!((town.posts_in_peace(GENERAL).await, shown.count()), (0, 0));
    assert!(
        town.hears(GENERAL, BEN, "kith status")
            .await
            .contains("暂停中")
    );
    assert!(pause(&town, MO, "0").await.contains("back in #general"));
    town.fake.says(GENERAL, ANNA, &format!("<@{BOT}> and now?"));
    assert_eq!(town.post(GENERAL, 0).await, "back again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fresh_start_shows_nothing_from_before_and_deletes_nothing() {
    let (town, shown) = Town::watched(world(), "", &both(), |_| say("hm")).await;
    town.fake.says(
        GENERAL,
        ANNA,
        "the zanzibar expedition takes aardvarks along",
    );
    town.is_stored("aardvarks").await;
    assert!(
        town.hears(GENERAL, ANNA, "kith fresh")
            .await
            .contains("Manage Server")
    );
    assert!(
        town.hears(GENERAL, MO, "kith fresh")
            .await
            .contains("starts afresh")
    );
    town.fake
        .says(GENERAL, BEN, &format!("<@{BOT}> good morning"));
    town.post(GENERAL, 0).await;
    assert!(!shown.last().contains("aardvarks"), "{}", shown.last());
    assert!(!town.house.files_with("aardvarks").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_are_answered_in_time_even_while_the_store_is_held_up() {
    let (town, _) = Town::watched(world(), "", &both(), |_| say("hi")).await;
    let database = rusqlite::Connection::open(town.house.dir.path().join("data/kith.db")).unwrap();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    let asked = town
        .fake
        .slash(GENERAL, MO, "kith pause", json!({"time": "30m"}));
    town.fake
        .until("a first answer", |world| {
            world.interactions[&asked].callback
        })
        .await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(
        !town.fake.interaction(asked).is_shown(),
        "it cannot be known yet"
    );
    database.execute_batch("ROLLBACK").unwrap();
    assert!(said(&town.answered(asked).await).contains("30 min"));
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
    let (town, _) = Town::watched(world, "", &tables, |_| say("hi")).await;
    town.fake.says(direct, ANNA, "a secret between us");
    town.post(direct, 0).await;
    for place in [parlour, GENERAL] {
        let status = town.hears(place, ANNA, "kith status").await;
        assert!(
            !status.contains("direct") && !status.contains("Anna"),
            "{status}"
        );
    }
    let elsewhere = town
        .asks(
            parlour,
            owner,
            "kith off",
            json!({"channel": GENERAL.to_string()}),
        )
        .await;
    assert!(elsewhere.text.contains("another place"), "{elsewhere:?}");
    let status = town.hears(direct, ANNA, "kith status").await;
    assert!(status.contains("this direct message"), "{status}");
    assert!(
        town.hears(direct, ANNA, "kith off")
            .await
            .contains("host's choice")
    );
}
