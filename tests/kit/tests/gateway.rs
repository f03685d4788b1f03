//! The gateway: the protocol, what intents let through, and every way a link can end.

use std::collections::BTreeSet;

use serde_json::json;

use crate::client::{Client, End, INTENTS, open};
use crate::fake_discord::*;

#[tokio::test]
async fn a_client_that_identifies_hears_what_is_said_and_gets_its_heartbeats_acknowledged() {
    let fake = FakeDiscord::start(World::small());
    let (mut client, ready) = Client::ready(&fake, INTENTS).await;
    assert_eq!(ready["d"]["user"]["id"], BOT.to_string());
    let id = fake.says(GENERAL, ANNA, "hi");
    let said = client.event("MESSAGE_CREATE").await;
    assert_eq!(
        (&said["id"], &said["content"]),
        (&json!(id.to_string()), &json!("hi"))
    );
    assert!(client.hears_nothing().await);
    assert_eq!(fake.connected(), 1);
}

#[tokio::test]
async fn a_resume_replays_what_was_missed_and_a_forgotten_session_is_invalid() {
    let fake = FakeDiscord::start(World::small());
    let (client, ready) = Client::ready(&fake, INTENTS).await;
    fake.break_links(LinkFault::Drop);
    assert_eq!(client.end().await, End::Dropped);
    fake.says(GENERAL, ANNA, "one");
    fake.says(GENERAL, ANNA, "two");
    let mut client = Client::connect(&fake).await;
    client.resume(&ready["d"]["session_id"], 2).await;
    assert_eq!(client.event("MESSAGE_CREATE").await["content"], "one");
    assert_eq!(client.event("MESSAGE_CREATE").await["content"], "two");
    client.event("RESUMED").await;
    fake.says(GENERAL, ANNA, "three");
    assert_eq!(client.event("MESSAGE_CREATE").await["content"], "three");
    fake.forget_sessions();
    let mut late = Client::connect(&fake).await;
    late.resume(&ready["d"]["session_id"], 5).await;
    assert_eq!(
        late.next().await,
        json!({"t": null, "s": null, "op": 9, "d": false})
    );
    let granted: Vec<bool> = fake.world(|world| {
        world
            .log
            .resumes
            .iter()
            .map(|resume| resume.granted)
            .collect()
    });
    assert_eq!(granted, [true, false]);
}

#[tokio::test]
async fn intents_decide_what_is_heard_and_whether_text_is_in_it() {
    let fake = FakeDiscord::start(World::small());
    let (mut client, _) = Client::ready(&fake, intents::GUILDS | intents::GUILD_MESSAGES).await;
    fake.types(GENERAL, ANNA);
    let hi = fake.says(GENERAL, ANNA, "hi");
    fake.reacts(BEN, GENERAL, hi, "👍");
    assert_eq!(client.event("MESSAGE_CREATE").await["content"], "");
    fake.says(GENERAL, ANNA, &format!("<@{BOT}> hi"));
    assert_eq!(
        client.event("MESSAGE_CREATE").await["content"],
        format!("<@{BOT}> hi")
    );
    let dm = fake.world(|world| world.dm(ANNA));
    fake.says(dm, ANNA, "psst");
    assert!(client.hears_nothing().await);
}

#[tokio::test]
async fn what_the_bot_cannot_see_it_does_not_hear() {
    let mut world = World::small();
    world.overwrite(RANDOM, For::Member(BOT), 0, permissions::VIEW_CHANNEL);
    let fake = FakeDiscord::start(world);
    let (mut client, _) = Client::ready(&fake, INTENTS).await;
    fake.says(RANDOM, ANNA, "secret");
    fake.says(GENERAL, ANNA, "open");
    assert_eq!(client.event("MESSAGE_CREATE").await["content"], "open");
}

#[tokio::test]
async fn a_wrong_identify_is_closed_with_the_code_that_says_why() {
    let mut world = World::small();
    world.granted = 0;
    let fake = FakeDiscord::start(world);
    let close = async |d: serde_json::Value| {
        let mut client = Client::connect(&fake).await;
        client.send(json!({"op": 2, "d": d})).await;
        client.end().await
    };
    let identify = |token: &str, intents: u64, shard: [u64; 2]| json!({"token": token, "intents": intents, "properties": {}, "shard": shard});
    assert_eq!(close(identify("wrong", 1, [0, 1])).await, End::Code(4004));
    assert_eq!(close(identify(TOKEN, 1, [1, 1])).await, End::Code(4010));
    assert_eq!(
        close(identify(TOKEN, 1 << 40, [0, 1])).await,
        End::Code(4013)
    );
    assert_eq!(
        close(identify(TOKEN, 1 << 15, [0, 1])).await,
        End::Code(4014)
    );
    fake.refuse_identify(4011);
    assert_eq!(close(identify(TOKEN, 1, [0, 1])).await, End::Code(4011));
    let mut early = Client::connect(&fake).await;
    early.send(json!({"op": 3, "d": {}})).await;
    assert_eq!(early.end().await, End::Code(4003));
    assert_eq!(fake.world(|world| world.log.identifies.len()), 5);
}

