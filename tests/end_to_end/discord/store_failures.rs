//! For a while the database takes nothing: what people do meanwhile is lost as little as what they do otherwise, and
//! nothing is acted on before it is stored.

use std::time::Duration;

use kith_core::chat::ChannelId;
use kith_testkit::{assert_has, assert_lacks};
use serde_json::json;

use crate::discord::prelude::*;
use crate::opened_store::open_store;

const MINUTE: Millis = 60_000;
const SHY: &str = "talkativeness = \"about 0 an hour\"\n";
const REFUSED: &str = "cannot be stored now";
const AGAIN: &str = "is still not stored";
const FULL: &str = "no more can wait";

/// What the database does not take when it refuses.
const REFUSED_CHANGES: [(&str, &str); 3] = [
    ("INSERT", "messages"),
    ("UPDATE", "messages"),
    ("INSERT", "tombstones"),
];

impl DiscordTest {
    /// From now on the database takes no change of messages.
    pub fn refuses(&self) {
        let refuse = |how: &str| {
            let triggers = REFUSED_CHANGES.map(|(what, table)| {
                format!("CREATE TRIGGER no_{what}_{table} BEFORE {what} ON {table} {how};")
            });
            triggers.concat()
        };
        let in_file = refuse("BEGIN SELECT RAISE(ABORT, 'no'); END");
        let on_server = "CREATE FUNCTION say_no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END';".to_owned()
            + &refuse("EXECUTE FUNCTION say_no()");
        self.kith.database().run(&in_file, &on_server);
    }

    pub fn takes_again(&self) {
        let drops = REFUSED_CHANGES.map(|(what, table)| format!("DROP TRIGGER no_{what}_{table};"));
        self.kith
            .database()
            .run(&drops.concat(), "DROP FUNCTION say_no CASCADE");
    }

