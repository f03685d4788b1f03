//! People who do not want to be remembered, or read at all, and what was deleted.

use super::*;

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
    let (mut town, _) = Town::watched(world, SHY, &tables(), answer).await;
    let answer = town
        .asks(
            GENERAL,
            mira,
            "kith optout",
            json!({"how": "dont_remember"}),
        )
        .await;
    assert!(answer.text.contains("24 hours"), "{answer:?}");
    town.fake
        .says(GENERAL, mira, &format!("<@{BOT}> I collect {HOBBY}"));
    assert!(town.post(GENERAL, 0).await.contains(HOBBY));
    town.fake.says(GENERAL, BEN, "I collect pebbles");
    town.is_stored("pebbles").await;
    town.restarts().await;
    assert!(!town.house.files_with(HOBBY).is_empty(), "not yet");
    town.house.stop();
    let database = rusqlite::Connection::open(town.house.dir.path().join("data/kith.db")).unwrap();
    let older = database
        .execute("UPDATE messages SET at = at - 25 * 3600 * 1000", [])
        .unwrap();
    assert_eq!(older, 3);
    drop(database);
    town.starts().await;
    town.is_gone(HOBBY).await;
    assert!(!town.house.files_with("pebbles").is_empty());
    town.restarts().await;
    town.fake
        .says(GENERAL, mira, &format!("<@{BOT}> hello again"));
    town.post(GENERAL, 1).await;
    assert!(
        town.house.files_with(HOBBY).is_empty(),
        "nor does looking back bring it back"
    );
}

/// Mira writes of her hobby, and Ben quotes, answers, forwards and names her.
fn speak_of_hobby(town: &Town, mira: Id, direct: Id) {
    town.fake.says(direct, mira, &format!("psst, {HOBBY}"));
    let hers = town
        .fake
        .says(GENERAL, mira, &format!("<@{BOT}> do you like {HOBBY}?"));
    town.fake.edits(
        GENERAL,
        hers,
        &format!("<@{BOT}> do you really like {HOBBY}?"),
    );
    town.fake.says(
        GENERAL,
        BEN,
        &format!("> do you like {HOBBY}?\n<@{mira}> I do"),
    );
    let quotes = town.fake.post(
        GENERAL,
        Message::by(BEN, format!("> {HOBBY}\nyes")).reply_to(hers),
    );
    town.fake
        .post(GENERAL, Message::by(BEN, "").forward(GENERAL, hers));
    let edited = town.fake.says(GENERAL, BEN, "nothing yet");
    town.fake.edits(
        GENERAL,
        edited,
        &format!("> so, {HOBBY}\n<@{mira}> and edited"),
    );
    town.fake.reacts(mira, GENERAL, quotes, "🎉");
    town.fake.types(GENERAL, mira);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_wants_to_be_ignored_is_not_read_not_stored_not_answered_and_in_no_quote() {
    let (mut world, mira) = world();
    let direct = world.dm(mira);
    let tables = "direct_messages = \"on\"\n".to_owned() + &tables();
    let (mut town, shown) = Town::watched(world, SHY, &tables, gossip).await;
    town.lived_with(mira, &shown).await;
    let answer = town
        .asks(GENERAL, mira, "kith optout", json!({"how": "ignore"}))
        .await;
    assert!(answer.text.contains("does not read"), "{answer:?}");
    town.nothing_left_of(mira).await;
    let before = shown.count();
    speak_of_hobby(&town, mira, direct);
    assert_eq!(
        (
            town.posts_in_peace(GENERAL).await,
            town.fake.posts(direct).len()
        ),
        (1, 0)
    );
    town.restarts().await;
    town.house.kill();
    speak_of_hobby(&town, mira, direct);
    town.starts().await;
    speak_of_hobby(&town, mira, direct);
    town.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> what was that?"));
    town.post(GENERAL, 1).await;
    assert!(
        shown.last().contains("@someone I do") && shown.last().contains("@someone and edited"),
        "{}",
        shown.last()
    );
    for prompt in &shown.all()[before..] {
        assert!(
            !prompt.contains(HOBBY) && !prompt.contains("Mirabelle"),
            "{prompt}"
        );
    }
    town.nothing_left_of(mira).await;
    let answer = town
        .asks(GENERAL, mira, "kith optout", json!({"how": "remember"}))
        .await;
    assert!(answer.text.contains("Welcome back"), "{answer:?}");
    town.fake.says(
        GENERAL,
        mira,
        &format!("<@{BOT}> hello, I met a brambleknocker"),
    );
    town.post(GENERAL, 2).await;
    assert!(shown.last().contains("brambleknocker"));
    assert!(
        !shown.last().contains(HOBBY),
        "what was said meanwhile stays unread: {}",
        shown.last()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_deleted_or_edited_on_discord_is_in_no_file() {
    let (town, shown) = Town::watched(World::small(), SHY, &tables(), |_| say("ok")).await;
    let deleted = town.fake.says(GENERAL, ANNA, "the password is swordfish");
    let edited = town.fake.says(GENERAL, BEN, "we meet at the lighthouse");
    town.fake.says(GENERAL, ANNA, &format!("<@{BOT}> noted?"));
    town.post(GENERAL, 0).await;
    assert!(shown.last().contains("swordfish"));
    town.is_stored("swordfish").await;
    town.fake.deletes(GENERAL, &[deleted]);
    town.fake.edits(GENERAL, edited, "we meet at the harbour");
    town.is_gone("swordfish").await;
    town.is_gone("lighthouse").await;
    town.is_stored("harbour").await;
}
