//! What it says itself: it knows its own lines as soon as others can read them, whatever becomes of the answer to its
//! request, and never loses one that was said.

use std::time::Duration;

use kith_testkit::{assert_has, assert_lacks};

use crate::discord::prelude::*;

const POSTS: &str = "POST /channels/*/messages";
const SHY: &str = "talkativeness = \"about 0 an hour\"\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_everybody_can_read_counts_as_said_though_the_request_hangs() {
    let (prompts, answer) = remembering();
    let test = DiscordTest::of(World::small(), SHY, &on(GENERAL), answer).await;
    test.fake.faults(POSTS, Fault::DoneButHang, 100);
    test.fake.says(GENERAL, ANNA, "@Juno hello");
    let own = test
        .fake
        .until("a post", |world| {
            world.posts(GENERAL).first().map(|post| post.id)
        })
        .await;
    test.holds(2).await;
    assert!(
        test.fake.requests(POSTS).len() < 3,
        "it was not looked for before it was asked again and again"
    );
    test.fake.reacts(BEN, GENERAL, own, "🎉");
    test.fake
        .post(GENERAL, Message::by(BEN, "is that so?").reply_to(own));
    test.fake
        .until_true("another prompt", |_| prompts.lock().unwrap().len() == 2)
        .await;
    let prompt = prompts.lock().unwrap()[1].clone();
    assert_has(&prompt, ["answer 1", "🎉"]);
    assert!(test.fake.posts(GENERAL).len() <= 2, "{}", test.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_the_database_does_not_take_is_kept_until_it_does_and_was_said_all_the_same() {
    let (prompts, answer) = remembering();
    let fake = FakeDiscord::start(World::small());
    let url = model(answer).await;
    // Time to break the database between the question and the answer, however slow the machine is.
    let slower = settings(&fake, &url, SHY, &on(GENERAL))
        .replace("address_wait_seconds = 0.05", "address_wait_seconds = 3.0");
    let mut test = DiscordTest::with(fake, &slower, &[]).await;
    test.fake.says(GENERAL, ANNA, "@Juno hello");
    test.holds(1).await;
    test.refuses();
    test.post(GENERAL, 0).await;
    test.kith
        .until_logged("what it did is not stored yet")
        .await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    test.takes_again();
    test.knows_it_did(1).await;
    test.fake.says(GENERAL, ANNA, "@Juno and now?");
    assert_eq!(test.post(GENERAL, 1).await, "answer 2");
    let prompt = prompts.lock().unwrap()[1].clone();
    assert_has(&prompt, ["answer 1"]);
    assert_lacks(&prompt, ["could not be delivered"]);
    test.kith.stop();
    assert_eq!(
        test.stored(GENERAL).await,
        ["@Juno hello", "answer 1", "@Juno and now?", "answer 2"]
    );
}
