//! A guild that throws it out while it is not there: what was chosen there is over all the same.

use crate::discord::prelude::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guild_that_threw_it_out_while_it_was_stopped_is_a_new_one_when_it_comes_back() {
    let (mut test, shown) = DiscordTest::watched(World::small(), "", "", |_| say("hi")).await;
    test.hears(GENERAL, MO, "kith on").await;
    test.post(GENERAL, 0).await;
    assert_eq!(test.talk(GENERAL, ANNA, "hello").await, "hi");
    test.kith.stop();
    test.fake.removes_bot(GUILD);
    test.starts().await;
    test.posts_in_peace(GENERAL).await;
    test.kith.stop();
    test.fake.invites_bot(GUILD);
    test.starts().await;
    test.calls(GENERAL, ANNA, "the aardvark sleeps");
    assert!(
        test.post(GENERAL, 2).await.contains("asleep"),
        "told again who can wake it"
    );
    assert!(!shown.any_with("aardvark") && test.kith.files_with("aardvark").is_empty());
}
