//! What no retry mends ends with one sentence that says what to do.

use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_core::secret::Secret;
use kith_discord::ShardCount;
use kith_discord::gateway::{GatewayStartError, check_gateway_info, fetch_gateway_info};
use kith_discord::rest::{RestClient, RestSettings};

use crate::gateway::fake_discord::{FakeDiscord, World};
use crate::gateway::gateway_test::{ALL, GatewayTest, rest, settings};

/// The bit of the intent for message content.
const MESSAGE_CONTENT: u64 = 1 << 15;

#[tokio::test(flavor = "multi_thread")]
async fn a_fatal_close_code_ends_it_with_a_sentence_and_without_a_second_attempt() {
    for (code, cure) in [
        (4004, "token"),
        (4010, "report"),
        (4011, "shards"),
        (4012, "update"),
        (4013, "update"),
        (4014, "switch on"),
    ] {
        let fake = FakeDiscord::start(World::small());
        fake.refuse_identify(code);
        let mut rig = GatewayTest::start(settings(&fake).await).await;
        let text = rig.fatal().await;
        assert!(text.contains(cure), "{code}: {text}");
        while rig.heard.recv().await.is_some() {}
        fake.world(|world| assert_eq!(world.log.connects.len(), 1, "{code}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_token_is_found_before_the_first_link() {
    let fake = FakeDiscord::start(World::small());
    let rest = RestClient::new(RestSettings::new(&fake.api(), Secret::new("wrong"), "")).unwrap();
    let error = check_gateway_info(&rest, ALL).await.unwrap_err();
    assert_eq!(error, GatewayStartError::Token);
    assert!(error.describe(Language::EN).contains("developer portal"));
    fake.world(|world| assert!(world.log.connects.is_empty()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_intent_is_found_before_the_first_link_and_its_switch_is_named() {
    let fake = FakeDiscord::start(World::small());
    fake.world(|world| world.granted &= !MESSAGE_CONTENT);
    let rest = rest(&fake);
    let error = check_gateway_info(&rest, ALL).await.unwrap_err();
    assert!(matches!(error, GatewayStartError::MessageContent { .. }));
    assert!(
        error
            .describe(Language::EN)
            .contains("Message Content Intent")
    );
    assert!(!fetch_gateway_info(&rest).await.unwrap().message_content);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_few_sessions_left_it_refuses_to_start_and_says_when_they_renew() {
    let fake = FakeDiscord::start(World::small());
    fake.world(|world| world.starts_left = 3);
    let error = check_gateway_info(&rest(&fake), ALL).await.unwrap_err();
    let GatewayStartError::FewSessions(limit) = &error else {
        panic!("{error:?}")
    };
    assert_eq!(limit.remaining, 3);
    assert!(error.describe(Language::EN).contains(" min"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_partition_needs_a_session_for_each_of_its_own_shards_alone() {
    let fake = FakeDiscord::start(World::small());
    fake.world(|world| (world.shards, world.starts_left) = (120, 60));
    let rest = rest(&fake);
    let part = |count| (ShardCount::Auto, Partition::new(1, count).unwrap());
    check_gateway_info(&rest, part(4)).await.unwrap();
    fake.world(|world| world.starts_left = 59);
    for too_many in [ALL, part(2), (ShardCount::Exactly(244), part(4).1)] {
        let error = check_gateway_info(&rest, too_many).await.unwrap_err();
        assert!(
            matches!(error, GatewayStartError::FewSessions(_)),
            "{error:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_nobody_reaches_is_told_as_such() {
    let mut settings = RestSettings::new("http://127.0.0.1:9/api/v10", Secret::new("any"), "");
    settings.pace.total = std::time::Duration::from_secs(1);
    let error = check_gateway_info(&RestClient::new(settings).unwrap(), ALL)
        .await
        .unwrap_err();
    assert!(matches!(error, GatewayStartError::Rest(_)), "{error:?}");
    assert!(error.describe(Language::EN).contains("discord.proxy"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_host_is_who_owns_the_application() {
    let fake = FakeDiscord::start(World::small());
    let (owner, bot) = fake.world(|world| (world.owner, world.bot));
    let start = check_gateway_info(&rest(&fake), ALL).await.unwrap();
    assert_eq!(
        start.hosts.iter().map(|host| host.0).collect::<Vec<_>>(),
        [owner]
    );
    assert_eq!((start.me.0, start.application), (bot, bot));
}
