//! REST: what is kept, what is refused and with which number.

mod members;

use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};

use crate::fake_discord::*;

/// A client, made once for a test, which runs on one thread: reading the system's certificates takes a while.
pub fn client() -> Client {
    thread_local! {
        static CLIENT: Client =
            kith_system::tls::loopback_client().timeout(Duration::from_secs(20)).build().expect("a client");
    }
    CLIENT.with(Client::clone)
}

/// Asks as the bot would: the status, and the body or null.
pub async fn ask(fake: &FakeDiscord, method: &str, path: &str, body: Value) -> (u16, Value) {
    let url = format!("{}{path}", fake.api());
    let request = client()
        .request(method.parse().unwrap(), url)
        .header("authorization", format!("Bot {TOKEN}"));
    let request = if body.is_null() {
        request
    } else {
        request.json(&body)
    };
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    (status, answer.json().await.unwrap_or_default())
}

/// It is answered with this status.
pub async fn gives(fake: &FakeDiscord, method: &str, path: &str, body: Value, status: u16) {
    let answer = ask(fake, method, path, body).await;
    assert_eq!(answer.0, status, "{path}: {}", answer.1);
}

/// It is refused with this status and Discord's number.
async fn is_refused(fake: &FakeDiscord, method: &str, path: &str, body: Value, why: (u16, u64)) {
    let shown = body.to_string();
    let (status, answer) = ask(fake, method, path, body).await;
    let code = answer["code"].as_u64().unwrap_or_default();
    assert_eq!((status, code), why, "{path}: {shown}: {answer}");
}

fn messages(channel: Id) -> String {
    format!("/channels/{channel}/messages")
}

