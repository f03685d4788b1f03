//! Archived threads rest, and go on where they were when somebody writes there again.

use std::time::Duration;

use crate::discord::prelude::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_archived_thread_takes_no_room_and_goes_on_where_it_was_when_somebody_writes() {
    let mut world = World::small();
    let thread = world.add_thread(GENERAL, "plans", ANNA);
    let (prompts, answer) = remembering();
    let tables = format!("[guild.{GUILD}]\nmode = \"on\"\n");
    let test = DiscordTest::of(
        world,
        "talkativeness = \"about 0 an hour\"\n[log]\nlevel = \"debug\"\n",
        &tables,
        answer,
    )
    .await;
    assert_eq!(
        test.talk(thread, ANNA, "we meet at the lighthouse").await,
        "answer 1"
    );
    // A thread in which something is still to be done is let go when it is done; Discord tells of it once more here.
    let end = kith_system::clock::monotonic() + kith_testkit::PATIENCE;
    while !test.log().contains("its state is let go") {
        assert!(
            kith_system::clock::monotonic() < end,
            "its state stays\n{}",
            test.log()
        );
        test.fake.changes_channel(thread, |thread| {
            thread.thread.as_mut().unwrap().archived = true
        });
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let history = format!("GET /channels/{thread}/messages");
    let looks = test.fake.requests(&history).len();
    assert_eq!(
        test.talk(thread, ANNA, "where was it again?").await,
        "answer 2"
    );
    assert_eq!(
        test.fake.requests(&history).len(),
        looks + 1,
        "it comes back as after a restart"
    );
    assert_eq!(test.posts_in_peace(thread).await, 2);
    let prompts = prompts.lock().unwrap();
    let places =
        ["the lighthouse", "answer 1", "where was it again?"].map(|text| prompts[1].find(text));
    assert!(places.is_sorted() && places[0].is_some(), "{}", prompts[1]);
}
