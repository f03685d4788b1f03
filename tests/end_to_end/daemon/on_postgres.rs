//! The companion with its database on a PostgreSQL server: it answers once, whatever ends the process and cuts its links.

use std::sync::Arc;

use kith_testkit::postgres::PostgresServer;
use kith_testkit::{assert_has, assert_lacks};
use rcgen::generate_simple_self_signed;

use super::*;

/// Settings that name a file with the address of the database.
fn settings_of_server(model: &str) -> String {
    settings(model, "") + "[store]\nurl_file = \"store.url\"\n"
}

/// Waits until the companion has said so many lines, and answers with everything that was said.
async fn wait_for_answers(kith: &KithProcess, count: usize) -> Vec<Value> {
    let answered = |history: &[Value]| {
        let said = history.iter().filter(|line| own(line)).count();
        (said >= count).then(|| history.to_vec())
    };
    kith.until("an answer", answered).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_server_each_line_is_answered_once_though_links_are_cut_and_the_process_is_killed() {
    // One of its own: all of its links are cut.
    let Some(server) = PostgresServer::start_or_skip() else {
        return;
    };
    let address = server.make_schema().url;
    let answer = |user: &str| {
        format!(
            "<turn><send_message>re {}</send_message></turn>",
            newest_line(user)
        )
    };
    let url = model(answer).await;
    let files = [
        ("kith.toml", &*settings_of_server(&url)),
        ("store.url", &*address),
    ];
    let mut kith = KithProcess::furnished(&files, &[]).await;
    kith.says("@Juno one").await;
    wait_for_answers(&kith, 1).await;
    server.cut_links();
    kith.says("@Juno two").await;
    wait_for_answers(&kith, 2).await;
    kith.kill();
    kith.start();
    kith.says("@Juno three").await;
    let history = wait_for_answers(&kith, 3).await;
    let (own_lines, others): (Vec<_>, Vec<_>) = history.iter().partition(|line| own(line));
    assert_eq!((own_lines.len(), others.len()), (3, 3), "{history:#?}");
    let has_file = kith.dir.path().join("data/kith.db").exists();
    assert!(!has_file, "nothing is written beside the server");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_finds_no_server_is_said_once_it_is_back() {
    let Some(server) = PostgresServer::start_or_skip().map(Arc::new) else {
        return;
    };
    let address = server.make_schema().url;
    let answer = {
        let server = server.clone();
        move |_: &str| {
            server.hide();
            "<turn><send_message>still here</send_message></turn>".to_owned()
        }
    };
    let settings = settings_of_server(&model(answer).await) + "[log]\nlevel = \"debug\"\n";
    let files = [("kith.toml", &*settings), ("store.url", &*address)];
    let kith = KithProcess::furnished(&files, &[]).await;
    kith.says("@Juno are you there?").await;
    kith.until_logged("an action waits to be journaled").await;
    server.show();
    let history = wait_for_answers(&kith, 1).await;
    let said: Vec<&Value> = history.iter().filter(|line| own(line)).collect();
    assert_eq!(said[0]["text"], "still here", "{history:#?}");
    assert_eq!(said.len(), 1, "{history:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_over_the_network_is_encrypted_and_only_to_a_server_whose_certificate_is_trusted() {
    let make = || generate_simple_self_signed(vec!["localhost".into()]).unwrap();
    let (known, unknown) = (make(), make());
    let key = known.signing_key.serialize_pem();
    let Some(server) = PostgresServer::start_encrypted_or_skip(&known.cert.pem(), &key) else {
        return;
    };
    let schema = server.make_schema().name;
    let address = format!(
        "postgres://kith@localhost/postgres?hostaddr={}&options=-csearch_path%3D{schema}",
        PostgresServer::network_address()
    );
    let certificates = tempfile::tempdir().unwrap();
    let write = |name: &str, certificate: String| {
        let path = certificates.path().join(name);
        std::fs::write(&path, certificate).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (trusted, other) = (
        write("known.pem", known.cert.pem()),
        write("unknown.pem", unknown.cert.pem()),
    );
    let url = model(|_| "<turn><send_message>well met</send_message></turn>".into()).await;
    // The server takes no link that is not encrypted, and to prefer encryption is what an address without a word means.
    let files = [
        ("kith.toml", &*settings_of_server(&url)),
        ("store.url", &*address),
    ];
    let kith = KithProcess::furnished(&files, &[("SSL_CERT_FILE", &trusted)]).await;
    kith.says("@Juno hello").await;
    wait_for_answers(&kith, 1).await;

    let ask = |more: &str, certificate: &str| {
        std::fs::write(
            kith.dir.path().join("store.url"),
            format!("{address}{more}"),
        )
        .unwrap();
        let ended = kith_process::build_kith_command(kith.dir.path())
            .arg("usage")
            .env("SSL_CERT_FILE", certificate)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        (ended.status.success(), told)
    };
    let (is_read, told) = ask("&sslmode=require", &trusted);
    assert!(is_read, "{told}");
    for more in ["", "&sslmode=require"] {
        let (is_read, told) = ask(more, &other);
        assert!(!is_read && told.contains("certificate"), "{told}");
    }
    let (is_read, told) = ask("&sslmode=disable", &trusted);
    assert!(!is_read && told.contains("no encryption"), "{told}");
}

#[test]
fn what_only_a_file_can_do_says_so_in_both_languages_and_never_shows_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let told = |language: &str, command: &[&str]| {
        let settings = format!(
            "language = \"{language}\"\n[store]\nurl = \"postgres://kith:hunter2@127.0.0.1:1/talk\"\n"
        );
        std::fs::write(folder.path().join("kith.toml"), settings).unwrap();
        let ended = kith_process::build_kith_command(folder.path())
            .args(command)
            .output()
            .unwrap();
        assert!(!ended.status.success());
        String::from_utf8_lossy(&ended.stderr).into_owned()
    };
    for command in [
        &["backup", "copy.db"][..],
        &["restore", "copy.db"],
        &["recover"],
    ] {
        let (english, chinese) = (told("en", command), told("zh", command));
        for text in [&english, &chinese] {
            assert_has(text, ["postgres://127.0.0.1/talk"]);
            assert_lacks(text, ["hunter2"]);
        }
        assert_has(&english, ["is on a server"]);
        assert_ne!(english, chinese);
    }
}
