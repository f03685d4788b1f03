//! The process is killed while somebody is being forgotten: the next one finishes it.

use kith_core::chat::{Author, AuthorKind, ChannelId, MINUTE, MessageId, UserId};
use kith_core::event::ChatEvent;
use kith_system::clock;
use kith_testkit::assert_lacks;

use super::*;
use crate::opened_store::open_store;

/// So much that forgetting it takes many commits.
const LINES: i64 = 4_000;

impl DiscordTest {
    /// Everything that she said before this test began.
    async fn has_heard_much_of(&mut self, person: Id) {
        self.kith.stop();
        let store = open_store(&self.kith);
        let said = |number: i64| {
            ChatEvent::Message(kith_core::chat::Message {
                id: MessageId(number.cast_unsigned()),
                channel: ChannelId(GENERAL),
                arrival: 0,
                at: clock::now() - 30 * MINUTE,
                author: Author {
                    id: UserId(person),
                    name: "Mirabelle".into(),
                    kind: AuthorKind::Person,
                },
                text: format!("brambleknocker {number}").into(),
                reply_to: None,
                mentions: Vec::new(),
            })
        };
        store.append((1..=LINES).map(said).collect()).await.unwrap();
        drop(store);
        self.starts().await;
    }

    /// Kills it when the first of her lines is gone; answers how many are not.
    fn kill_while_lines_go(&mut self, person: Id) -> i64 {
        let database = self.kith.database();
        let find = format!("SELECT count(*) FROM messages WHERE author = {person}");
        let count = || database.number(&find);
        let end = clock::monotonic() + kith_testkit::PATIENCE;
        while count() >= LINES {
            assert!(clock::monotonic() < end, "{}", self.log());
        }
        self.kith.kill();
        count()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_was_being_forgotten_when_the_process_was_killed_is_forgotten_by_the_next() {
    let (world, mira) = world();
    let (mut test, shown) = DiscordTest::watched(world, SHY, &tables(), gossip).await;
    test.lived_with(mira, &shown).await;
    test.has_heard_much_of(mira).await;
    test.fake.slash(GENERAL, mira, "kith forget me", json!({}));
    let left = test.kill_while_lines_go(mira);
    assert!(left > 0, "else this test shows nothing");
    test.starts().await;
    test.kith
        .until_logged("of forgetting people is finished")
        .await;
    test.nothing_left_of(mira).await;
    let before = shown.count();
    test.talk(GENERAL, ANNA, "who collects what here?").await;
    for prompt in &shown.all()[before..] {
        assert_lacks(prompt, ["Mirabelle", HOBBY, "brambleknocker"]);
    }
}
