//! Taking back what was set by hand may widen what is read: then a channel is told, as if it had been switched on.

use crate::discord::discord_test::{DiscordTest, on, say};
use crate::discord::fake_discord::{ANNA, BOT, GENERAL, MO, World};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reset_that_lets_it_read_again_tells_the_channel_once() {
    let (test, _) = DiscordTest::watched(World::small(), "", &on(GENERAL), |_| say("hi")).await;
    test.hears(GENERAL, MO, "kith off").await;
    test.fake.says(GENERAL, ANNA, "the aardvark sleeps");
    assert!(
        test.hears(GENERAL, MO, "kith reset")
            .await
            .contains("taken back")
    );
    let told = test.post(GENERAL, 0).await;
    for part in ["reads along", "model at", "/kith optout"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    test.hears(GENERAL, MO, "kith observe").await;
    assert!(
        test.hears(GENERAL, MO, "kith reset")
            .await
            .contains("taken back")
    );
    assert!(
        test.post(GENERAL, 1).await.contains("model at"),
        "who was told that no model sees it is told again"
    );
    test.hears(GENERAL, MO, "kith reset").await;
    test.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    assert_eq!(test.post(GENERAL, 2).await, "hi");
    assert!(test.kith.files_with("aardvark").is_empty());
}
