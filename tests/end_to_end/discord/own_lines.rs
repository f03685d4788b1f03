//! What it says itself: it knows its own lines as soon as others can read them, whatever becomes of the answer to its
//! request, and never loses one that was said.

use std::time::Duration;

use crate::discord::fake_discord::{ANNA, BEN, Fault, GENERAL, Message, World};
use crate::discord::town::{Town, on, remembering};

const POSTS: &str = "POST /channels/*/messages";
/// It speaks when it is spoken to.
const SHY: &str = "talkativeness = \"about 0 an hour\"\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_everybody_can_read_counts_as_said_though_the_request_hangs() {
    let (prompts, answer) = remembering();
    let town = Town::of(World::small(), SHY, &on(GENERAL), answer).await;
    town.fake.faults(POSTS, Fault::DoneButHang, 100);
    town.fake.says(GENERAL, ANNA, "@Juno hello");
    let own = town
        .fake
        .until("a post", |world| {
            world.posts(GENERAL).first().map(|post| post.id)
        })
        .await;
    town.holds(2).await;
    assert!(
        town.fake.requests(POSTS).len() < 3,
        "it was not looked for before it was asked again and again"
    );
    town.fake.reacts(BEN, GENERAL, own, "🎉");
    town.fake
        .post(GENERAL, Message::by(BEN, "is that so?").reply_to(own));
    town.fake
        .until("another prompt", |_| {
            (prompts.lock().unwrap().len() == 2).then_some(())
        })
        .await;
    let prompt = prompts.lock().unwrap()[1].clone();
    assert!(
        prompt.contains("answer 1") && prompt.contains("🎉"),
        "{prompt}"
    );
    assert!(town.fake.posts(GENERAL).len() <= 2, "{}", town.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_the_database_does_not_take_is_kept_until_it_does_and_was_said_all_the_same() {
    let (prompts, answer) = remembering();
    let fake = crate::discord::fake_discord::FakeDiscord::start(World::small());
    let url = crate::discord::house::model(answer).await;
    // Time to break the database between the question and the answer, however slow the machine is.
    let slower = crate::discord::town::settings(&fake, &url, SHY, &on(GENERAL))
        .replace("address_wait_seconds = 0.05", "address_wait_seconds = 3.0");
    let mut town = Town::with(fake, &slower, &[]).await;
    town.fake.says(GENERAL, ANNA, "@Juno hello");
    town.holds(1).await;
    town.refuses();
    town.post(GENERAL, 0).await;
    town.house
        .until_logged("what it did is not stored yet")
        .await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    town.takes_again();
    town.knows_it_did(1).await;
    town.fake.says(GENERAL, ANNA, "@Juno and now?");
    assert_eq!(town.post(GENERAL, 1).await, "answer 2");
    let prompt = prompts.lock().unwrap()[1].clone();
    assert!(
        prompt.contains("answer 1") && !prompt.contains("could not be delivered"),
        "{prompt}"
    );
    town.house.stop();
    assert_eq!(
        town.stored(GENERAL).await,
        ["@Juno hello", "answer 1", "@Juno and now?", "answer 2"]
    );
}
