//! The process is killed while an answer is on its way that repeats what was just deleted.

use super::*;
use crate::discord::prelude::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_repeats_a_deleted_message_is_not_said_by_the_next_process() {
    let repeats = |user: &str| {
        if user.contains(HOBBY) {
            say(&format!("Ben has a {HOBBY}"))
        } else {
            say("no idea")
        }
    };
    let (mut test, shown) = DiscordTest::watched(World::small(), SHY, &tables(), repeats).await;
    let bens = test.fake.says(GENERAL, BEN, &format!("my {HOBBY} is here"));
    test.is_stored(HOBBY).await;
    test.fake.fault(
        "POST /channels/*/messages",
        Fault::RouteLimit(Duration::from_secs(60)),
    );
    test.calls(GENERAL, ANNA, "what does he have?");
    test.kith.until_logged("not delivered yet").await;
    test.fake.deletes(GENERAL, &[bens]);
    test.fake.says(GENERAL, ANNA, "it is deleted by now");
    test.is_stored("deleted by now").await;
    test.kith.kill();
    test.fake.lifts_limits();
    test.starts().await;
    let before = shown.count();
    test.calls(GENERAL, ANNA, "and now?");
    test.fake
        .until_true("an answer", |world| {
            let posts = world.posts(GENERAL);
            posts.iter().any(|post| post.text == "no idea")
        })
        .await;
    let posts = test.fake.posts(GENERAL);
    assert!(
        posts.iter().all(|post| !post.text.contains(HOBBY)),
        "{posts:?}"
    );
    assert!(shown.all()[before..].iter().all(|it| !it.contains(HOBBY)));
    test.is_gone(HOBBY).await;
}
