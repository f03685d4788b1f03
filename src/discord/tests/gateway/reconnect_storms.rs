//! What would make a client reconnect hundreds of times a second, or use up the sessions of a day.

use std::time::Duration;

use kith_discord::gateway::GatewayDispatch;

use crate::gateway::fake_discord::{
    ANNA, ConnectionPolicy, FakeDiscord, GENERAL, LinkFault, World,
};
use crate::gateway::gateway_test::{GatewayTest, settings};

/// How often the fake was connected to until the host was told; each attempt waits longer than the one before.
async fn attempts_until_told(fake: &FakeDiscord, rig: &mut GatewayTest) -> usize {
    let before = fake.world(|world| world.log.connects.len());
    rig.until("a notice", |dispatch| {
        matches!(dispatch, GatewayDispatch::Notice(_)).then_some(())
    })
    .await;
    fake.world(|world| world.log.connects.len()) - before
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_takes_links_and_drops_them_is_not_stormed() {
    for door in [
        ConnectionPolicy::Closing(None),
        ConnectionPolicy::Closing(Some(4000)),
        ConnectionPolicy::Slammed,
        ConnectionPolicy::Silent,
    ] {
        let fake = FakeDiscord::start(World::small());
        let mut settings = settings(&fake).await;
        settings.times.back_off_first = Duration::from_millis(400);
        settings.times.back_off_most = Duration::from_secs(60);
        settings.times.redial_wait = Duration::from_secs(60);
        settings.times.dial = Duration::from_millis(300);
        let mut rig = GatewayTest::connected_with(settings).await;
        fake.door(door);
        fake.break_links(LinkFault::Close(Some(4000)));
        // Told after a second: two at once, one after 400 ms, one after 800 ms.
        let attempts = attempts_until_told(&fake, &mut rig).await;
        assert!(attempts <= 5, "{attempts} attempts at {door:?}");
        fake.door(ConnectionPolicy::Open);
        fake.says(GENERAL, ANNA, "still there?");
        assert_eq!(rig.message().await, "still there?", "{door:?}");
        fake.world(|world| {
            assert!(
                world.log.connects.len() < 12,
                "{}",
                world.log.connects.len()
            )
        });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_ends_every_session_at_once_is_not_stormed_either() {
    let fake = FakeDiscord::start(World::small());
    let mut settings = settings(&fake).await;
    settings.times.back_off_first = Duration::from_millis(500);
    settings.times.back_off_most = Duration::from_millis(500);
    let mut rig = GatewayTest::connected_with(settings).await;
    for _ in 0..4 {
        fake.break_links(LinkFault::Close(Some(4000)));
        assert!(rig.connected_again().await.resumed);
    }
    fake.world(|world| {
        // All together, for one that is accepted late shortens the wait for the next.
        let waited = &world.log.connects[2..];
        let (took, waits) = (
            waited[waited.len() - 1] - waited[0],
            waited.len() as i64 - 1,
        );
        assert!(
            waits >= 2 && took >= waits * 500 - 300,
            "{:?}",
            world.log.connects
        );
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_be_reached_for_a_while_finds_the_session_waiting() {
    let fake = FakeDiscord::start(World::small());
    fake.heartbeat_every(700);
    let mut rig = GatewayTest::connected(&fake).await;
    fake.door(ConnectionPolicy::Refused);
    fake.break_links(LinkFault::Drop);
    fake.says(GENERAL, ANNA, "into the void");
    attempts_until_told(&fake, &mut rig).await;
    // Longer than a heartbeat's interval.
    tokio::time::sleep(Duration::from_secs(3)).await;
    fake.door(ConnectionPolicy::Open);
    assert_eq!(rig.message().await, "into the void");
    let up = rig.connected_again().await;
    assert!(up.resumed && up.away >= Duration::from_secs(3), "{up:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn when_few_sessions_are_left_no_new_one_is_started_and_the_host_is_told() {
    let fake = FakeDiscord::start(World::small());
    let mut settings = settings(&fake).await;
    // What Discord told a moment ago would be believed.
    settings.times.identify_interval = Duration::ZERO;
    let mut rig = GatewayTest::connected_with(settings).await;
    fake.world(|world| world.starts_left = 20);
    fake.break_links(LinkFault::Invalidate { resumable: false });
    let notice = rig
        .until("a notice", |dispatch| match dispatch {
            GatewayDispatch::Notice(text) => Some(text),
            _ => None,
        })
        .await;
    assert!(notice.contains("20 more sessions"), "{notice}");
    fake.world(|world| assert_eq!(world.log.identifies.len(), 1));
}
