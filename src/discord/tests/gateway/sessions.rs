//! Links break in every way, and the session goes on: what was said meanwhile still comes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use kith_discord::gateway::{GatewaySettings, SharedSessionStarts};
use kith_system::clock;

use crate::gateway::fake_discord::{ANNA, FakeDiscord, GENERAL, LinkFault, World};
use crate::gateway::gateway_test::{GatewayTest, nobody_left, quick, settings};

/// Breaks the link and sees that the session is resumed and nothing is lost.
async fn survives(fake: &FakeDiscord, rig: &mut GatewayTest, fault: LinkFault) {
    fake.says(GENERAL, ANNA, "before");
    assert_eq!(rig.message().await, "before");
    fake.break_links(fault);
    fake.says(GENERAL, ANNA, "meanwhile");
    assert_eq!(rig.message().await, "meanwhile", "{fault:?}");
    let up = rig.connected_again().await;
    assert!(up.resumed, "{fault:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_on_after_its_link_broke_and_nothing_is_lost() {
    let fake = FakeDiscord::start(World::small());
    let mut rig = GatewayTest::connected(&fake).await;
    for fault in [
        LinkFault::Drop,
        LinkFault::Close(None),
        LinkFault::Close(Some(4000)),
        LinkFault::Close(Some(1001)),
        LinkFault::Reconnect,
    ] {
        survives(&fake, &mut rig, fault).await;
    }
    fake.world(|world| {
        assert_eq!(world.log.identifies.len(), 1);
        assert!(world.log.resumes.iter().all(|resume| resume.granted));
    });
    rig.gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_froze_is_given_up_in_time_for_its_session_to_go_on() {
    for fault in [LinkFault::Freeze, LinkFault::NoAcks] {
        let fake = FakeDiscord::start(World::small());
        fake.heartbeat_every(1_000);
        let mut settings = settings(&fake).await;
        settings.times.ack = Duration::from_millis(300);
        let mut rig = GatewayTest::connected_with(settings).await;
        survives(&fake, &mut rig, fault).await;
        fake.world(|world| assert_eq!(world.log.identifies.len(), 1, "{fault:?}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_gone_is_replaced_by_a_new_one() {
    let fake = FakeDiscord::start(World::small());
    let mut rig = GatewayTest::connected(&fake).await;
    fake.break_links(LinkFault::Invalidate { resumable: true });
    assert!(rig.connected_again().await.resumed);
    fake.break_links(LinkFault::Invalidate { resumable: false });
    let up = rig.connected_again().await;
    assert!(!up.resumed);
    fake.says(GENERAL, ANNA, "hello again");
    assert_eq!(rig.message().await, "hello again");
    fake.world(|world| assert_eq!(world.log.identifies.len(), 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_discord_forgot_is_replaced_as_soon_as_a_fresh_one_comes_and_the_absence_is_told()
{
    let fake = FakeDiscord::start(World::small());
    let mut settings = settings(&fake).await;
    // What a failed link would be waited for; a session that is refused is none.
    settings.times.back_off_first = Duration::from_secs(20);
    settings.times.back_off_most = Duration::from_secs(20);
    settings.times.stable_after = Duration::ZERO;
    let mut rig = GatewayTest::connected_with(settings).await;
    for lost in 1..=3 {
        fake.forget_sessions();
        fake.break_links(LinkFault::Drop);
        let up = rig.connected_again().await;
        assert!(
            !up.resumed && up.away > Duration::ZERO && up.away < Duration::from_secs(5),
            "{up:?}"
        );
        fake.world(|world| {
            let refused = world
                .log
                .resumes
                .iter()
                .filter(|resume| !resume.granted)
                .count();
            assert_eq!((world.log.identifies.len(), refused), (lost + 1, lost));
        });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_shard_has_a_session_of_its_own_and_they_start_one_after_the_other() {
    let fake = FakeDiscord::start(World::small());
    fake.world(|world| world.shards = 3);
    let mut rig = GatewayTest::start(settings(&fake).await).await;
    let mut shards = Vec::new();
    for _ in 0..3 {
        shards.push(rig.connected_again().await.shard);
    }
    shards.sort_unstable();
    assert_eq!(shards, [0, 1, 2]);
    fake.world(|world| {
        let mut identified: Vec<_> = world
            .log
            .identifies
            .iter()
            .map(|identify| (identify.at, identify.shard))
            .collect();
        identified.sort_unstable();
        assert!(identified.iter().all(|(_, shard)| shard.1 == 3));
        let apart = quick().identify_interval.as_millis() as i64;
        // A little less, for the fake sees them when they arrive.
        assert!(
            identified
                .windows(2)
                .all(|pair| pair[1].0 - pair[0].0 >= apart / 2),
            "{identified:?}"
        );
    });
    rig.gateway.stop().await;
}

/// Other processes. The first time nobody answers for them, and the second time one has just started a session.
#[derive(Default)]
struct OtherProcesses {
    asked: AtomicUsize,
}

/// How long it has to be waited for.
const TOO_YOUNG: Duration = Duration::from_millis(300);

impl SharedSessionStarts for OtherProcesses {
    fn reserve(&self, _group: u16, _apart: Duration) -> BoxFuture<'_, Option<Duration>> {
        std::future::ready(Some(Duration::ZERO)).boxed()
    }

    fn claim(&self, group: u16, apart: Duration) -> BoxFuture<'_, Option<Duration>> {
        assert_eq!(group, 0);
        assert!(apart > quick().identify_interval, "{apart:?}");
        let answers = [None, Some(TOO_YOUNG), Some(Duration::ZERO)];
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        std::future::ready(answers[asked]).boxed()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_another_process_started_just_before_is_waited_for_on_the_open_link() {
    let fake = FakeDiscord::start(World::small());
    let other = Arc::new(OtherProcesses::default());
    let shared = GatewaySettings {
        session_starts: Some(other.clone()),
        ..settings(&fake).await
    };
    let began = clock::monotonic();
    let rig = GatewayTest::connected_with(shared).await;
    assert!(began.elapsed() >= TOO_YOUNG);
    assert_eq!(other.asked.load(Ordering::Relaxed), 3);
    fake.world(|world| assert_eq!(world.log.identifies.len(), 1));
    rig.gateway.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_is_stopped_says_good_bye_and_closes_its_channel() {
    let fake = FakeDiscord::start(World::small());
    let GatewayTest { gateway, mut heard } = GatewayTest::connected(&fake).await;
    gateway.stop().await;
    while heard.recv().await.is_some() {}
    nobody_left(&fake).await;
}
