//! A link is one compressed stream: it is asked for, what comes over it is read, and what breaks it breaks no more.

use crate::gateway::fake_discord::{ANNA, FakeDiscord, GENERAL, LinkFault, Upgrade, World};
use crate::gateway::gateway_test::GatewayTest;

#[tokio::test(flavor = "multi_thread")]
async fn the_upgrade_says_who_it_is_as_discord_asks_and_everything_comes_as_one_stream() {
    let fake = FakeDiscord::start(World::small());
    let mut rig = GatewayTest::connected(&fake).await;
    for text in [
        "short".to_owned(),
        "long ".repeat(300),
        "很长很长".repeat(400),
    ] {
        fake.says(GENERAL, ANNA, &text);
        assert_eq!(rig.message().await, text);
    }
    let form = regex::Regex::new(r"^DiscordBot \(https://[^ ,]+, \d+\.\d+\.\d+\)$").unwrap();
    fake.world(|world| {
        let [
            Upgrade {
                user_agent: Some(agent),
                is_packed: true,
            },
        ] = &world.log.upgrades[..]
        else {
            panic!("{:?}", world.log.upgrades)
        };
        assert!(form.is_match(agent), "{agent}");
        let packed = world.log.packed;
        assert!(
            packed.frames >= 5 && packed.bytes * 2 < packed.unpacked,
            "{packed:?}"
        );
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_breaks_is_followed_by_a_new_one_and_nothing_is_lost() {
    for fault in [LinkFault::Garble, LinkFault::Bomb] {
        let fake = FakeDiscord::start(World::small());
        let mut rig = GatewayTest::connected(&fake).await;
        fake.says(GENERAL, ANNA, "before");
        fake.break_links(fault);
        fake.says(GENERAL, ANNA, "behind it");
        assert_eq!(rig.message().await, "before");
        assert_eq!(rig.message().await, "behind it", "{fault:?}");
        assert!(rig.connected_again().await.resumed, "{fault:?}");
        fake.says(GENERAL, ANNA, "after");
        assert_eq!(rig.message().await, "after", "{fault:?}");
        fake.world(|world| {
            assert_eq!(
                (world.log.identifies.len(), world.log.resumes.len()),
                (1, 1),
                "{fault:?}"
            )
        });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_compress_is_understood_as_well() {
    let fake = FakeDiscord::start(World::small());
    fake.never_packs();
    let mut rig = GatewayTest::connected(&fake).await;
    fake.says(GENERAL, ANNA, "in plain words");
    assert_eq!(rig.message().await, "in plain words");
    fake.world(|world| assert_eq!(world.log.packed.frames, 0));
}
