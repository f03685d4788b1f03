//! Personas made of character cards, spoken with.

use std::process::Command;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kith_testkit::card_files::make_ten_cards;
use kith_testkit::kith_process::binary;
use kith_testkit::{assert_has, assert_lacks};

use super::*;

/// Imports a card, starts with the persona it became, and asks it about something that its lore knows. Answers with the
/// last prompt.
async fn speak_with(file: &str, bytes: &[u8], says: &str) -> String {
    let prompts = Arc::new(Mutex::new(Vec::new()));
    let seen = prompts.clone();
    let url = model(move |user| {
        seen.lock().unwrap().push(user.to_owned());
        "<turn><send_message>ask the goat</send_message></turn>".into()
    })
    .await;
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(file), bytes).unwrap();
    let imported = Command::new(binary())
        .args(["persona", "import", file, "--out", "it"])
        .current_dir(dir.path())
        .env_clear()
        .output()
        .unwrap();
    assert!(imported.status.success(), "{file}: {imported:?}");
    let files = std::fs::read_dir(dir.path().join("it")).unwrap();
    let persona = files
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            path.extension().is_some_and(|end| end == "toml")
                && !path.to_string_lossy().contains(".lore.")
        })
        .unwrap();
    let checked = Command::new(binary())
        .arg("check")
        .arg(&persona)
        .current_dir(dir.path())
        .env_clear()
        .output()
        .unwrap();
    assert!(checked.status.success(), "{file}: {checked:?}");
    let settings = settings(&url, &format!("persona = '{}'", persona.display()));
    let kith = KithProcess::open(&settings).await;
    kith.says(says).await;
    kith.until_answers(1).await;
    let prompts = prompts.lock().unwrap();
    prompts.last().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_cards_are_imported_and_spoken_with() {
    let cards = make_ten_cards();
    assert_eq!(cards.len(), 10);
    for (file, bytes) in cards {
        let name = match file {
            "chinese.png" => "小岚",
            _ if file.starts_with("v3") => "Rob",
            _ => "Robin",
        };
        let says = format!("{name}, the old mill? 气象站");
        let prompt = speak_with(file, &bytes, &says).await;
        let known = match file {
            "chinese.png" => "\n- 气象站在海拔两千米，一共三个人轮班。\n",
            _ if file.starts_with("v1") => "",
            _ => "\n- Moss Island has forty people and one goat.\n",
        };
        assert_has(&prompt, [known]);
        let mill = "The mill burnt down in 1911";
        let grandmother = format!("{name}'s grandmother rang the bell.");
        let has_book = !file.starts_with("v1") && file != "chinese.png";
        assert_eq!(prompt.contains(mill), has_book, "{file}: {prompt}");
        let reached = "Robin's grandmother rang the bell.";
        assert_eq!(
            prompt.contains(reached),
            has_book,
            "{file}: {grandmother}\n{prompt}"
        );
        assert_lacks(&prompt, ["There is no ghost"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_card_that_is_sent_to_the_room_becomes_a_file_and_changes_nothing_else() {
    let kith = KithProcess::open("room.listen = \"127.0.0.1:0\"\nmodel.provider = \"none\"").await;
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let send = async |path: &str, card: &[u8], token: &str| {
        let sent = client
            .post(format!("{}{path}", kith.url))
            .bearer_auth(token)
            .json(&json!({"ask": "import_card", "card": STANDARD.encode(card)}))
            .send()
            .await;
        let Ok(sent) = sent else {
            // Who refuses what is too large does not read it to its end, and may hang up before all of it was sent.
            return (413, Value::Null);
        };
        (
            sent.status().as_u16(),
            sent.json::<Value>().await.unwrap_or_default(),
        )
    };
    let (_, card) = make_ten_cards().swap_remove(6);
    assert_eq!(send("/api/card", &card, "somebody else's").await.0, 401);
    let (status, answer) = send("/api/card", &card, &kith.token).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["name"], "Rob");
    assert_eq!(answer["file"], "data/personas/rob.toml");
    assert_eq!(
        answer["notes"][0]["en"],
        "The scenario stands at the end of `background`."
    );
    let folder = kith.dir.path().join("data/personas");
    assert!(folder.join("rob.lore.toml").is_file() && folder.join("rob.avatar.png").is_file());
    let state = kith.ask(json!({"ask": "state"})).await;
    let name = &state["channels"][0]["companion"];
    assert_lacks(name.to_string(), ["Rob"]);
    let (status, answer) = send("/api/card", b"hello", &kith.token).await;
    assert_eq!(status, 400);
    assert_has(answer["error"].to_string(), ["neither a character card"]);
    let large = vec![b' '; 17 << 20];
    assert_eq!(send("/api/card", &large, &kith.token).await.0, 413);
    let middling = vec![b' '; 100 << 10];
    assert_eq!(
        send("/api", &middling, &kith.token).await.0,
        413,
        "only there"
    );
}
