//! `kith migrate` as the host types it: to a server and back, and a companion that goes on there.

use std::path::Path;
use std::process::Stdio;

use kith_testkit::assert_has;
use kith_testkit::postgres::PostgresServer;
use kith_testkit::test_database::is_skipped_off_the_file;

use super::*;

/// Runs the command in a folder; answers with exit code, standard output and standard error.
fn migrate(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let ended = kith_process::build_kith_command(folder)
        .arg("migrate")
        .args(args)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (ended.status.code(), text(ended.stdout), text(ended.stderr))
}

async fn wait_for_answers(kith: &KithProcess, count: usize) {
    let answered = |history: &[Value]| {
        let said = history.iter().filter(|line| own(line)).count();
        (said >= count).then_some(())
    };
    kith.until("an answer", answered).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_companion_goes_on_with_its_database_on_a_server_and_back_in_a_file() {
    if is_skipped_off_the_file() {
        return;
    }
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let address = server.make_schema().url;
    let answer = |user: &str| {
        let line = newest_line(user);
        format!("<turn><send_message>re {line}</send_message></turn>")
    };
    let url = model(answer).await;
    let in_file = settings(&url, "");
    let on_server = format!("{in_file}[store]\nurl_file = \"store.url\"\n");
    let files = [("kith.toml", &*in_file), ("store.url", &*address)];
    let mut kith = KithProcess::furnished(&files, &[]).await;
    let folder = kith.dir.path().to_path_buf();
    kith.says("@Juno one").await;
    wait_for_answers(&kith, 1).await;
    let write = |text: &str| std::fs::write(folder.join("kith.toml"), text).unwrap();
    write(&on_server);
    let (code, _, err) = migrate(&folder, &["--from", "data/kith.db"]);
    assert_eq!(code, Some(1));
    assert_has(&err, ["stop it and try again"]);

    kith.kill();
    let (code, told, err) = migrate(&folder, &["--from", "data/kith.db"]);
    assert_eq!((code, &*err), (Some(0), ""));
    assert_has(
        &told,
        ["2 messages in ", "start Kith", "data/kith.db is as it was"],
    );
    kith.start();
    kith.says("@Juno two").await;
    wait_for_answers(&kith, 2).await;

    kith.kill();
    let (code, told, err) = migrate(&folder, &["--to", "back/kith.db"]);
    assert_eq!((code, &*err), (Some(0), ""));
    assert_has(
        &told,
        [
            "4 messages",
            "back/kith.db",
            "take `url` and `url_file` out",
        ],
    );
    let (code, _, err) = migrate(&folder, &["--to", "back/kith.db"]);
    assert_eq!(code, Some(1));
    assert_has(&err, ["is not empty"]);
    write(&settings(&url, "data_dir = \"back\""));
    kith.start();
    kith.says("@Juno three").await;
    wait_for_answers(&kith, 3).await;
    let history = kith.history().await;
    assert_eq!(history.len(), 6, "{history:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_in_its_first_third_of_a_second_it_goes_on_when_run_again() {
    if is_skipped_off_the_file() {
        return;
    }
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let address = server.make_schema().url;
    let url = model(|_| "<turn><send_message>hi</send_message></turn>".to_owned()).await;
    let settings = format!("{}[store]\nurl_file = \"store.url\"\n", settings(&url, ""));
    let in_file = settings.replace("url_file", "# url_file");
    let files = [("kith.toml", &*in_file), ("store.url", &*address)];
    let mut kith = KithProcess::furnished(&files, &[]).await;
    let folder = kith.dir.path().to_path_buf();
    kith.says("@Juno one").await;
    wait_for_answers(&kith, 1).await;
    kith.kill();
    std::fs::write(folder.join("kith.toml"), settings).unwrap();
    let is_done_within = |milliseconds| {
        let mut command = kith_process::build_kith_command(&folder);
        let command = command.args(["migrate", "--from", "data/kith.db"]);
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut running = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        drop(running.kill());
        running.wait().unwrap().success()
    };
    if !(0..12).any(|attempt| is_done_within(attempt * 30)) {
        let (code, _, err) = migrate(&folder, &["--from", "data/kith.db"]);
        assert_eq!((code, &*err), (Some(0), ""));
    }
    let (code, told, err) = migrate(&folder, &["--to", "back/kith.db"]);
    assert_eq!((code, &*err), (Some(0), ""));
    assert_has(&told, ["2 messages"]);
}

#[test]
fn what_cannot_be_moved_is_told_in_both_languages_and_never_with_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let told = |language: &str, args: &[&str]| {
        let settings = format!("language = \"{language}\"\n");
        std::fs::write(folder.path().join("kith.toml"), settings).unwrap();
        let (code, _, err) = migrate(folder.path(), args);
        assert_eq!(code, Some(1), "{args:?}");
        err
    };
    let server = "postgres://kith:hunter2@127.0.0.1:1/talk";
    for (args, expected) in [
        (&[][..], "--from"),
        (&["--from", "data/kith.db"], "kith backup FILE"),
        (&["--from", server, "--to", server], "pg_dump"),
        (
            &["--from", "postgres://kith:hunter2@", "--to", "new.db"],
            "postgres://HOST",
        ),
        (&["--from", server, "--to", "new.db"], "cannot be reached"),
        (&["--to", server], "there is no database of Kith at"),
    ] {
        let (english, chinese) = (told("en", args), told("zh", args));
        assert_has(&english, [expected]);
        assert_ne!(english, chinese);
        assert!(!(english + &chinese).contains("hunter2"), "{args:?}");
    }
    assert!(
        !folder.path().join("new.db").exists(),
        "nothing is left behind"
    );
}
