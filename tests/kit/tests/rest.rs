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

/// The status and Discord's number of a refusal.
async fn refused(fake: &FakeDiscord, method: &str, path: &str, body: Value) -> (u16, u64) {
    let (status, body) = ask(fake, method, path, body).await;
    (
        status,
        body["code"]
            .as_u64()
            .unwrap_or_else(|| panic!("{path} was not refused: {body}")),
    )
}

fn messages(channel: Id) -> String {
    format!("/channels/{channel}/messages")
}

#[tokio::test]
async fn what_the_bot_posts_is_kept_and_given_back_newest_first() {
    let fake = FakeDiscord::start(World::small());
    let hi = fake.says(GENERAL, ANNA, "hi");
    let (status, posted) = ask(
        &fake,
        "POST",
        &messages(GENERAL),
        json!({"content": "hello"}),
    )
    .await;
    assert_eq!((status, &posted["content"]), (200, &json!("hello")));
    let (_, page) = ask(
        &fake,
        "GET",
        &format!("{}?&limit=2", messages(GENERAL)),
        Value::Null,
    )
    .await;
    assert_eq!(page[1]["id"], hi.to_string());
    assert_eq!(page[0]["id"], posted["id"]);
    assert_eq!(fake.posts(GENERAL)[0].text, "hello");
    assert_eq!(
        fake.requests("POST /channels/*/messages")[0].status,
        Some(200)
    );
}

#[tokio::test]
async fn history_is_paged_before_after_and_around() {
    let fake = FakeDiscord::start(World::small());
    let ids: Vec<Id> = (0..10)
        .map(|number| fake.says(GENERAL, ANNA, &number.to_string()))
        .collect();
    let page = async |query: String| {
        let (_, page) = ask(
            &fake,
            "GET",
            &format!("{}?{query}", messages(GENERAL)),
            Value::Null,
        )
        .await;
        let texts = page
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["content"].as_str().unwrap().to_owned());
        texts.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(page(format!("before={}&limit=3", ids[5])).await, "4 3 2");
    assert_eq!(page(format!("after={}&limit=3", ids[5])).await, "8 7 6");
    assert_eq!(page(format!("around={}&limit=3", ids[5])).await, "6 5 4");
    assert_eq!(page("limit=2".into()).await, "9 8");
    assert_eq!(
        refused(
            &fake,
            "GET",
            &format!("{}?limit=101", messages(GENERAL)),
            Value::Null
        )
        .await,
        (400, 50035)
    );
    assert!(fake.take_violations().len() == 1);
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
        assert_eq!(
            refused(&fake, "POST", &messages(GENERAL), body.clone()).await,
            (400, 50035),
            "{body}"
        );
        assert!(!fake.take_violations().is_empty(), "{body}");
    }
    assert_eq!(
        refused(&fake, "POST", &messages(GENERAL), json!({"content": ""})).await,
        (400, 50006)
    );
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
    assert_eq!(
        refused(&fake, "POST", &messages(1), say.clone()).await,
        (404, 10003)
    );
    assert_eq!(
        refused(&fake, "POST", &messages(RANDOM), say.clone()).await,
        (403, 50001)
    );
    assert_eq!(
        refused(&fake, "POST", &messages(LOG), say.clone()).await,
        (403, 50013)
    );
    assert_eq!(
        refused(&fake, "POST", &messages(thread), say.clone()).await,
        (403, 50013)
    );
    assert_eq!(
        refused(&fake, "POST", &messages(GENERAL), reply).await,
        (403, 160_002)
    );
    assert_eq!(
        refused(&fake, "POST", &messages(dm), say.clone()).await,
        (403, 50007)
    );
    assert_eq!(
        refused(
            &fake,
            "PUT",
            &format!("/guilds/{GUILD}/bans/{BEN}"),
            json!({})
        )
        .await,
        (403, 50013)
    );
    fake.times_out(GUILD, BOT, fake.now() + 60_000);
    assert_eq!(
        refused(&fake, "POST", &messages(GENERAL), say).await,
        (403, 50013)
    );
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
    assert_eq!(
        refused(&fake, "POST", &messages(GENERAL), json!({"content": "y"})).await,
        (429, 20016)
    );
    assert_eq!(
        refused(
            &fake,
            "POST",
            &messages(RANDOM),
            json!({"content": "voldemort!"})
        )
        .await,
        (400, 200_000)
    );
    fake.set_now(fake.now() + 31_000);
    assert_eq!(
        ask(&fake, "POST", &messages(GENERAL), json!({"content": "y"}))
            .await
            .0,
        200
    );
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
async fn allowed_mentions_decide_who_is_pinged() {
    let fake = FakeDiscord::start(World::small());
    let hi = fake.says(GENERAL, BEN, "hi");
    let text = format!("@everyone <@{ANNA}> <@{MO}> <@&{MODS}>");
    let body = json!({
        "content": text,
        "message_reference": {"message_id": hi.to_string(), "fail_if_not_exists": false},
        "allowed_mentions": {"parse": [], "users": [ANNA.to_string()], "replied_user": false},
    });
    ask(&fake, "POST", &messages(GENERAL), body).await;
    let post = fake.posts(GENERAL).remove(0);
    assert_eq!(
        (post.mentions, post.mention_roles, post.mention_everyone),
        (vec![ANNA], vec![], false)
    );
    assert_eq!(post.reference.unwrap().message, hi);
}

