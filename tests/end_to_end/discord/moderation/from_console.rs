//! Deeds that who runs Kith decides on in the console.

use super::*;
use crate::room_browser::free_port;
use kith_testkit::assert_has;

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
    assert_has(ban["preview"].as_str().unwrap(), ["ban Ben"]);
    assert_eq!(
        (&ban["channel_name"], &ban["params"]["reason"]),
        (&json!("general"), &json!("sells pills"))
    );
    assert_ne!(ban["guild_name"], "");
    let approve = json!({ "ask": "decide", "id": ban["id"], "approve": true });
    kith.ask_console(approve.clone()).await;
    let shown = scene.says(&card, "done").await;
    assert_has(&shown, ["who runs Kith"]);
    assert!(!scene.is_member() && scene.bans() == 1);
    let again = kith.try_ask_console(approve).await.unwrap_err();
    assert_has(again.to_string(), ["decided before"]);
    let waiting = kith.ask_console(json!({ "ask": "approvals" })).await;
    assert_eq!(waiting["pending"], json!([]));
}
