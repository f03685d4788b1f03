//! Several shards: what one of them misses is no business of the others.

use crate::discord::prelude::*;

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
    let (test, _) =
        DiscordTest::watched(world, "", &(watched + &on(GENERAL) + &on(channel)), |_| {
            say("hi")
        })
        .await;
    for place in [GENERAL, channel] {
        let looks = format!("GET /channels/{place}/messages");
        test.fake
            .until_true("both shards", |world| world.log.identifies.len() == 2)
            .await;
        test.talk(place, ANNA, "hello").await;
        assert_eq!(test.fake.requests(&looks).len(), 0);
    }
    let lost = |test: &DiscordTest| {
        test.fake
            .posts(LOG)
            .iter()
            .filter(|entry| said(entry).contains("was lost"))
            .count()
    };
    test.posts_in_peace(LOG).await;
    assert_eq!(
        lost(&test),
        0,
        "the second shard's first session is no loss"
    );
    test.fake.loses_session(shard(GUILD));
    let looks = format!("GET /channels/{GENERAL}/messages");
    test.fake
        .until_true("a look back", |world| !world.requests(&looks).is_empty())
        .await;
    test.logged(LOG, "was lost").await;
    assert!(
        test.fake
            .requests(&format!("GET /channels/{channel}/messages"))
            .is_empty()
    );
    test.talk(channel, ANNA, "still there?").await;
}