#[tokio::test]
async fn bodies_with_strange_keys_or_too_much_text_are_refused_and_remembered() {
    let fake = FakeDiscord::start(World::small());
    let bad = [
        json!({"content": "x".repeat(2001)}),
        json!({"content": "x", "contents": "y"}),
        json!({"content": "x", "allowed_mentions": {"parse": ["all"]}}),
        json!({"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}),
        json!({"content": "x", "allowed_mentions": {"parse": [], "replied_users": true}}),
        json!({"content": "x", "nonce": "x".repeat(26)}),
        json!({"content": "x", "enforce_nonce": true}),
        json!({"embeds": [{"title": "x", "text": "y"}]}),
        json!({"embeds": [{"description": "x".repeat(4097)}]}),
        json!({"embeds": vec![json!({"description": "x".repeat(4000)}); 2]}),
        json!({"components": [{"type": 1, "components": [{"type": 2, "style": 1, "label": "x"}]}]}),
        json!({"content": "x", "message_reference": {"message_id": "1"}}),
    ];
    for body in bad {
        is_refused(
            &fake,
            "POST",
            &messages(GENERAL),
            body.clone(),
            (400, 50035),
        )
        .await;
        assert!(!fake.take_violations().is_empty(), "{body}");
    }
    let page = format!("{}?limit=101", messages(GENERAL));
    is_refused(&fake, "GET", &page, Value::Null, (400, 50035)).await;
    fake.take_violations();
    is_refused(
        &fake,
        "POST",
        &messages(GENERAL),
        json!({"content": ""}),
        (400, 50006),
    )
    .await;
    fake.take_violations();
    let (status, _) = ask(
        &fake,
        "POST",
        &messages(GENERAL),
        json!({"content": "喵".repeat(2000)}),
    )
    .await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn permissions_decide_with_the_numbers_discord_uses() {
    let mut world = World::small();
    world.overwrite(RANDOM, For::Role(BOT_ROLE), 0, permissions::VIEW_CHANNEL);
    world.overwrite(LOG, For::Member(BOT), 0, permissions::SEND_MESSAGES);
    world.overwrite(
        GENERAL,
        For::Role(GUILD),
        0,
        permissions::READ_MESSAGE_HISTORY,
    );
    world.users.get_mut(&ANNA).unwrap().closed = true;
    let dm = world.dm(ANNA);
    let thread = world.add_thread(GENERAL, "quiet", ANNA);
    world.overwrite(
        GENERAL,
        For::Member(BOT),
        0,
        permissions::SEND_MESSAGES_IN_THREADS,
    );
    let fake = FakeDiscord::start(world);
    let hi = fake.says(GENERAL, ANNA, "hi");
    let say = json!({"content": "x"});
    let reply = json!({"content": "x", "message_reference": {"message_id": hi.to_string()}});
    is_refused(&fake, "POST", &messages(1), say.clone(), (404, 10003)).await;
    is_refused(&fake, "POST", &messages(RANDOM), say.clone(), (403, 50001)).await;
    is_refused(&fake, "POST", &messages(LOG), say.clone(), (403, 50013)).await;
    is_refused(&fake, "POST", &messages(thread), say.clone(), (403, 50013)).await;
    is_refused(&fake, "POST", &messages(GENERAL), reply, (403, 160_002)).await;
    is_refused(&fake, "POST", &messages(dm), say.clone(), (403, 50007)).await;
    is_refused(
        &fake,
        "PUT",
        &format!("/guilds/{GUILD}/bans/{BEN}"),
        json!({}),
        (403, 50013),
    )
    .await;
    fake.times_out(GUILD, BOT, fake.now() + 60_000);
    is_refused(&fake, "POST", &messages(GENERAL), say, (403, 50013)).await;
}

#[tokio::test]
async fn slow_mode_automod_and_deleted_originals_are_as_on_discord() {
    let mut world = World::small();
    world.channel_mut(GENERAL).slow_mode = 30;
    world
        .guild_mut(GUILD)
        .blocked_words
        .push("Voldemort".into());
    let fake = FakeDiscord::start(world);
    let gone = json!({"message_id": "123", "fail_if_not_exists": false});
    let (status, posted) = ask(
        &fake,
        "POST",
        &messages(GENERAL),
        json!({"content": "x", "message_reference": gone}),
    )
    .await;
    assert_eq!((status, &posted["type"]), (200, &json!(0)));
    is_refused(
        &fake,
        "POST",
        &messages(GENERAL),
        json!({"content": "y"}),
        (429, 20016),
    )
    .await;
    is_refused(
        &fake,
        "POST",
        &messages(RANDOM),
        json!({"content": "voldemort!"}),
        (400, 200_000),
    )
    .await;
    fake.set_now(fake.now() + 31_000);
    gives(
        &fake,
        "POST",
        &messages(GENERAL),
        json!({"content": "y"}),
        200,
    )
    .await;
}

#[tokio::test]
async fn an_enforced_nonce_gives_the_first_message_again_until_it_expires() {
    let fake = FakeDiscord::start(World::small());
    let body = json!({"content": "once", "nonce": "turn1-0", "enforce_nonce": true});
    let first = ask(&fake, "POST", &messages(GENERAL), body.clone()).await.1;
    let again = ask(&fake, "POST", &messages(GENERAL), body.clone()).await.1;
    assert_eq!(
        (&again["id"], &again["nonce"]),
        (&first["id"], &json!("turn1-0"))
    );
    fake.set_now(fake.now() + 6 * 60_000);
    let late = ask(&fake, "POST", &messages(GENERAL), body).await.1;
    assert_ne!(late["id"], first["id"]);
    assert_eq!(fake.posts(GENERAL).len(), 2);
}

#[tokio::test]
async fn reactions_are_unicode_or_the_guilds_own() {
    let fake = FakeDiscord::start(World::small());
    let hi = fake.says(GENERAL, ANNA, "hi");
    let path = |emoji: &str| format!("{}/{hi}/reactions/{emoji}/@me", messages(GENERAL));
    let own = format!("smile_cat%3A{SMILE_CAT}");
    for _ in 0..2 {
        gives(&fake, "PUT", &path("%F0%9F%91%80"), Value::Null, 204).await;
    }
    gives(&fake, "PUT", &path(&own), Value::Null, 204).await;
    is_refused(&fake, "PUT", &path("wink"), Value::Null, (400, 10014)).await;
    is_refused(&fake, "PUT", &path("cat%3A1"), Value::Null, (400, 10014)).await;
    gives(&fake, "DELETE", &path(&own), Value::Null, 204).await;
    let reactions = fake.world(|world| world.message(GENERAL, hi).unwrap().reactions.clone());
    assert_eq!(
        (reactions.len(), &*reactions[0].emoji, &*reactions[0].users),
        (1, "👀", &[BOT][..])
    );
}

#[tokio::test]
async fn a_wrong_token_and_an_unknown_route_are_refused_and_the_latter_remembered() {
    let fake = FakeDiscord::start(World::small());
    let stranger = client()
        .get(format!("{}/users/@me", fake.api()))
        .header("authorization", "Bot wrong");
    assert_eq!(stranger.send().await.unwrap().status(), 401);
    gives(&fake, "GET", "/guilds/1/castles", Value::Null, 404).await;
    assert!(
        fake.take_violations()
            .iter()
            .any(|violation| violation.contains("castles"))
    );
}
