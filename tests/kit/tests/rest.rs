//! REST: what is kept, what is refused and with which number.

use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};

use crate::fake_discord::*;

/// A client, made once for a test, which runs on one thread: reading the system's certificates takes a while.
pub fn client() -> Client {
    thread_local! {
        static CLIENT: Client =
            Client::builder().no_proxy().timeout(Duration::from_secs(20)).build().expect("a client");
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
async fn bans_and_time_outs_need_rights_and_rank_and_keep_their_reason() {
    let mut world = World::small();
    world.bot_may(
        GUILD,
        permissions::BAN_MEMBERS | permissions::MODERATE_MEMBERS,
    );
    let fake = FakeDiscord::start(world);
    let ban = client().put(format!("{}/guilds/{GUILD}/bans/{BEN}", fake.api()));
    let ban = ban
        .header("authorization", format!("Bot {TOKEN}"))
        .header("x-audit-log-reason", "spam%20again");
    ban.json(&json!({"delete_message_seconds": 3600}))
        .send()
        .await
        .unwrap()
        .error_for_status()
        .unwrap();
    let kept = fake.world(|world| world.guilds[&GUILD].bans[&BEN].clone());
    assert_eq!(
        (kept.reason.as_deref(), kept.delete_seconds),
        (Some("spam again"), 3600)
    );
    let member = |user: Id| format!("/guilds/{GUILD}/members/{user}");
    let until = |days: i64| json!({"communication_disabled_until": timestamp(fake.now() + days * 86_400_000)});
    assert_eq!(ask(&fake, "PATCH", &member(ANNA), until(1)).await.0, 200);
    assert_eq!(
        refused(&fake, "PATCH", &member(MO), until(1)).await,
        (403, 50013)
    );
    assert_eq!(
        refused(&fake, "PATCH", &member(ANNA), until(30)).await,
        (400, 50035)
    );
    assert_eq!(
        refused(
            &fake,
            "PUT",
            &format!("/guilds/{GUILD}/bans/{OWNER}"),
            json!({})
        )
        .await,
        (403, 50013)
    );
    assert_eq!(fake.take_violations().len(), 1);
}

#[tokio::test]
async fn nick_avatar_and_a_direct_message_are_the_bots_own_to_set() {
    let fake = FakeDiscord::start(World::small());
    let own = format!("/guilds/{GUILD}/members/@me");
    assert_eq!(
        ask(&fake, "PATCH", &own, json!({"nick": "Jun"})).await.1["nick"],
        "Jun"
    );
    let picture = json!({"username": "juno", "avatar": "data:image/png;base64,iVBORw0KGgo="});
    assert!(ask(&fake, "PATCH", "/users/@me", picture).await.1["avatar"].is_string());
    let dm = ask(
        &fake,
        "POST",
        "/users/@me/channels",
        json!({"recipient_id": ANNA.to_string()}),
    )
    .await
    .1;
    let dm: Id = dm["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(
        ask(
            &fake,
            "POST",
            &format!("/channels/{dm}/typing"),
            Value::Null
        )
        .await
        .0,
        204
    );
    assert_eq!(
        ask(&fake, "POST", &messages(dm), json!({"content": "psst"}))
            .await
            .0,
        200
    );
    fake.world(|world| {
        assert_eq!(world.dm_with(ANNA), Some(dm));
        assert_eq!(world.channel(dm).typing.len(), 1);
        assert_eq!(
            world.guilds[&GUILD].members[&BOT].nick.as_deref(),
            Some("Jun")
        );
    });
}

#[tokio::test]
async fn threads_are_opened_on_a_channel_or_a_message_once() {
    let fake = FakeDiscord::start(World::small());
    let hi = fake.says(GENERAL, ANNA, "hi");
    let on_message = format!("{}/{hi}/threads", messages(GENERAL));
    let name = json!({"name": "cats"});
    assert_eq!(ask(&fake, "POST", &on_message, name.clone()).await.0, 201);
    assert_eq!(
        refused(&fake, "POST", &on_message, name.clone()).await,
        (400, 160_004)
    );
    let public = json!({"name": "cats", "type": 11});
    let (status, thread) = ask(
        &fake,
        "POST",
        &format!("/channels/{GENERAL}/threads"),
        public,
    )
    .await;
    assert_eq!(
        (status, &thread["owner_id"]),
        (201, &json!(BOT.to_string()))
    );
    let threads = ask(
        &fake,
        "GET",
        &format!("/guilds/{GUILD}/threads/active"),
        Value::Null,
    )
    .await
    .1;
    assert_eq!(threads["threads"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn an_archived_thread_opens_again_with_a_message_and_a_locked_one_does_not() {
    let mut world = World::small();
    let thread = world.add_thread(GENERAL, "cats", ANNA);
    world.channel_mut(thread).thread.as_mut().unwrap().archived = true;
    let fake = FakeDiscord::start(world);
    let hi = fake.world(|world| world.channel(thread).messages.len());
    assert_eq!(hi, 0);
    assert_eq!(
        ask(&fake, "POST", &messages(thread), json!({"content": "hi"}))
            .await
            .0,
        200
    );
    let archived = || fake.world(|world| world.channel(thread).thread.as_ref().unwrap().archived);
    assert!(!archived());
    fake.changes_channel(thread, |thread| {
        thread.thread.as_mut().unwrap().locked = true
    });
    assert_eq!(
        refused(&fake, "POST", &messages(thread), json!({"content": "hi"})).await,
        (403, 160_005)
    );
}

#[tokio::test]
async fn files_come_with_a_message_and_can_be_fetched_without_the_token() {
    let fake = FakeDiscord::start(World::small());
    let id = fake.post(
        GENERAL,
        Message::by(ANNA, "look").file("cat.txt", "text/plain", "a cat"),
    );
    let url = fake.world(|world| world.message(GENERAL, id).unwrap().attachments[0]["url"].clone());
    let fetched = client()
        .get(url.as_str().unwrap())
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert_eq!(fetched, "a cat");
    let boundary = "XbX";
    let body = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"payload_json\"\r\n\r\n{}\r\n--{boundary}\r\n\
         Content-Disposition: form-data; name=\"files[0]\"; filename=\"log.txt\"\r\nContent-Type: text/plain\r\n\r\n\
         the log\r\n--{boundary}--\r\n",
        json!({"content": "here", "attachments": [{"id": "0", "filename": "log.txt"}]})
    );
    let sent = client().post(format!("{}{}", fake.api(), messages(GENERAL)));
    let sent = sent.header("authorization", format!("Bot {TOKEN}"));
    let sent = sent
        .header(
            "content-type",
            format!("multipart/form-data; boundary={boundary}"),
        )
        .body(body);
    sent.send().await.unwrap().error_for_status().unwrap();
    assert_eq!(fake.posts(GENERAL)[0].attachments[0]["filename"], "log.txt");
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
