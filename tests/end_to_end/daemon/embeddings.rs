//! Where an embedding model is named, messages get vectors in the background, and questions while somebody waits; where none
//! is, nothing of it is there.

use std::time::Duration;

use kith_testkit::assert_has;
use kith_testkit::fake_embeddings::{OPENAI_EMBEDDINGS, answer_as_openai, openai_vectors, texts};
use kith_testkit::fake_model::{FakeModel, Reply};
use serde_json::json;

use crate::daemon::kith_process::{KithProcess, build_kith_command, model, settings};

/// Nobody is answered who did not ask.
const SHY: &str = "talkativeness = 0.0\n";
const LINES: [&str; 3] = [
    "ramen soup for dinner tomorrow",
    "ok",
    "my bicycle lost both wheels",
];

/// The settings of a daemon with an embedding model of this name.
async fn with_embedder(server: &FakeModel, name: &str, more: &str) -> String {
    let chat = model(|_| "<turn><send_message>hm</send_message></turn>".into()).await;
    let (url, shy) = (server.openai_url(), settings(&chat, SHY));
    format!(
        "{shy}{more}[roles]\nembedding = [\"meaning\"]\n[models.meaning]\nprovider = \"openai\"\nbase_url = \"{url}\"\nname = \"{name}\"\n"
    )
}

async fn embedding_server(replies: impl IntoIterator<Item = Reply>) -> FakeModel {
    let server = FakeModel::openai([]).await;
    replies
        .into_iter()
        .for_each(|reply| server.on(OPENAI_EMBEDDINGS, reply));
    server
}

async fn talk(kith: &KithProcess) {
    for (number, text) in LINES.iter().enumerate() {
        let nonce = format!("line {number}");
        let post = json!({"ask": "post", "channel": "10", "person": "2", "text": text, "client_nonce": nonce});
        kith.ask(post).await;
    }
}

/// The models of the vectors that are kept, with how many each has.
fn vectors(kith: &KithProcess) -> Vec<(String, i64)> {
    let find =
        "SELECT name, count(vector) FROM vector_models LEFT JOIN message_vectors ON model = id
        GROUP BY name ORDER BY name";
    let parts = |row: &String| {
        let (name, count) = row.split_once('|').unwrap();
        (name.to_owned(), count.parse().unwrap())
    };
    kith.database().rows(find).iter().map(parts).collect()
}

async fn until_vectors(kith: &KithProcess, wanted: &[(&str, i64)]) {
    let mut found = Vec::new();
    for _ in 0..600 {
        found = vectors(kith);
        if found
            .iter()
            .map(|(name, count)| (&**name, *count))
            .eq(wanted.iter().copied())
        {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{found:?} instead of {wanted:?}\n{}", kith.log());
}

/// Writes other settings and starts again.
fn restart(kith: &mut KithProcess, settings: &str) {
    kith.stop();
    std::fs::write(kith.dir.path().join("kith.toml"), settings).unwrap();
    kith.start();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_get_vectors_once_and_another_model_makes_its_own() {
    let server = embedding_server([openai_vectors()]).await;
    let first = with_embedder(&server, "small", "").await;
    let mut kith = KithProcess::open(&first).await;
    talk(&kith).await;
    until_vectors(&kith, &[("small", 2)]).await;
    let made = server.embedded_texts();
    assert!(
        made.iter().all(|text| text != "ok"),
        "what says nothing has none: {made:?}"
    );
    restart(&mut kith, &first);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(server.embedded_texts(), made, "a restart makes none anew");
    restart(&mut kith, &with_embedder(&server, "large", "").await);
    until_vectors(&kith, &[("large", 2)]).await;
    let usage = build_kith_command(kith.dir.path())
        .arg("usage")
        .output()
        .unwrap();
    let usage = String::from_utf8_lossy(&usage.stdout).into_owned();
    assert_has(&usage, ["embedding"]);
    let chat = model(|_| "<turn><stay_silent>no</stay_silent></turn>".into()).await;
    restart(&mut kith, &settings(&chat, SHY));
    until_vectors(&kith, &[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_gets_a_vector_and_a_server_that_hangs_keeps_nobody_waiting() {
    let server = embedding_server([Reply::mute()]).await;
    let kith = KithProcess::open(&with_embedder(&server, "small", "").await).await;
    let asked = "Juno, where do people eat noodles here?";
    kith.says(asked).await;
    kith.until_true("the answer", |lines| {
        lines.iter().any(|line| line["text"] == "hm")
    })
    .await;
    assert!(
        server.embedded_texts().iter().any(|text| text == asked),
        "it was tried"
    );
    assert_eq!(vectors(&kith), [], "and nothing came of it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_the_model_does_not_take_keeps_no_other_waiting() {
    let refusing = Reply::answered_by(|body| {
        let is_refused = texts(body).iter().any(|text| text.contains("bicycle"));
        if is_refused {
            json!({"error": {"message": "this one is too long"}})
        } else {
            answer_as_openai(body)
        }
    });
    let server = embedding_server([refusing]).await;
    let kith = KithProcess::open(&with_embedder(&server, "small", "").await).await;
    talk(&kith).await;
    until_vectors(&kith, &[("small", 1)]).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(vectors(&kith), [("small".to_owned(), 1)]);
}

/// Writes other settings beside the running daemon.
fn change_settings(kith: &KithProcess, settings: &str) {
    let file = kith.dir.path().join("kith.toml");
    std::fs::write(file, settings).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_raised_budget_counts_at_once() {
    let server = embedding_server([openai_vectors()]).await;
    let poor = with_embedder(&server, "small", "[budget]\nembedding_tokens = 1\n").await;
    let kith = KithProcess::open(&poor).await;
    talk(&kith).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!((server.embedded_texts(), vectors(&kith)), (vec![], vec![]));
    change_settings(&kith, &poor.replace("tokens = 1\n", "tokens = 10000\n"));
    until_vectors(&kith, &[("small", 2)]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_that_is_named_while_it_runs_is_in_no_question_from_then_on() {
    const KEY: &str = "canary-4f1e-77x";
    let server = embedding_server([openai_vectors()]).await;
    let settings = with_embedder(&server, "small", "").await;
    let kith = KithProcess::open(&settings).await;
    std::fs::write(kith.dir.path().join("news.key"), KEY).unwrap();
    change_settings(
        &kith,
        &format!("{settings}[secrets]\nnews = {{ file = \"news.key\" }}\n"),
    );
    let mut asked = String::new();
    for attempt in 0..20 {
        let marker = format!("attempt number{attempt}");
        kith.says(&format!("Juno, {marker} with {KEY}")).await;
        for _ in 0..100 {
            let texts = server.embedded_texts();
            let found = texts.into_iter().find(|text| text.contains(&marker));
            if let Some(text) = found {
                asked = text;
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        if !asked.is_empty() && !asked.contains(KEY) {
            return;
        }
    }
    panic!("{asked}\n{}", kith.log());
}
