//! What the daemon itself tells people: it is true when it is said, it can be followed, and nobody takes it for the
//! companion's own speech.

use kith_testkit::{assert_has, assert_lacks};
use serde_json::json;

use crate::discord::prelude::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_notice_that_a_channel_is_read_is_not_the_companions_own_speech() {
    let (mut test, shown) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    test.hears(GENERAL, MO, "kith on").await;
    assert_has(test.post(GENERAL, 0).await, ["reads along"]);
    assert_eq!(test.talk(GENERAL, ANNA, "hello").await, "hi");
    assert!(!shown.any_with("reads along"), "{}", shown.last());
    test.kith.stop();
    assert_eq!(test.stored(GENERAL).await, ["@juno hello", "hi"]);
    // Looked back at, it is none, either.
    test.time_passes(3_600_000);
    test.starts().await;
    test.talk(GENERAL, ANNA, "hello again").await;
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
    assert_has(
        &answer.text,
        ["tell its members yourself", "reads along", "/kith optout"],
    );
    assert_lacks(&answer.text, ["let me send messages"]);
    let post = test.fake.opens_thread(forum, ANNA, "how do I");
    assert_eq!(test.talk(post, ANNA, "how do I?").await, "hi");
    assert!(
        test.fake
            .requests(&format!("POST /channels/{forum}/messages"))
            .is_empty()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_could_not_be_taken_back_is_not_said_to_be() {
    let (test, _) = DiscordTest::watched(World::small(), "", &on(GENERAL), |_| say("hi")).await;
    test.talk(GENERAL, ANNA, "hello").await;
    test.knows_it_did(1).await;
    let own = test.fake.posts(GENERAL)[0].id;
    test.fake
        .faults("DELETE /channels/*/messages/*", Fault::Status(403), 10);
    let answer = test.chooses(GENERAL, MO, "Take it back", own).await;
    assert_has(&answer, ["could not be taken back", "permission"]);
    assert_eq!(test.fake.posts(GENERAL).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_prompt_of_a_hidden_channel_is_had_by_asking_why_in_it() {
    let mut world = World::small();
    world.overwrite(GENERAL, For::Role(GUILD), 0, permissions::VIEW_CHANNEL);
    for role in [MODS, BOT_ROLE] {
        world.overwrite(GENERAL, For::Role(role), permissions::VIEW_CHANNEL, 0);
    }
    let tables = format!("[guild.{GUILD}]\nlog_channel = \"{LOG}\"\n") + &on(GENERAL);
    let (test, _) = DiscordTest::watched(world, "", &tables, |_| say("hi")).await;
    let asked = test.calls(GENERAL, MO, "my cat is called aardvark");
    test.post(GENERAL, 0).await;
    let entry = test.logged(LOG, "Spoke in").await;
    let refused = test
        .presses(LOG, MO, entry.id, &button(&entry, "raw"))
        .await;
    assert_has(&refused.text, ["ask Why? in it, and press the button"]);
    let why = test
        .answered(test.fake.menu(GENERAL, MO, "Why?", asked))
        .await;
    assert_has(said(&why), ["Why it spoke"]);
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
        assert_has(&answer.text, ["Everything that is kept about you"]);
    }
    let refused = test.asks(GENERAL, ANNA, "kith export me", json!({})).await;
    assert_has(&refused.text, ["wait 10 min"]);
    let forgotten = test.asks(GENERAL, ANNA, "kith forget me", json!({})).await;
    assert!(
        !forgotten.text.contains("wait"),
        "to be forgotten is another thing: {forgotten:?}"
    );
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
    test.talk(GENERAL, ANNA, "good morning").await;
    assert!(
        !prompts.lock().unwrap()[0].contains("messages are missing"),
        "nothing was said meanwhile"
    );
    test.knows_it_did(1).await;
    test.kith.stop();
    test.fake.says(GENERAL, ANNA, "while you were away");
    test.starts().await;
    test.talk(GENERAL, ANNA, "back again?").await;
    let prompt = prompts.lock().unwrap()[1].clone();
    let places = [
        "good morning",
        "[some messages are missing here]",
        "back again?",
    ]
    .map(|text| prompt.find(text));
    assert!(places.is_sorted() && places[0].is_some(), "{prompt}");
    assert_lacks(&prompt, ["while you were away"]);
}
