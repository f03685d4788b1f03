//! A guild that throws it out while it is not there: what was chosen there is over all the same.

use crate::discord::fake_discord::{ANNA, BOT, GENERAL, GUILD, MO, World};
use crate::discord::town::{Town, say};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guild_that_threw_it_out_while_it_was_stopped_is_a_new_one_when_it_comes_back() {
    let (mut town, shown) = Town::watched(World::small(), "", "", |_| say("hi")).await;
    town.hears(GENERAL, MO, "kith on").await;
    town.fake.says(GENERAL, ANNA, &format!("<@{BOT}> hello"));
    assert_eq!(town.post(GENERAL, 1).await, "hi");
    town.house.stop();
    town.fake.removes_bot(GUILD);
    town.starts().await;
    town.posts_in_peace(GENERAL).await;
    town.house.stop();
    town.fake.invites_bot(GUILD);
    town.starts().await;
    town.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> the aardvark sleeps"));
    assert!(
        town.post(GENERAL, 2).await.contains("asleep"),
        "told again who can wake it"
    );
    assert!(!shown.any_with("aardvark") && town.house.files_with("aardvark").is_empty());
}
