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
    gives(&fake, "PATCH", &member(ANNA), until(1), 200).await;
    is_refused(&fake, "PATCH", &member(MO), until(1), (403, 50013)).await;
    is_refused(&fake, "PATCH", &member(ANNA), until(30), (400, 50035)).await;
    is_refused(
        &fake,
        "PUT",
        &format!("/guilds/{GUILD}/bans/{OWNER}"),
        json!({}),
        (403, 50013),
    )
    .await;
    assert_eq!(fake.take_violations().len(), 1);
}

#[tokio::test]
async fn an_archived_thread_opens_again_with_a_message_and_a_locked_one_does_not() {
    let mut world = World::small();
    let thread = world.add_thread(GENERAL, "cats", ANNA);
    world.channel_mut(thread).thread.as_mut().unwrap().archived = true;
    let fake = FakeDiscord::start(world);
    let hi = fake.world(|world| world.channel(thread).messages.len());
    assert_eq!(hi, 0);
    gives(
        &fake,
        "POST",
        &messages(thread),
        json!({"content": "hi"}),
        200,
    )
    .await;
    let archived = || fake.world(|world| world.channel(thread).thread.as_ref().unwrap().archived);
    assert!(!archived());
    fake.changes_channel(thread, |thread| {
        thread.thread.as_mut().unwrap().locked = true
    });
    is_refused(
        &fake,
        "POST",
        &messages(thread),
        json!({"content": "hi"}),
        (403, 160_005),
    )
    .await;
}
