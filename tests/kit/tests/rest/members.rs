//! Members, threads and files over REST.

use super::*;

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
