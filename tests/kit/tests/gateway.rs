//! The gateway: the protocol, what intents let through, and every way a link can end.

use serde_json::json;

use crate::client::{Client, End, INTENTS};
use crate::fake_discord::*;

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
