//! People who do not want to be remembered, or read at all, and what was deleted.

use super::*;
use kith_testkit::{assert_has, assert_lacks};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_want_to_be_remembered_is_answered_and_gone_after_a_day() {
    let (world, mira) = world();
    let answer = |user: &str| {
        if user.contains(HOBBY) {
            gossip(user)
        } else {
            say("I hear you")
        }
    };
    let (mut test, _) = DiscordTest::watched(world, SHY, &tables(), answer).await;
    let answer = test
        .asks(
            GENERAL,
            mira,
            "kith optout",
            json!({"how": "dont_remember"}),
        )
        .await;
    assert_has(&answer.text, ["24 hours"]);
    test.calls(GENERAL, mira, &format!("I collect {HOBBY}"));
    assert_has(test.post(GENERAL, 0).await, [HOBBY]);
    test.fake.says(GENERAL, BEN, "I collect pebbles");
    test.is_stored("pebbles").await;
    test.restarts().await;
    assert!(!test.kith.files_with(HOBBY).is_empty(), "not yet");
    test.kith.stop();
    let database = test.kith.database();
    let older = database.change("UPDATE messages SET at = at - 25 * 3600 * 1000");
    assert_eq!(older, 3);
    test.starts().await;
    test.is_gone(HOBBY).await;
    assert!(!test.kith.files_with("pebbles").is_empty());
    test.restarts().await;
    test.talk(GENERAL, mira, "hello again").await;
    assert!(
        test.kith.files_with(HOBBY).is_empty(),
        "nor does looking back bring it back"
    );
}

/// Mira writes of her hobby, and Ben quotes, answers, forwards and names her.
fn speak_of_hobby(test: &DiscordTest, mira: Id, direct: Id) {
    test.fake.says(direct, mira, &format!("psst, {HOBBY}"));
    let hers = test.calls(GENERAL, mira, &format!("do you like {HOBBY}?"));
    test.fake.edits(
        GENERAL,
        hers,
        &format!("<@{BOT}> do you really like {HOBBY}?"),
    );
    test.fake.says(
        GENERAL,
        BEN,
        &format!("> do you like {HOBBY}?\n<@{mira}> I do"),
    );
    let quotes = test.fake.post(
        GENERAL,
        Message::by(BEN, format!("> {HOBBY}\nyes")).reply_to(hers),
    );
    test.fake
        .post(GENERAL, Message::by(BEN, "").forward(GENERAL, hers));
    let edited = test.fake.says(GENERAL, BEN, "nothing yet");
    test.fake.edits(
        GENERAL,
        edited,
        &format!("> so, {HOBBY}\n<@{mira}> and edited"),
    );
    test.fake.reacts(mira, GENERAL, quotes, "🎉");
    test.fake.types(GENERAL, mira);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_wants_to_be_ignored_is_not_read_not_stored_not_answered_and_in_no_quote() {
    let (mut world, mira) = world();
    let direct = world.dm(mira);
    let tables = "direct_messages = \"on\"\n".to_owned() + &tables();
    let (mut test, shown) = DiscordTest::watched(world, SHY, &tables, gossip).await;
    test.lived_with(mira, &shown).await;
    let answer = test
        .asks(GENERAL, mira, "kith optout", json!({"how": "ignore"}))
        .await;
    assert_has(&answer.text, ["does not read"]);
    test.nothing_left_of(mira).await;
    let before = shown.count();
    speak_of_hobby(&test, mira, direct);
    assert_eq!(
        (
            test.posts_in_peace(GENERAL).await,
            test.fake.posts(direct).len()
        ),
        (1, 0)
    );
    test.restarts().await;
    test.kith.kill();
    speak_of_hobby(&test, mira, direct);
    test.starts().await;
    speak_of_hobby(&test, mira, direct);
    test.talk(GENERAL, ANNA, "what was that?").await;
    assert_has(shown.last(), ["@someone I do", "@someone and edited"]);
    for prompt in &shown.all()[before..] {
        assert_lacks(prompt, [HOBBY]);
        assert_lacks(prompt, ["Mirabelle"]);
    }
    test.nothing_left_of(mira).await;
    let answer = test
        .asks(GENERAL, mira, "kith optout", json!({"how": "remember"}))
        .await;
    assert_has(&answer.text, ["Welcome back"]);
    test.talk(GENERAL, mira, "hello, I met a brambleknocker")
        .await;
    assert_has(shown.last(), ["brambleknocker"]);
    assert!(
        !shown.last().contains(HOBBY),
        "what was said meanwhile stays unread: {}",
        shown.last()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_somebody_said_while_they_were_ignored_is_not_read_back_after_they_returned() {
    let (world, mira) = world();
    let (mut test, _) = DiscordTest::watched(world, SHY, &tables(), gossip).await;
    test.asks(GENERAL, mira, "kith optout", json!({"how": "ignore"}))
        .await;
    test.fake.says(GENERAL, mira, &format!("I collect {HOBBY}"));
    test.asks(GENERAL, mira, "kith optout", json!({"how": "remember"}))
        .await;
    // What is said within the very millisecond of the return counts as said before it.
    let met = Message::by(mira, "I met a brambleknocker").at(test.fake.now() + 1);
    test.fake.post(GENERAL, met);
    test.is_stored("brambleknocker").await;
    test.restarts().await;
    test.fake.says(GENERAL, ANNA, "good morning");
    test.is_stored("good morning").await;
    test.kith.stop();
    assert_eq!(
        test.stored(GENERAL).await,
        ["I met a brambleknocker", "good morning"]
    );
}