#[tokio::test]
async fn own_messages_are_edited_and_deleted_and_those_of_others_are_not() {
    let fake = FakeDiscord::start(World::small());
    let hers = fake.says(GENERAL, ANNA, "hers");
    let own = ask(
        &fake,
        "POST",
        &messages(GENERAL),
        json!({"content": "mine"}),
    )
    .await
    .1;
    let path = |id: &str| format!("{}/{id}", messages(GENERAL));
    let own = path(own["id"].as_str().unwrap());
    let hers = path(&hers.to_string());
    assert_eq!(
        ask(&fake, "PATCH", &own, json!({"content": "changed"}))
            .await
            .1["content"],
        "changed"
    );
    assert_eq!(
        refused(&fake, "PATCH", &hers, json!({"content": "changed"})).await,
        (403, 50005)
    );
    assert_eq!(
        refused(&fake, "DELETE", &hers, Value::Null).await,
        (403, 50013)
    );
    assert_eq!(ask(&fake, "DELETE", &own, Value::Null).await.0, 204);
    assert_eq!(
        refused(&fake, "DELETE", &own, Value::Null).await,
        (404, 10008)
    );
}

#[tokio::test]
async fn reactions_are_unicode_or_the_guilds_own() {
    let fake = FakeDiscord::start(World::small());
    let hi = fake.says(GENERAL, ANNA, "hi");
    let path = |emoji: &str| format!("{}/{hi}/reactions/{emoji}/@me", messages(GENERAL));
    let own = format!("smile_cat%3A{SMILE_CAT}");
    for _ in 0..2 {
        assert_eq!(
            ask(&fake, "PUT", &path("%F0%9F%91%80"), Value::Null)
                .await
                .0,
            204
        );
    }
    assert_eq!(ask(&fake, "PUT", &path(&own), Value::Null).await.0, 204);
    assert_eq!(
        refused(&fake, "PUT", &path("wink"), Value::Null).await,
        (400, 10014)
    );
    assert_eq!(
        refused(&fake, "PUT", &path("cat%3A1"), Value::Null).await,
        (400, 10014)
    );
    assert_eq!(ask(&fake, "DELETE", &path(&own), Value::Null).await.0, 204);
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
    assert_eq!(
        ask(&fake, "GET", "/guilds/1/castles", Value::Null).await.0,
        404
    );
    assert!(
        fake.take_violations()
            .iter()
            .any(|violation| violation.contains("castles"))
    );
}