    /// Waits until something cannot be stored because another has the database: a server lets who writes wait for as long.
    async fn is_held_up(&self) {
        let database = self.kith.database();
        if database.url().is_none() {
            return self.kith.until_logged(REFUSED).await;
        }
        let waiting =
            "SELECT count(*) FROM pg_locks WHERE relation = 'counter'::regclass AND NOT granted";
        let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
        while database.number(waiting) == 0 {
            assert!(
                kith_system::clock::monotonic() < end,
                "nobody waits\n{}",
                self.log()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub async fn holds(&self, messages: i64) {
        let database = self.kith.database();
        let count = || database.number("SELECT count(*) FROM messages");
        kith_testkit::until(
            || count() == messages,
            || format!("{} of {messages}\n{}", count(), self.log()),
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_while_the_database_is_locked_is_stored_in_its_order_and_only_then_answered() {
    let (prompts, answer) = remembering();
    let mut test = DiscordTest::of(World::small(), SHY, &on(GENERAL), answer).await;
    let first = test.fake.says(GENERAL, ANNA, "first words");
    let second = test.fake.says(GENERAL, BEN, "second words");
    test.is_stored("second words").await;
    let lock = test.kith.database().lock();
    let third = test.fake.says(GENERAL, BEN, "third words");
    test.fake.edits(GENERAL, first, "other words");
    test.fake.deletes(GENERAL, &[second]);
    test.fake.reacts(BEN, GENERAL, first, "🎉");
    test.fake.reacts(ANNA, GENERAL, third, "👀");
    test.fake.clears_reactions(GENERAL, third);
    test.fake.edits(GENERAL, third, "third words, mended");
    test.calls(GENERAL, ANNA, "what was that?");
    test.is_held_up().await;
    assert_eq!(
        (
            test.fake.posts(GENERAL).len(),
            prompts.lock().unwrap().len()
        ),
        (0, 0),
        "nothing of it is stored"
    );
    drop(lock);
    assert_eq!(test.post(GENERAL, 0).await, "answer 1");
    let prompt = prompts.lock().unwrap()[0].clone();
    let places =
        ["other words", "third words, mended", "what was that?"].map(|text| prompt.find(text));
    assert!(places.is_sorted() && places[0].is_some(), "{prompt}");
    assert_lacks(&prompt, ["first words", "second words"]);
    assert_has(&prompt, ["🎉"]);
    assert_lacks(&prompt, ["👀"]);
    assert_eq!(test.posts_in_peace(GENERAL).await, 1);
    test.kith.stop();
    let texts = test.stored(GENERAL).await;
    assert_eq!(
        texts,
        [
            "other words",
            "third words, mended",
            "@juno what was that?",
            "answer 1"
        ]
    );
    let store = open_store(&test.kith);
    let lines = store
        .load_history(ChannelId(GENERAL), None, 9)
        .await
        .unwrap();
    let marks: Vec<usize> = lines.iter().map(|line| line.reactions.len()).collect();
    assert_eq!(marks, [1, 0, 0, 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_still_waits_when_it_is_killed_is_fetched_at_the_next_start() {
    let (mut test, _) =
        DiscordTest::watched(World::small(), SHY, &on(GENERAL), |_| say("hi")).await;
    test.asks(GENERAL, BEN, "kith optout", json!({"how": "ignore"}))
        .await;
    let ago = |test: &DiscordTest, minutes: Millis| test.fake.now() - minutes * MINUTE;
    test.fake
        .post(GENERAL, Message::by(ANNA, "before it").at(ago(&test, 20)));
    test.is_stored("before it").await;
    test.kith.stop();
    // It is on here for longer than it was just switched on.
    test.time_passes(60 * MINUTE);
    test.starts().await;
    test.fake
        .post(GENERAL, Message::by(ANNA, "heard again").at(ago(&test, 15)));
    test.is_stored("heard again").await;
    test.refuses();
    test.fake.post(
        GENERAL,
        Message::by(ANNA, "while it was refused").at(ago(&test, 10)),
    );
    test.kith.until_logged(REFUSED).await;
    test.fake.says(GENERAL, BEN, "nobody keeps this");
    // How far a channel was heard is saved every second.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    test.kith.kill();
    test.takes_again();
    test.starts().await;
    test.is_stored("while it was refused").await;
    assert!(test.kith.files_with("nobody keeps this").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_still_waits_when_it_is_stopped_is_stored_before_it_ends() {
    let mut test = DiscordTest::of(World::small(), SHY, &on(GENERAL), |_| say("hi")).await;
    let first = test.fake.says(GENERAL, ANNA, "first words");
    test.is_stored("first words").await;
    test.refuses();
    test.fake.edits(GENERAL, first, "other words");
    test.kith.until_logged(AGAIN).await;
    test.takes_again();
    test.kith.stop();
    assert_eq!(test.stored(GENERAL).await, ["other words"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_more_than_can_wait_is_fetched_when_the_database_takes_it_and_that_is_said_once() {
    let mut test = DiscordTest::of(World::small(), SHY, &on(GENERAL), |_| say("hi")).await;
    test.fake.says(GENERAL, ANNA, "n0.");
    test.is_stored("n0.").await;
    test.refuses();
    let all: Vec<String> = (0..5_300).map(|number| format!("n{number}.")).collect();
    for text in &all[1..5_200] {
        test.fake.says(GENERAL, ANNA, text);
    }
    test.kith.until_logged(FULL).await;
    for text in &all[5_200..] {
        test.fake.says(GENERAL, BEN, text);
    }
    test.takes_again();
    test.holds(5_300).await;
    test.kith.stop();
    let store = open_store(&test.kith);
    let lines = store
        .load_history(ChannelId(GENERAL), None, 9_999)
        .await
        .unwrap();
    let texts: Vec<&str> = lines.iter().map(|line| &*line.message.text).collect();
    assert_eq!(texts, all);
    assert_eq!(
        (
            test.log().matches(REFUSED).count(),
            test.log().matches(FULL).count()
        ),
        (1, 1),
        "{}",
        test.log()
    );
}
