//! Everything is passed on: in order, as Discord wrote it, to a slow reader without loss.

use std::time::Duration;

use kith_discord::gateway::GatewayDispatch;
use serde_json::json;

use crate::gateway::fake_discord::{ANNA, FakeDiscord, GENERAL, GUILD, World};
use crate::gateway::gateway_test::{GatewayTest, nobody_left, settings, text};

/// How many messages are said in a row.
const MANY: usize = 5_000;

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_messages_come_in_the_order_they_were_said() {
    let fake = FakeDiscord::start(World::small());
    let mut rig = GatewayTest::connected(&fake).await;
    std::thread::scope(|scope| {
        scope.spawn(|| (0..MANY).for_each(|n| _ = fake.says(GENERAL, ANNA, &n.to_string())));
    });
    for n in 0..MANY {
        assert_eq!(rig.message().await, n.to_string());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_gets_everything_in_order_and_keeps_the_session() {
    let fake = FakeDiscord::start(World::small());
    fake.heartbeat_every(1_200);
    let mut settings = settings(&fake).await;
    settings.times.ack = Duration::from_millis(1_000);
    let mut rig = GatewayTest::connected_with(settings).await;
    (0..MANY).for_each(|n| _ = fake.says(GENERAL, ANNA, &n.to_string()));
    // The channel is full, and several heartbeats long nothing is read.
    while rig.heard.capacity() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tokio::time::sleep(Duration::from_millis(2_800)).await;
    for n in 0..MANY {
        assert_eq!(rig.message().await, n.to_string());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_comes_as_discord_wrote_it_whatever_it_holds() {
    let fake = FakeDiscord::start(World::small());
    let mut rig = GatewayTest::connected(&fake).await;
    fake.spoil_next("MESSAGE_CREATE", "/author/id", json!("no number"));
    fake.says(GENERAL, ANNA, "can you read this?");
    fake.dispatch_raw("TEA_TIME", Some(GUILD), &json!({ "cups": 2 }));
    let mut event = async |wanted: &str| {
        rig.until(wanted, |dispatch| match dispatch {
            GatewayDispatch::Event { kind, value } if kind == wanted => Some(value),
            _ => None,
        })
        .await
    };
    assert_eq!(event("MESSAGE_CREATE").await["author"]["id"], "no number");
    assert_eq!(event("TEA_TIME").await["cups"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_is_gone_ends_the_gateway() {
    let fake = FakeDiscord::start(World::small());
    let GatewayTest { gateway, heard } = GatewayTest::connected(&fake).await;
    drop(heard);
    fake.says(GENERAL, ANNA, "anybody there?");
    nobody_left(&fake).await;
    gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_gateway_knows_the_token_and_the_guilds_come_first() {
    let fake = FakeDiscord::start(World::small());
    let mut rig = GatewayTest::start(settings(&fake).await).await;
    let mut kinds = Vec::new();
    rig.until("a guild", |dispatch| {
        kinds.push(match &dispatch {
            GatewayDispatch::Event { kind, .. } => kind.clone(),
            GatewayDispatch::Connected { .. } => "connected".into(),
            other => panic!("{other:?}"),
        });
        assert_eq!(text(&dispatch), None);
        (kinds.last().is_some_and(|kind| kind == "GUILD_CREATE")).then_some(())
    })
    .await;
    assert_eq!(kinds, ["READY", "connected", "GUILD_CREATE"]);
    fake.world(|world| assert!(world.log.identifies[0].payload["presence"].is_null()));
}
