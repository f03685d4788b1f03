//! Being spoken to and answering: mentions, bursts, threads, direct messages, edits and deletions.
use std::time::Duration;

use kith_testkit::{assert_has, assert_lacks};

use crate::discord::prelude::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_makes_it_type_and_answer() {
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), |_| say("hi Anna")).await;
    test.fake.says(GENERAL, ANNA, &format!("<@{}> hello", BOT));
    assert_eq!(test.post(GENERAL, 0).await, "hi Anna");
    let (typed, post) = test.fake.world(|world| {
        let channel = world.channel(GENERAL);
        (channel.typing.clone(), world.posts(GENERAL)[0].clone())
    });
    assert!(!typed.is_empty(), "{}", test.log());
    assert!(post.nonce_text().is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thread_below_a_channel_that_is_on_is_a_channel_of_its_own() {
    let (prompts, answer) = remembering();
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), answer).await;
    let thread = test.fake.opens_thread(GENERAL, ANNA, "plans");
    test.fake
        .says(thread, ANNA, "@Juno here is the secret plan");
    assert_eq!(test.post(thread, 0).await, "answer 1");
    test.fake.says(GENERAL, BEN, "@Juno hi");
    assert_eq!(test.post(GENERAL, 0).await, "answer 2");
    assert!(
        !prompts.lock().unwrap()[1].contains("secret plan"),
        "its name alone brings nothing to mind"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_it_observes_it_reads_along_and_never_speaks() {
    let settings = format!("[channel.{GENERAL}]\nmode = \"observe\"\n") + &on(RANDOM);
    let (prompts, answer) = remembering();
    let test = DiscordTest::of(World::small(), "", &settings, answer).await;
    test.fake.says(GENERAL, ANNA, "@Juno the rhubarb is ripe");
    assert_eq!(test.posts_in_peace(GENERAL).await, 0);
    assert!(prompts.lock().unwrap().is_empty());
    assert!(
        !test.kith.files_with("rhubarb").is_empty(),
        "what is observed is remembered"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_and_deletions_hold_in_the_next_prompt() {
    let (prompts, answer) = remembering();
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), answer).await;
    let first = test.fake.says(GENERAL, ANNA, "we meet at the lighthouse");
    let second = test.fake.says(GENERAL, BEN, "my password is swordfish");
    test.fake.says(GENERAL, ANNA, "@Juno did you see?");
    test.post(GENERAL, 0).await;
    test.fake.edits(GENERAL, first, "we meet at the harbour");
    test.fake.deletes(GENERAL, &[second]);
    tokio::time::sleep(Duration::from_millis(100)).await;
    test.fake.says(GENERAL, ANNA, "@Juno and now?");
    test.post(GENERAL, 1).await;
    let prompts = prompts.lock().unwrap().clone();
    let last = prompts.last().unwrap();
    assert_has(last, ["the harbour"]);
    assert_lacks(last, ["lighthouse", "swordfish"]);
    assert_has(&prompts[0], ["swordfish"]);
    for gone in ["swordfish", "lighthouse"] {
        test.is_gone(gone).await;
    }
}
