//! What becomes of proposals: they outlive a crash, expire, and name nobody who was forgotten.

use super::*;
use kith_testkit::assert_has;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_no_longer_be_done_is_not_approved_and_can_be_mended() {
    let scene = ModerationTest::of(world(), ALL, does("ban_member", "")).await;
    scene.asked_by(MO).await;
    let card = scene.card().await;
    scene
        .test
        .fake
        .changes_role(GUILD, BOT_ROLE, |role| role.permissions = 0);
    let refused = scene
        .test
        .until_told("I cannot do that now", async || {
            scene.presses(MO, &card, "approve").await
        })
        .await;
    assert_has(&refused, ["the permission Ban Members is missing"]);
    scene
        .test
        .fake
        .changes_role(GUILD, BOT_ROLE, |role| role.permissions = POWERS);
    scene
        .test
        .until_told("Approved", async || {
            scene.presses(MO, &card, "approve").await
        })
        .await;
    scene.says(&card, "Approved by Mo: done.").await;
    assert_eq!(scene.bans(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proposal_outlives_a_crash_and_what_was_approved_before_one_is_done_after_it_once() {
    let mut scene = ModerationTest::of(world(), ALL, does("ban_member", "")).await;
    scene.asked_by(MO).await;
    let card = scene.card().await;
    scene.test.kith.kill();
    scene.test.starts().await;
    scene
        .test
        .fake
        .fault("PUT /guilds/*/bans/*", Fault::DoneButHang);
    let pressed = scene
        .test
        .fake
        .presses(LOG, MO, card.id, &button(&card, "approve"));
    assert!(
        scene
            .test
            .answered(pressed)
            .await
            .text
            .starts_with("Approved")
    );
    scene
        .test
        .fake
        .until_true("a ban", |world| {
            world.guilds[&GUILD].bans.contains_key(&BEN)
        })
        .await;
    scene.test.kith.kill();
    scene.test.starts().await;
    scene.says(&card, "Approved by Mo: done.").await;
    assert_eq!(
        scene.test.fake.world(|world| asking(world).len()),
        0,
        "it is asked once"
    );
    assert_has(
        scene.next_prompt().await,
        ["a moderator approved that you ban Ben"],
    );
    scene.test.restarts().await;
    scene.next_prompt().await;
    assert_eq!(
        scene.test.fake.requests("PUT /guilds/*/bans/*").len(),
        2,
        "once more where nobody knew, then never"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_decides_on_in_time_is_over_and_told() {
    let mut scene = ModerationTest::of(world(), ALL, does("ban_member", "")).await;
    scene.asked_by(MO).await;
    let card = scene.card().await;
    scene.test.kith.stop();
    let database = scene.test.kith.database();
    database.change("UPDATE proposals SET expires = made + 1");
    scene.test.starts().await;
    scene.says(&card, "Nobody decided in time").await;
    assert_has(scene.next_prompt().await, ["no moderator answered in time"]);
    assert!(scene.is_member());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_forgotten_is_on_no_card_and_in_no_row() {
    let scene = ModerationTest::of(world(), ALL, does("ban_member", "")).await;
    scene.asked_by(MO).await;
    let card = scene.card().await;
    let asked = scene
        .test
        .asks(GENERAL, BEN, "kith forget me", json!({ "where": "all" }))
        .await;
    scene.test.confirms(GENERAL, BEN, &asked, "forget").await;
    scene
        .test
        .fake
        .until_true("no card", |world| world.message(LOG, card.id).is_none())
        .await;
    scene.test.is_gone("sells pills").await;
    assert!(scene.test.kith.files_holding(&BEN.to_be_bytes()).is_empty());
    assert!(scene.is_member());
}
