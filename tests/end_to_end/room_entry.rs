//! Who may come into the room of a running `kith`: whoever has its token, and no other user of the machine.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::process::Stdio;
use std::time::Duration;

use kith_testkit::assert_lacks;
use kith_testkit::kith_process::{self, KithProcess};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

fn stranger() -> Client {
    kith_system::tls::loopback_client().build().unwrap()
}

async fn post_as_stranger(address: String, body: &Value) -> StatusCode {
    let sent = stranger().post(address).json(body).send();
    sent.await.unwrap().status()
}

#[tokio::test]
async fn another_user_of_the_machine_gets_nothing_out_of_a_running_kith() {
    let model =
        kith_process::model(|_| "<turn><send_message>hi</send_message></turn>".into()).await;
    let mut kith = KithProcess::open(&kith_process::settings(&model, "")).await;
    kith.says("@Juno hello").await;
    kith.until_true("an answer", |said| {
        said.iter().any(|one| one["text"] == "hi")
    })
    .await;
    let trap = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let theirs = format!("http://{}/v1", trap.local_addr().unwrap());
    for body in [
        json!({ "ask": "state" }),
        json!({ "ask": "history", "channel": "10" }),
        json!({ "ask": "turns", "channel": "10" }),
        json!({ "ask": "turn", "id": "1" }),
        kith_process::post_of("@Juno run it", "theirs"),
        json!({ "ask": "list_models", "url": theirs }),
        json!({ "ask": "test_model", "url": theirs, "model": "m" }),
        json!({ "ask": "use_model", "url": theirs, "model": "m" }),
        json!({ "ask": "decide", "id": "1", "approve": true, "person": "2" }),
        json!({ "ask": "memories", "channel": "10", "person": "2" }),
    ] {
        let status = post_as_stranger(format!("{}/api", kith.url), &body).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{body}");
    }
    for body in [
        json!({ "ask": "all_memories" }),
        json!({ "ask": "search_memory", "channel": "10", "text": "hello" }),
        json!({ "ask": "edit_block", "channel": "10", "label": "people", "text": "theirs" }),
    ] {
        let status = post_as_stranger(format!("{}/api/memory", kith.url), &body).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{body}");
    }
    for path in ["/", "/api/live", "/main.js"] {
        let asked = stranger()
            .get(format!("{}{path}", kith.url))
            .send()
            .await
            .unwrap();
        assert_eq!(asked.status(), StatusCode::UNAUTHORIZED, "{path}");
    }
    assert_eq!(kith.history().await.len(), 2, "nobody else posted");
    assert!(
        tokio::time::timeout(Duration::from_millis(1), trap.accept())
            .await
            .is_err(),
        "their server was asked"
    );

    // The owner's bookmark opens the same room after a restart, and what was logged opens nothing.
    let token = kith.token.clone();
    let file = kith.dir.path().join("data/room.token");
    assert_eq!(fs::read_to_string(&file).unwrap().trim(), token);
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
    kith.stop();
    kith.start();
    assert_eq!(kith.token, token);
    assert_eq!(kith.history().await.len(), 2);
    assert_lacks(kith.log(), [&token]);
}

#[tokio::test]
async fn what_others_may_read_along_names_the_file_of_the_token_and_not_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "[room]\nlisten = \"127.0.0.1:0\"\n[model]\nprovider = \"none\"\n";
    fs::write(folder.path().join("kith.toml"), settings).unwrap();
    // A pipe as well: behind it, `tee` writes a file.
    let mut process = kith_process::build_kith_command(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let line = lines.next().expect("it starts").unwrap();
    let token = fs::read_to_string(folder.path().join("data/room.token")).unwrap();
    process.kill().unwrap();
    process.wait().unwrap();
    let said: String = lines.map_while(Result::ok).collect();
    assert_lacks(format!("{line}{said}"), [token.trim()]);
    assert!(
        line.starts_with("Kith is here: http://127.0.0.1:"),
        "{line}"
    );
    assert!(
        line.ends_with("/?token=… (the token is in data/room.token, and not in this log)"),
        "{line}"
    );
}