#[tokio::test]
async fn links_break_in_every_way_a_test_asks_for() {
    let fake = FakeDiscord::start(World::small());
    let broken = async |fault| {
        let (client, _) = Client::ready(&fake, INTENTS).await;
        fake.break_links(fault);
        client
    };
    assert_eq!(
        broken(LinkFault::Close(Some(4000))).await.end().await,
        End::Code(4000)
    );
    assert_eq!(
        broken(LinkFault::Close(None)).await.end().await,
        End::NoCode
    );
    assert_eq!(broken(LinkFault::Drop).await.end().await, End::Dropped);
    assert_eq!(broken(LinkFault::Reconnect).await.next().await["op"], 7);
    assert_eq!(
        broken(LinkFault::Invalidate { resumable: false })
            .await
            .next()
            .await["d"],
        false
    );
    let mut deaf = broken(LinkFault::NoAcks).await;
    deaf.send(json!({"op": 1, "d": 2})).await;
    fake.says(GENERAL, ANNA, "still heard");
    deaf.event("MESSAGE_CREATE").await;
    let mut frozen = broken(LinkFault::Freeze).await;
    fake.says(GENERAL, ANNA, "never heard");
    frozen.send(json!({"op": 1, "d": 2})).await;
    let silent = tokio::time::timeout(std::time::Duration::from_millis(50), frozen.next()).await;
    assert!(silent.is_err());
}

#[tokio::test]
async fn the_door_can_be_shut_in_several_ways_and_opened_again() {
    let fake = FakeDiscord::start(World::small());
    let connect = async || open(&fake).await;
    fake.door(ConnectionPolicy::Refused);
    while connect().await.is_ok() {}
    fake.door(ConnectionPolicy::Slammed);
    let mut tries = 0;
    while !matches!(connect().await, Err(error) if !error.to_string().contains("refused")) {
        tries += 1;
        assert!(tries < 1000);
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    fake.door(ConnectionPolicy::Closing(Some(4009)));
    let mut socket = connect().await.unwrap();
    let frame = futures_util::StreamExt::next(&mut socket)
        .await
        .unwrap()
        .unwrap();
    assert!(frame.is_close());
    fake.door(ConnectionPolicy::Open);
    Client::ready(&fake, INTENTS).await;
}

#[tokio::test]
async fn events_come_twice_in_reverse_or_spoiled_on_request() {
    let fake = FakeDiscord::start(World::small());
    let (mut client, _) = Client::ready(&fake, INTENTS).await;
    fake.duplicate_next(1);
    fake.says(GENERAL, ANNA, "twice");
    assert_eq!(
        client.event("MESSAGE_CREATE").await,
        client.event("MESSAGE_CREATE").await
    );
    fake.reorder_next(2);
    fake.says(GENERAL, ANNA, "first");
    fake.says(GENERAL, ANNA, "second");
    assert_eq!(client.event("MESSAGE_CREATE").await["content"], "second");
    assert_eq!(client.event("MESSAGE_CREATE").await["content"], "first");
    fake.spoil_next("MESSAGE_CREATE", "/timestamp", json!("yesterday"));
    fake.says(GENERAL, ANNA, "spoiled");
    assert_eq!(
        client.event("MESSAGE_CREATE").await["timestamp"],
        "yesterday"
    );
}

#[tokio::test]
async fn chaos_on_the_links_loses_nothing_for_a_client_that_resumes() {
    let fake = FakeDiscord::start(World::small());
    let (mut client, ready) = Client::ready(&fake, INTENTS).await;
    let session = &ready["d"]["session_id"];
    let chances = [
        (0.02, LinkFault::Drop),
        (0.02, LinkFault::Close(Some(4000))),
        (0.02, LinkFault::Close(None)),
        (0.05, LinkFault::Duplicate),
        (0.05, LinkFault::Reorder),
    ];
    fake.link_chaos(Some(LinkChaos::new(7, chances)));
    let told: BTreeSet<Id> = (0..300)
        .map(|number| fake.says(GENERAL, ANNA, &number.to_string()))
        .collect();
    fake.link_chaos(None);
    let (mut heard, mut count, mut seq) = (BTreeSet::new(), 0, 2);
    while heard.len() < told.len() {
        let Some(frame) = client.try_next().await else {
            client = Client::connect(&fake).await;
            client.resume(session, seq).await;
            continue;
        };
        assert_eq!(frame["s"], seq + 1);
        seq += 1;
        if frame["t"] == "MESSAGE_CREATE" {
            heard.insert(frame["d"]["id"].as_str().unwrap().parse().unwrap());
            count += 1;
        }
    }
    assert_eq!(heard, told);
    assert!(count > told.len());
    assert!(fake.world(|world| !world.log.resumes.is_empty()));
}

#[tokio::test]
async fn a_flood_keeps_its_order_and_its_numbers() {
    let fake = FakeDiscord::start(World::small());
    let (mut client, _) = Client::ready(&fake, INTENTS).await;
    let reads = async {
        let mut last = 0;
        for number in 0..3000 {
            let said = client.event("MESSAGE_CREATE").await;
            let id: u64 = said["id"].as_str().unwrap().parse().unwrap();
            assert!(id > last);
            assert_eq!(said["content"], format!("line {number}"));
            last = id;
        }
    };
    tokio::join!(
        reads,
        fake.flood(&[(GENERAL, ANNA), (RANDOM, BEN)], "line {n}", 3000)
    );
}
