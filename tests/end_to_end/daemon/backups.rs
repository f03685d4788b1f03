//! Backups as the host types them: made beside a running kith, put back while none runs, whatever kills the command.

use std::time::Duration;

use kith_testkit::assert_has;
use kith_testkit::test_database::is_skipped_off_the_file;
use serde_json::json;

use crate::daemon::kith_process::{KithProcess, build_kith_command, model, settings};
use crate::daemon::text;

/// How often putting a backup back is killed.
const KILLS: u64 = 8;

/// Runs a command in its folder; answers with exit code, standard output and standard error.
fn run(kith: &KithProcess, args: &[&str]) -> (Option<i32>, String, String) {
    let output = build_kith_command(kith.dir.path())
        .args(args)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

async fn open() -> KithProcess {
    let url = model(|_| "<turn><send_message>hi Anna</send_message></turn>".into()).await;
    KithProcess::open(&settings(&url, "")).await
}

async fn until_answered(kith: &KithProcess, times: usize) {
    kith.until_answers(times).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_is_made_beside_a_running_kith_and_lives_on_when_it_is_put_back() {
    if is_skipped_off_the_file() {
        return;
    }
    let mut kith = open().await;
    kith.says("@Juno the tangerine tram leaves at noon").await;
    until_answered(&kith, 1).await;
    let (code, told, err) = run(&kith, &["backup", "monday.db"]);
    assert_eq!((code, &*err), (Some(0), ""));
    assert!(
        told.starts_with("monday.db: ") && told.contains("2 messages"),
        "{told}"
    );
    assert_has(&told, ["until you delete it"]);
    let again = run(&kith, &["backup", "monday.db"]);
    assert_eq!(again.0, Some(1));
    assert_has(&again.2, ["nothing is overwritten"]);
    let (code, _, err) = run(&kith, &["restore", "monday.db"]);
    assert_eq!(code, Some(1));
    assert_has(&err, ["stop it and try again"]);

    let forgotten = kith.says("@Juno my secret is violetfjord").await["id"].clone();
    until_answered(&kith, 2).await;
    kith.ask(json!({"ask": "delete", "channel": "10", "message": forgotten}))
        .await;
    kith.stop();
    let (code, told, err) = run(&kith, &["restore", "monday.db"]);
    assert_eq!((code, &*err), (Some(0), ""), "{told}");
    assert_has(&told, ["kith.db.before-restore-"]);
    kith.start();
    let history = kith.history().await;
    let lines: Vec<&str> = history.iter().map(text).collect();
    assert_eq!(
        lines,
        ["@Juno the tangerine tram leaves at noon", "hi Anna"]
    );
    kith.says("@Juno still there?").await;
    until_answered(&kith, 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kith_that_is_killed_while_it_puts_a_backup_back_leaves_a_whole_database() {
    if is_skipped_off_the_file() {
        return;
    }
    let mut kith = open().await;
    kith.says("@Juno the tangerine tram leaves at noon").await;
    until_answered(&kith, 1).await;
    assert_eq!(run(&kith, &["backup", "monday.db"]).0, Some(0));
    kith.says("@Juno and at one").await;
    until_answered(&kith, 2).await;
    kith.stop();
    for killed in 0..KILLS {
        let mut restoring = build_kith_command(kith.dir.path())
            .args(["restore", "monday.db"])
            .spawn()
            .unwrap();
        tokio::time::sleep(Duration::from_millis(15 * killed)).await;
        restoring.kill().unwrap();
        restoring.wait().unwrap();
        kith.start();
        // The new one is in place, or the old one still is: both have what the backup has.
        let history = kith.history().await;
        assert!(matches!(history.len(), 2 | 4), "{history:#?}");
        kith.stop();
    }
    assert_eq!(run(&kith, &["restore", "monday.db"]).0, Some(0));
    kith.start();
    assert_eq!(kith.history().await.len(), 2);
}
