//! What the daemon itself tells people: it is true when it is said, it can be followed, and nobody takes it for the
//! companion's own speech.

use serde_json::json;

use crate::discord::discord_test::{DiscordTest, on, remembering, say, settings};
use crate::discord::fake_discord::{
    ANNA, BOT, BOT_ROLE, FakeDiscord, Fault, For, GENERAL, GUILD, LOG, MO, World, permissions,
};
use crate::discord::people::{button, said};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_notice_that_a_channel_is_read_is_not_the_companions_own_speech() {
    let (mut test, shown) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    test.hears(GENERAL, MO, "kith on").await;
    assert!(test.post(GENERAL, 0).await.contains("reads along"));
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    assert_eq!(test.post(GENERAL, 1).await, "hi");
    assert!(!shown.any_with("reads along"), "{}", shown.last());
    test.kith.stop();
    assert_eq!(test.stored(GENERAL).await, ["@juno hello", "hi"]);
    // Looked back at, it is none, either.
    test.time_passes(3_600_000);
    test.starts().await;
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> hello again"));
    test.post(GENERAL, 2).await;
    assert!(!shown.any_with("reads along"), "{}", shown.last());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_switches_a_forum_on_is_told_what_to_tell_its_members() {
    let mut world = World::small();
    let forum = world.add_channel(GUILD, "help");
    world.channel_mut(forum).kind = 15;
    let (test, _) = DiscordTest::watched(world, "", "", |_| say("hi")).await;
    let answer = test
        .asks(
            GENERAL,
            MO,
            "kith on",
            json!({"channel": forum.to_string()}),
        )
        .await;
    for part in ["tell its members yourself", "reads along", "/kith optout"] {
        assert!(answer.text.contains(part), "{part}: {}", answer.text);
    }
    assert!(
        !answer.text.contains("let me send messages"),
        "{}",
        answer.text
    );
    let post = test.fake.opens_thread(forum, ANNA, "how do I");
    test.fake.says(post, ANNA, &format!("<@{BOT}> how do I?"));
    assert_eq!(test.post(post, 0).await, "hi");
    assert!(
        test.fake
            .requests(&format!("POST /channels/{forum}/messages"))
            .is_empty()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_could_not_be_taken_back_is_not_said_to_be() {
    let (test, _) = DiscordTest::watched(World::small(), "", &on(GENERAL), |_| say("hi")).await;
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    test.post(GENERAL, 0).await;
    test.knows_it_did(1).await;
    let own = test.fake.posts(GENERAL)[0].id;
    test.fake
        .faults("DELETE /channels/*/messages/*", Fault::Status(403), 10);
    let answer = test.chooses(GENERAL, MO, "Take it back", own).await;
    assert!(
        answer.contains("could not be taken back") && answer.contains("permission"),
        "{answer}"
    );
    assert_eq!(test.fake.posts(GENERAL).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_prompt_of_a_hidden_channel_is_had_by_asking_why_in_it() {
    let mut world = World::small();
    world.overwrite(GENERAL, For::Role(GUILD), 0, permissions::VIEW_CHANNEL);
    for role in [crate::discord::fake_discord::MODS, BOT_ROLE] {
        world.overwrite(GENERAL, For::Role(role), permissions::VIEW_CHANNEL, 0);
    }
    let tables = format!("[guild.{GUILD}]\nlog_channel = \"{LOG}\"\n") + &on(GENERAL);
    let (test, _) = DiscordTest::watched(world, "", &tables, |_| say("hi")).await;
    let asked = test
        .fake
        .says(GENERAL, MO, &format!("<@{BOT}> my cat is called aardvark"));
    test.post(GENERAL, 0).await;
    let entry = test.logged(LOG, "Spoke in").await;
    let refused = test
        .presses(LOG, MO, entry.id, &button(&entry, "raw"))
        .await;
    assert!(
        refused
            .text
            .contains("ask Why? in it, and press the button"),
        "{refused:?}"
    );
    let why = test
        .answered(test.fake.menu(GENERAL, MO, "Why?", asked))
        .await;
    assert!(said(&why).contains("Why it spoke"), "{why:?}");
    let raw = test
        .presses(GENERAL, MO, why.id, &button(&why, "raw"))
        .await;
    assert!(
        raw.file_text("kith-turn-1.txt")
            .is_some_and(|text| text.contains("aardvark")),
        "{raw:?}"
    );
    let open = test
        .answered(test.fake.menu(GENERAL, ANNA, "Why?", asked))
        .await;
    assert!(
        open.components.is_empty(),
        "who does not look after the channel has no such button: {open:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_can_have_everything_of_theirs_exported_again_and_again() {
    let (test, _) = DiscordTest::watched(World::small(), "", &on(GENERAL), |_| say("hi")).await;
    for _ in 0..3 {
        let answer = test.asks(GENERAL, ANNA, "kith export me", json!({})).await;
        assert!(
            answer.text.contains("Everything that is kept about you"),
            "{answer:?}"
        );
    }
    let refused = test.asks(GENERAL, ANNA, "kith export me", json!({})).await;
    assert!(refused.text.contains("wait 10 min"), "{refused:?}");
    let forgotten = test.asks(GENERAL, ANNA, "kith forget me", json!({})).await;
    assert!(
        !forgotten.text.contains("wait"),
        "to be forgotten is another thing: {forgotten:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_that_discord_did_not_take_at_first_are_there_a_little_later() {
    let fake = FakeDiscord::start(World::small());
    fake.fault("PUT /applications/*/commands", Fault::Status(503));
    fake.fault("GET /applications/*/commands", Fault::Status(500));
    let url = crate::discord::kith_process::model(|_: &str| say("hi")).await;
    let settings = settings(&fake, &url, "", "");
    let test = DiscordTest::with(fake, &settings, &[]).await;
    test.fake
        .until("the commands", |world| (world.overwrites > 0).then_some(()))
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_hidden_from_it_by_discord_is_shown_as_a_gap() {
    let mut world = World::small();
    world.overwrite(
        GENERAL,
        For::Role(GUILD),
        0,
        permissions::READ_MESSAGE_HISTORY,
    );
    let (prompts, answer) = remembering();
    let mut test = DiscordTest::of(world, "", &on(GENERAL), answer).await;
    test.fake.says(GENERAL, ANNA, "good night");
    test.is_stored("good night").await;
    test.kith.stop();
    test.starts().await;
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> good morning"));
    test.post(GENERAL, 0).await;
    assert!(
        !prompts.lock().unwrap()[0].contains("messages are missing"),
        "nothing was said meanwhile"
    );
    test.knows_it_did(1).await;
    test.kith.stop();
    test.fake.says(GENERAL, ANNA, "while you were away");
    test.starts().await;
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> back again?"));
    test.post(GENERAL, 1).await;
    let prompt = prompts.lock().unwrap()[1].clone();
    let places = [
        "good morning",
        "[some messages are missing here]",
        "back again?",
    ]
    .map(|text| prompt.find(text));
    assert!(places.is_sorted() && places[0].is_some(), "{prompt}");
    assert!(!prompt.contains("while you were away"));
}
