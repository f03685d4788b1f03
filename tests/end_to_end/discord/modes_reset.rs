//! Taking back what was set by hand may widen what is read: then a channel is told, as if it had been switched on.

use crate::discord::fake_discord::{ANNA, BOT, GENERAL, MO, World};
use crate::discord::town::{Town, on, say};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reset_that_lets_it_read_again_tells_the_channel_once() {
    let (town, _) = Town::watched(World::small(), "", &on(GENERAL), |_| say("hi")).await;
    town.hears(GENERAL, MO, "kith off").await;
    town.fake.says(GENERAL, ANNA, "the aardvark sleeps");
    assert!(
        town.hears(GENERAL, MO, "kith reset")
            .await
            .contains("taken back")
    );
    let told = town.post(GENERAL, 0).await;
    for part in ["reads along", "model at", "/kith optout"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    town.hears(GENERAL, MO, "kith observe").await;
    assert!(
        town.hears(GENERAL, MO, "kith reset")
            .await
            .contains("taken back")
    );
    assert!(
        town.post(GENERAL, 1).await.contains("model at"),
        "who was told that no model sees it is told again"
    );
    town.hears(GENERAL, MO, "kith reset").await;
    town.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    assert_eq!(town.post(GENERAL, 2).await, "hi");
    assert!(town.house.files_with("aardvark").is_empty());
}
