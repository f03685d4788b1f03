//! What programs that watch over it are told of its links to Discord, and of what it could not store.

use kith_testkit::monitoring::{MONITORED, probe, until_probed};

use crate::discord::prelude::*;

async fn monitored() -> DiscordTest {
    let mut world = World::small();
    world.shards = 2;
    let tables = on(GENERAL) + MONITORED;
    let test = DiscordTest::of(world, "", &tables, |_| say("hi")).await;
    until_probed(&test.kith, "/readyz", 200, "ok\n").await;
    test
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_ready_while_all_shards_are_connected() {
    let test = monitored().await;
    let connected =
        |up: u8| [0, 1].map(|shard| format!("kith_gateway_connected{{shard=\"{shard}\"}} {up}\n"));
    let (_, metrics) = probe(&test.kith, "/metrics").await;
    for line in connected(1) {
        assert!(metrics.contains(&line), "{line} in\n{metrics}");
    }
    test.fake.door(ConnectionPolicy::Refused);
    test.fake.break_links(LinkFault::Drop);
    until_probed(&test.kith, "/readyz", 503, "discord\n").await;
    assert_eq!(probe(&test.kith, "/healthz").await, (200, "ok\n".into()));
    test.fake.door(ConnectionPolicy::Open);
    until_probed(&test.kith, "/readyz", 200, "ok\n").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_not_ready_while_what_was_heard_cannot_be_stored() {
    let test = monitored().await;
    test.refuses();
    test.fake.says(GENERAL, ANNA, "is this kept?");
    until_probed(&test.kith, "/readyz", 503, "store\n").await;
    test.takes_again();
    until_probed(&test.kith, "/readyz", 200, "ok\n").await;
}
