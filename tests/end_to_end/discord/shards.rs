//! Several shards: what one of them misses is no business of the others.

use crate::discord::fake_discord::{ANNA, BOT, GENERAL, GUILD, LOG, OWNER, World};
use crate::discord::people::said;
use crate::discord::town::{Town, on, say};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_session_of_one_shard_leaves_the_channels_of_the_other_alone() {
    let mut world = World::small();
    world.shards = 2;
    let shard = |guild: u64| (guild >> 22) % 2;
    let other = std::iter::repeat_with(|| world.add_guild("Elsewhere", OWNER))
        .find(|it| shard(*it) != shard(GUILD));
    let channel = world.add_channel(other.unwrap(), "elsewhere");
    world.join(other.unwrap(), ANNA);
    let watched = format!("[discord.log]\nchannel = \"{LOG}\"\nlevel = \"everything\"\n");
    let (town, _) = Town::watched(world, "", &(watched + &on(GENERAL) + &on(channel)), |_| {
        say("hi")
    })
    .await;
    for place in [GENERAL, channel] {
        let looks = format!("GET /channels/{place}/messages");
        town.fake
            .until("both shards", |world| {
                (world.log.identifies.len() == 2).then_some(())
            })
            .await;
        town.fake.says(place, ANNA, &format!("<@{BOT}> hello"));
        town.post(place, 0).await;
        assert_eq!(town.fake.requests(&looks).len(), 0);
    }
    let lost = |town: &Town| {
        town.fake
            .posts(LOG)
            .iter()
            .filter(|entry| said(entry).contains("was lost"))
            .count()
    };
    town.posts_in_peace(LOG).await;
    assert_eq!(
        lost(&town),
        0,
        "the second shard's first session is no loss"
    );
    town.fake.loses_session(shard(GUILD));
    let looks = format!("GET /channels/{GENERAL}/messages");
    town.fake
        .until("a look back", |world| {
            (!world.requests(&looks).is_empty()).then_some(())
        })
        .await;
    town.logged(LOG, "was lost").await;
    assert!(
        town.fake
            .requests(&format!("GET /channels/{channel}/messages"))
            .is_empty()
    );
    town.fake
        .says(channel, ANNA, &format!("<@{BOT}> still there?"));
    town.post(channel, 1).await;
}
