//! The network is gone, or Discord is: how soon the companion hears again, and what the host is told.

use std::time::Duration;

use kith_discord::gateway::GatewayDispatch;

use crate::gateway::fake_discord::{ConnectionPolicy, FakeDiscord, LinkFault, World};
use crate::gateway::gateway_test::{GatewayTest, settings};

/// What everything here takes at most, and far less than any wait that would have been too long.
const SOON: Duration = Duration::from_secs(15);
/// Such a wait.
const TOO_LONG: Duration = Duration::from_secs(120);

/// The next time a session is up, which must be soon.
async fn up_soon(rig: &mut GatewayTest) -> bool {
    tokio::time::timeout(SOON, rig.connected_again())
        .await
        .expect("it hears again soon")
        .resumed
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_short_links_nor_a_dead_network_lengthen_what_a_refused_session_costs() {
    let fake = FakeDiscord::start(World::small());
    let mut settings = settings(&fake).await;
    settings.times.back_off_most = TOO_LONG;
    let mut rig = GatewayTest::connected_with(settings).await;
    for _ in 0..12 {
        fake.break_links(LinkFault::Close(Some(4000)));
        assert!(up_soon(&mut rig).await);
    }
    let connects = fake.world(|world| world.log.connects.len());
    fake.door(ConnectionPolicy::Slammed);
    fake.break_links(LinkFault::Drop);
    fake.until("tries in vain", |world| {
        (world.log.connects.len() > connects + 8).then_some(())
    })
    .await;
    fake.forget_sessions();
    fake.door(ConnectionPolicy::Open);
    assert!(
        !up_soon(&mut rig).await,
        "the session was refused and a new one begun"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_survives_however_long_the_network_is_gone() {
    let fake = FakeDiscord::start(World::small());
    let mut rig = GatewayTest::connected(&fake).await;
    let connects = fake.world(|world| world.log.connects.len());
    fake.door(ConnectionPolicy::Slammed);
    fake.break_links(LinkFault::Drop);
    fake.until("many tries", |world| {
        (world.log.connects.len() > connects + 12).then_some(())
    })
    .await;
    fake.door(ConnectionPolicy::Open);
    assert!(up_soon(&mut rig).await);
    fake.world(|world| assert_eq!(world.log.identifies.len(), 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn once_the_network_is_back_it_is_dialled_though_an_older_try_still_hangs() {
    let fake = FakeDiscord::start(World::small());
    let mut settings = settings(&fake).await;
    settings.times.dial = TOO_LONG;
    let mut rig = GatewayTest::connected_with(settings).await;
    let connects = fake.world(|world| world.log.connects.len());
    fake.door(ConnectionPolicy::Silent);
    fake.break_links(LinkFault::Drop);
    fake.until("a try", |world| {
        (world.log.connects.len() > connects).then_some(())
    })
    .await;
    fake.door(ConnectionPolicy::Open);
    assert!(up_soon(&mut rig).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_is_told_once_while_it_lasts_and_once_when_it_is_over() {
    let fake = FakeDiscord::start(World::small());
    let mut rig = GatewayTest::connected(&fake).await;
    // Links that were short before it must not keep it from being told.
    for _ in 0..4 {
        fake.break_links(LinkFault::Close(Some(4000)));
        assert!(up_soon(&mut rig).await);
    }
    let connects = fake.world(|world| world.log.connects.len());
    fake.door(ConnectionPolicy::Slammed);
    fake.break_links(LinkFault::Drop);
    fake.until("many tries", |world| {
        (world.log.connects.len() > connects + 9).then_some(())
    })
    .await;
    fake.door(ConnectionPolicy::Open);
    let mut notices = Vec::new();
    rig.until("the end of it", |dispatch| {
        if let GatewayDispatch::Notice(text) = dispatch {
            notices.push(text);
        }
        notices
            .last()
            .is_some_and(|text: &String| text.contains("is back"))
            .then_some(())
    })
    .await;
    assert!(
        notices.len() == 2 && notices[0].contains("cannot be reached"),
        "{notices:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_never_comes_up_again_is_given_up_for_a_new_one() {
    let fake = FakeDiscord::start(World::small());
    let mut rig = GatewayTest::connected(&fake).await;
    // Discord greets, and hangs up whatever is said then.
    fake.refuse_resumes(u32::MAX);
    fake.break_links(LinkFault::Drop);
    assert!(!up_soon(&mut rig).await);
    fake.world(|world| assert!(world.log.resumes.len() <= 4, "{:?}", world.log.resumes));
}
