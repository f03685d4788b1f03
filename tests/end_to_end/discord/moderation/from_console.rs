//! Deeds that who runs Kith decides on in the console.

use super::*;
use crate::room_browser::free_port;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_runs_kith_sees_what_waits_and_approves_a_ban_which_is_done_once() {
    let port = free_port();
    let table = format!("{ALL}\n[console]\nlisten = \"{port}\"");
    let mut scene = ModerationTest::of(world(), &table, does("ban_member", "")).await;
    scene.test.reach_console(port);
    scene.asked_by(MO).await;
    let card = scene.card().await;
    let kith = &scene.test.kith;
    let waiting = kith.ask_console(json!({ "ask": "approvals" })).await;
    let ban = &waiting["pending"][0];
    assert_eq!(ban["tool"], "ban_member", "{waiting}");
    assert!(
        ban["preview"].as_str().unwrap().contains("ban Ben"),
        "{ban}"
    );
    assert_eq!(
        (&ban["channel_name"], &ban["params"]["reason"]),
        (&json!("general"), &json!("sells pills"))
    );
    assert_ne!(ban["guild_name"], "");
    let approve = json!({ "ask": "decide", "id": ban["id"], "approve": true });
    kith.ask_console(approve.clone()).await;
    let shown = scene.says(&card, "done").await;
    assert!(shown.contains("who runs Kith"), "{shown}");
    assert!(!scene.is_member() && scene.bans() == 1);
    let again = kith.try_ask_console(approve).await.unwrap_err();
    assert!(again.to_string().contains("decided before"), "{again}");
    let waiting = kith.ask_console(json!({ "ask": "approvals" })).await;
    assert_eq!(waiting["pending"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_companion_may_not_do_any_more_stays_open_and_says_why() {
    let port = free_port();
    let table = format!("{ALL}\n[console]\nlisten = \"{port}\"");
    let mut scene = ModerationTest::of(world(), &table, does("ban_member", "")).await;
    scene.test.reach_console(port);
    scene.asked_by(MO).await;
    scene.card().await;
    scene.test.fake.changes_role(GUILD, BOT_ROLE, |role| {
        role.permissions &= !may::BAN_MEMBERS
    });
    // It has heard of that once it answers what was said after it.
    scene.next_prompt().await;
    let kith = &scene.test.kith;
    let waiting = kith.ask_console(json!({ "ask": "approvals" })).await;
    let id = waiting["pending"][0]["id"].clone();
    let decide =
        |approve| kith.try_ask_console(json!({ "ask": "decide", "id": id, "approve": approve }));
    let refused = decide(true).await.unwrap_err();
    assert!(
        refused["error"]
            .as_str()
            .unwrap()
            .contains("cannot do that now"),
        "{refused}"
    );
    assert!(scene.is_member());
    decide(false).await.unwrap();
    assert_eq!(scene.bans(), 0);
}
